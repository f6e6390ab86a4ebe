# The packages we lean on. Everything is permissively licensed; what a user may lack is optional.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(NOUQ_RANDOM123_DIR Random123/philox.h REQUIRED)
find_path(NOUQ_HIGHWAY_DIR hwy/highway.h REQUIRED)
find_library(NOUQ_HIGHWAY_LIBRARY NAMES libhwy.a hwy REQUIRED)
find_path(NOUQ_TOML_DIR toml++/toml.h REQUIRED)
find_package(CLI11 REQUIRED)

add_library(nouq_dependencies INTERFACE)
target_include_directories(nouq_dependencies SYSTEM INTERFACE ${NOUQ_RANDOM123_DIR} ${NOUQ_HIGHWAY_DIR}
                                                                 ${NOUQ_TOML_DIR})
target_link_libraries(nouq_dependencies INTERFACE OpenMP::OpenMP_CXX Eigen3::Eigen ZLIB::ZLIB fmt::fmt-header-only
                                                  nlohmann_json::nlohmann_json ${NOUQ_HIGHWAY_LIBRARY})

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
