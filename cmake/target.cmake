# NOUQ_TARGET: the best instruction set that the kernels are compiled for. Which of the compiled ones runs is decided at run
# time, from what the processor can do; `portable` is always among them (SSE2 on x86-64, NEON on Arm).
#
# When to change it: to get the same bits on processors with and without AVX-512 (avx2 on both), to compile less, or to see
# what an instruction set yields. Processors other than x86-64 have the portable one alone, whatever is asked for.
set(levels portable avx2 avx512)  # as in kernels/target.h
list(FIND levels "${NOUQ_TARGET}" level)
if(level LESS 0)
  message(FATAL_ERROR "NOUQ_TARGET=${NOUQ_TARGET}: expected avx512, avx2 or portable")
endif()
target_compile_definitions(nouq_kernels PRIVATE NOUQ_BEST_TARGET=${level})
