# run(COMMAND...): runs it and puts what it says into `output`; the test fails when the command does.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "failed: ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# run_refused(TEXT COMMAND...): the command must fail and say the text.
function(run_refused text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")  # CMake breaks lines
  string(FIND "${output}" "${text}" at)
  if(NOT failed OR at LESS 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "not refused with '${text}': ${command}\n${output}")
  endif()
endfunction()
