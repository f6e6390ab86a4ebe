# The packages we lean on. Everything is permissively licensed; what a user may lack is optional.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(NOUQ_RANDOM123_DIR Random123/philox.h REQUIRED)
find_path(NOUQ_HIGHWAY_DIR hwy/highway.h REQUIRED)
find_library(NOUQ_HIGHWAY_LIBRARY NAMES libhwy.a hwy REQUIRED)
find_path(NOUQ_TOML_DIR toml++/toml.h REQUIRED)
if(NOT NOUQ_INFERENCE_ONLY)
  find_package(ZLIB REQUIRED)
endif()

add_library(nouq_dependencies INTERFACE)
target_include_directories(nouq_dependencies SYSTEM INTERFACE ${NOUQ_RANDOM123_DIR} ${NOUQ_HIGHWAY_DIR}
                                                             ${NOUQ_TOML_DIR})
target_link_libraries(nouq_dependencies INTERFACE OpenMP::OpenMP_CXX Eigen3::Eigen nlohmann_json::nlohmann_json
                                                  ${NOUQ_HIGHWAY_LIBRARY})
# Threads are ours to give: a product that looks at the number of cores could have other bits on another machine.
target_compile_definitions(nouq_dependencies INTERFACE EIGEN_DONT_PARALLELIZE)
if(NOUQ_INFERENCE_ONLY)
  target_link_libraries(nouq_dependencies INTERFACE fmt::fmt-header-only)  # one library less to ship with a solver
else()
  target_link_libraries(nouq_dependencies INTERFACE fmt::fmt)  # fmt compiled into every file costs a third of the build
  target_link_libraries(nouq_dependencies INTERFACE ZLIB::ZLIB)
endif()

if(NOUQ_HDF5)
  find_package(HDF5 COMPONENTS C)
endif()
if(HDF5_FOUND)
  target_include_directories(nouq_dependencies SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(nouq_dependencies INTERFACE ${HDF5_LIBRARIES})
  target_compile_definitions(nouq_dependencies INTERFACE NOUQ_HAVE_HDF5=1)
else()
  target_compile_definitions(nouq_dependencies INTERFACE NOUQ_HAVE_HDF5=0)
endif()

# One MPI at a time: the tool speaks with the launcher of the one it was built with. -DMPI_C_COMPILER=mpicc.mpich picks another
# than the system's own.
if(NOUQ_MPI AND NOUQ_TOOL)
  find_package(MPI COMPONENTS C)
  if(MPI_C_FOUND)
    message(STATUS "MPI for the tool: ${MPI_C_LIBRARIES}")
  else()
    message(STATUS "MPI for the tool: none; it works as one process")
  endif()
endif()

# What a program links besides libnouq.a, as files and flags: imported targets would end at the border of this project.
set(NOUQ_STATIC_LIBRARIES ${NOUQ_HIGHWAY_LIBRARY})
if(NOT NOUQ_INFERENCE_ONLY)
  list(APPEND NOUQ_STATIC_LIBRARIES -lfmt ${ZLIB_LIBRARIES})
endif()
if(HDF5_FOUND)
  list(APPEND NOUQ_STATIC_LIBRARIES ${HDF5_LIBRARIES})
endif()
list(APPEND NOUQ_STATIC_LIBRARIES ${OpenMP_CXX_FLAGS})
