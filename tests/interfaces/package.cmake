# Installs nouq into a folder, builds the examples against it as a user would, and runs them. Also pkg-config.
#   cmake -DBUILD=... -DSOURCE=... -DWORK=... -DMODEL=... -DGENERATOR=... -P package.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(prefix ${WORK}/installed)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${WORK}/examples -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
    -DMODEL=${MODEL} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK}/examples)
run(ctest --test-dir ${WORK}/examples --output-on-failure --no-tests=error)
message("${output}")

# A project that adds to nouq, also from outside.
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/extend -B ${WORK}/extend -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK}/extend)
run(ctest --test-dir ${WORK}/extend --output-on-failure --no-tests=error)
message("${output}")

file(GLOB_RECURSE pc ${prefix}/nouq.pc)
cmake_path(GET pc PARENT_PATH folder)
find_program(pkg_config pkg-config)
if(pkg_config)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  run(${pkg_config} --cflags --libs nouq)
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(cc -std=c11 ${SOURCE}/examples/06_predict.c -o ${WORK}/hello ${flags})
  set(ENV{LD_LIBRARY_PATH} ${folder}/..)
  run(${WORK}/hello ${MODEL} 2.5)
  message("${output}")
endif()
