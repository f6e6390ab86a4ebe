# Headers that nearly every file reads, parsed once: a third less to compile. Not where a compiler launcher (ccache) is
# set, which is the better saving and cannot see through them; so every header is still asked to include what it needs.
if(CMAKE_CXX_COMPILER_LAUNCHER OR NOUQ_FUZZ)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# nouq_precompile(TARGET [header...]): the common ones and those given.
function(nouq_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <filesystem> <functional> <map> <memory> <numeric>
                            <optional> <span> <string> <vector> <fmt/format.h> ${ARGN})
  nouq_quieten_precompiled(${target})
endfunction()

# nouq_reuse_precompiled(TARGET OTHER): those of the other target.
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
