# How every one of our own files is compiled.
add_library(nouq_options INTERFACE)
target_compile_options(nouq_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                              -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlaps in std::string operator+ that are not there (GCC bug 105651).
  target_compile_options(nouq_options INTERFACE -Wno-restrict)
endif()
if(NOUQ_WERROR)
  target_compile_options(nouq_options INTERFACE -Werror)
endif()

# IEEE semantics stay (no -ffast-math): NaN and Inf in data must be seen. Contraction off outside the explicit FMAs of
# the kernels, so that the same source gives the same bits whatever target the compiler was tuned for.
target_compile_options(nouq_options INTERFACE -ffp-contract=off -fno-math-errno)

# Every function by itself, so that a library leaves out those that nothing it offers reaches.
target_compile_options(nouq_options INTERFACE -ffunction-sections -fdata-sections)

# For what spends no time in loops of its own (commands, tables, figures, JSON): half of what optimises costs compile time
# and yields nothing there.
add_library(nouq_light INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(nouq_light INTERFACE -Os)
endif()

if(NOUQ_SANITIZE)
  add_compile_options(-fsanitize=${NOUQ_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${NOUQ_SANITIZE})
endif()
