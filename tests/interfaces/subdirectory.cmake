# nouq as a folder of another project (subdirectory/CMakeLists.txt): configured as it is; then, as what such a project mostly
# wants, the library that uses trained models, built with the portable kernels, linked and run. That is also the test of the
# options NOUQ_INFERENCE_ONLY and NOUQ_TARGET, and of a parent that compiles several files at a time (CMAKE_UNITY_BUILD).
# Nothing is optimised: what is tested is that it links and runs. The folder stays: a second run compiles what has changed.
#   cmake -DSOURCE=... -DWORK=... -DMODEL=... -DGENERATOR=... -P subdirectory.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(parent ${CMAKE_CURRENT_LIST_DIR}/subdirectory)

run(${CMAKE_COMMAND} -S ${parent} -B ${WORK}/whole -G ${GENERATOR} -DNOUQ=${SOURCE})
run_refused("NOUQ_TARGET=sse9: expected avx512, avx2 or portable"
            ${CMAKE_COMMAND} -S ${parent} -B ${WORK}/refused -G ${GENERATOR} -DNOUQ=${SOURCE} -DNOUQ_TARGET=sse9)

set(build ${WORK}/inference)
run(${CMAKE_COMMAND} -S ${parent} -B ${build} -G ${GENERATOR} -DNOUQ=${SOURCE} -DNOUQ_INFERENCE_ONLY=ON
    -DNOUQ_TARGET=portable -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_C_FLAGS_DEBUG=-O0
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12 -DMODEL=${MODEL})
run(${CMAKE_COMMAND} --build ${build} --parallel 2)
run(ctest --test-dir ${build} --output-on-failure --no-tests=error)
message("${output}")
if(NOT output MATCHES "100% tests passed, 0 tests failed out of 2")
  message(FATAL_ERROR "the parent has two tests of its own and must have no others")
endif()

file(REMOVE_RECURSE ${WORK}/installed)
run(${CMAKE_COMMAND} --install ${build} --prefix ${WORK}/installed)
file(GLOB_RECURSE installed RELATIVE ${WORK}/installed ${WORK}/installed/*)
if(NOT installed STREQUAL "bin/hello_nouq")
  message(FATAL_ERROR "the parent installs bin/hello_nouq; with nouq inside it: ${installed}")
endif()

run(nm --demangle ${build}/nouq/src/libnouq.a)
if(output MATCHES "N_AVX[23]::")
  message(FATAL_ERROR "kernels for ${CMAKE_MATCH_0} in a library built with NOUQ_TARGET=portable")
endif()
