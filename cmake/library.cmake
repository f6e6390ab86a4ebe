# libnouq.a holds everything and serves our own programs; libnouq.so offers include/nouq and nothing else. Both are
# installed, with a CMake package (find_package(nouq): nouq::nouq, nouq::static) and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Using a model needs no data files, problems or training loop. What is left is found by folder and name.
function(nouq_keep_inference list)
  set(kept ${${list}})
  list(FILTER kept INCLUDE REGEX "/src/((core|kernels|nn|train|conserve|metrics|uq|model|api)/|config/(option|option_table|describe|assign)|data/(data_set|normalisation)\\.cpp)")
  list(FILTER kept EXCLUDE REGEX "/(train/(trainer|checkpoint)|uq/(fit|trainings|selection|train_settings)|api/(data|evaluate|settings|train)|core/toml_text)\\.cpp")
  list(FILTER kept EXCLUDE REGEX "/conserve/(law|constraint_file)\\.cpp")
  set(${list} ${kept} PARENT_SCOPE)
endfunction()
if(NOUQ_INFERENCE_ONLY)
  nouq_keep_inference(NOUQ_SOURCES)
endif()

# The public interface is compiled once, for both libraries.
set(NOUQ_API_SOURCES ${NOUQ_SOURCES})
list(FILTER NOUQ_API_SOURCES INCLUDE REGEX "/src/api/")
list(FILTER NOUQ_SOURCES EXCLUDE REGEX "/src/api/")

configure_file(include/nouq/version.h.in ${CMAKE_BINARY_DIR}/include/nouq/version.h)
add_library(nouq STATIC ${NOUQ_SOURCES})
target_include_directories(nouq PUBLIC src include ${CMAKE_BINARY_DIR}/include)
target_link_libraries(nouq PRIVATE nouq_options PUBLIC nouq_dependencies)
nouq_precompile(nouq)

if(NOUQ_FUZZ)
  return()
endif()

add_library(nouq_api OBJECT ${NOUQ_API_SOURCES})
target_link_libraries(nouq_api PRIVATE nouq_options nouq_dependencies)
target_include_directories(nouq_api PRIVATE src include ${CMAKE_BINARY_DIR}/include)
target_sources(nouq PRIVATE $<TARGET_OBJECTS:nouq_api>)
# These objects pull in what they use of libnouq.a; the map hides everything that include/nouq does not name.
add_library(nouq_shared SHARED $<TARGET_OBJECTS:nouq_api>)
target_link_libraries(nouq_shared PRIVATE nouq)
target_include_directories(nouq_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                           $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(nouq_shared INTERFACE cxx_std_20)
target_link_options(nouq_shared PRIVATE -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/nouq.map
                    -Wl,--as-needed)
set_target_properties(nouq_shared PROPERTIES OUTPUT_NAME nouq VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                      EXPORT_NAME nouq LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/nouq.map)
if(NOT NOUQ_SANITIZE)  # sanitizers live in the program, so their symbols are open here
  target_link_options(nouq_shared PRIVATE -Wl,--no-undefined)
endif()

# --- The package ------------------------------------------------------------------------------------------------------

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/nouq)
# What a program needs besides libnouq.a: the dependencies without those that are headers alone.
get_target_property(NOUQ_STATIC_LIBRARIES nouq_dependencies INTERFACE_LINK_LIBRARIES)
list(REMOVE_ITEM NOUQ_STATIC_LIBRARIES OpenMP::OpenMP_CXX Eigen3::Eigen fmt::fmt-header-only
                                       nlohmann_json::nlohmann_json)
list(TRANSFORM NOUQ_STATIC_LIBRARIES REPLACE "^ZLIB::ZLIB$" "${ZLIB_LIBRARIES}")
list(TRANSFORM NOUQ_STATIC_LIBRARIES REPLACE "^fmt::fmt$" "-lfmt")
list(JOIN NOUQ_STATIC_LIBRARIES " " NOUQ_STATIC_FLAGS)
string(APPEND NOUQ_STATIC_FLAGS " ${OpenMP_CXX_FLAGS} -lstdc++ -lm")

install(TARGETS nouq_shared EXPORT nouqTargets DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS nouq ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/nouq ${CMAKE_BINARY_DIR}/include/nouq DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
set(NOUQ_FORTRAN_DIR ${CMAKE_INSTALL_DATADIR}/nouq/fortran)
install(DIRECTORY bindings/fortran/ DESTINATION ${NOUQ_FORTRAN_DIR}
        FILES_MATCHING PATTERN "*.f90" PATTERN "*.c")
install(EXPORT nouqTargets NAMESPACE nouq:: DESTINATION ${package})
configure_package_config_file(cmake/nouqConfig.cmake.in nouqConfig.cmake INSTALL_DESTINATION ${package}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR NOUQ_FORTRAN_DIR)
write_basic_package_version_file(nouqConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH NOUQ_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" NOUQ_PC_TO_PREFIX ${NOUQ_PC_TO_PREFIX})
configure_file(cmake/nouq.pc.in nouq.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nouqConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/nouqConfigVersion.cmake
        DESTINATION ${package})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nouq.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
