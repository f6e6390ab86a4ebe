# Headers that nearly every file reads, parsed once: a third less to compile. Not where a compiler launcher (ccache) is
# set, which is the better saving and cannot see through them; so every header is still asked to include what it needs.
# Nor in debug builds: fmt asks GCC for -Og inside its headers, and that request does not end with a precompiled header.
if(CMAKE_CXX_COMPILER_LAUNCHER OR NOUQ_FUZZ OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# nouq_precompile(TARGET [header...]): the common ones and those given.
function(nouq_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <filesystem> <functional> <map> <memory> <numeric>
                            <optional> <span> <string> <vector> <fmt/format.h> ${ARGN})
  nouq_quieten_precompiled(${target})
endfunction()

# nouq_reuse_precompiled(TARGET OTHER): those of the other target. Both must be compiled with the same flags: GCC takes the
# level of optimisation from the precompiled headers, whatever the command line says.
function(nouq_reuse_precompiled target other)
  target_precompile_headers(${target} REUSE_FROM ${other})
  nouq_quieten_precompiled(${target})
endfunction()

# GCC 12 forgets that precompiled std::string is a system header and shows its false alarms about it.
function(nouq_quieten_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# nouq_add_precompiled(NAME): a target that holds the common headers for others to reuse.
function(nouq_add_precompiled name)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "// Precompiled headers need a source beside them.\n")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(${name} PRIVATE nouq_options nouq_dependencies ${ARGN})
  nouq_precompile(${name})
endfunction()
nouq_add_precompiled(nouq_precompiled)
nouq_add_precompiled(nouq_precompiled_light nouq_light)
