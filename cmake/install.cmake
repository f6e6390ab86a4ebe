# What is installed: both libraries, headers, a CMake package (find_package(nouq): nouq::nouq, nouq::static) and a pkg-config
# file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/nouq)
list(JOIN NOUQ_STATIC_LIBRARIES " " NOUQ_STATIC_FLAGS)
string(APPEND NOUQ_STATIC_FLAGS " -lstdc++ -lm")

install(TARGETS nouq_shared EXPORT nouqTargets DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS nouq_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/nouq ${PROJECT_BINARY_DIR}/include/nouq DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
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
