# A Python with numpy for the tests that exchange files with it: NOUQ_TEST_PYTHON, empty when there is none. The first
# python3 in the path may come from a version manager and lack numpy, so each candidate is tried.
find_program(NOUQ_PYTHON_IN_PATH python3)
set(found "")
foreach(candidate IN ITEMS "${NOUQ_PYTHON_IN_PATH}" /usr/bin/python3 /usr/local/bin/python3)
  if(NOT found AND EXISTS "${candidate}")
    execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      set(found ${candidate})
    endif()
  endif()
endforeach()
set(NOUQ_TEST_PYTHON "${found}" CACHE FILEPATH "Python with numpy (and h5py), used by tests only")
