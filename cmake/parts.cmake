# A folder of src is a part of the library and compiled as a target of its own: docs/architecture.md says which part may
# use which, and a build takes the targets it needs.

# nouq_sources(OUT FOLDER [ONLY file...] [WITHOUT file...]): the sources of a folder of src, or those named, or all but
# those. A new file of the folder is found by itself; a file that is named and not there is an error.
function(nouq_sources out folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ONLY;WITHOUT")
  set(base ${PROJECT_SOURCE_DIR}/src/${folder})
  foreach(file IN LISTS arg_ONLY arg_WITHOUT)
    if(NOT EXISTS ${base}/${file})
      message(FATAL_ERROR "src/${folder}/${file}, named in src/CMakeLists.txt, does not exist")
    endif()
  endforeach()
  if(arg_ONLY)
    set(sources ${arg_ONLY})
  else()
    file(GLOB sources RELATIVE ${base} CONFIGURE_DEPENDS ${base}/*.cpp ${base}/*/*.cpp)
    list(REMOVE_ITEM sources ${arg_WITHOUT})
  endif()
  list(TRANSFORM sources PREPEND ${base}/)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Parts without loops over fields: text, tables, files, and what puts trainings together. Less optimised they are smaller and
# sooner compiled.
set(NOUQ_LIGHT_PARTS config option_tables model hdf5 data_files fit training_api)

# nouq_add_part(NAME FOLDER [ONLY file...] [WITHOUT file...]): the target nouq_<NAME> of those sources.
function(nouq_add_part name folder)
  nouq_sources(sources ${folder} ${ARGN})
  add_library(nouq_${name} OBJECT ${sources})
  target_include_directories(nouq_${name} PRIVATE ${NOUQ_INCLUDES})
  target_link_libraries(nouq_${name} PRIVATE nouq_options nouq_dependencies)
  if(name IN_LIST NOUQ_LIGHT_PARTS)
    target_link_libraries(nouq_${name} PRIVATE nouq_light)
    nouq_reuse_precompiled(nouq_${name} nouq_precompiled_light)
  else()
    nouq_reuse_precompiled(nouq_${name} nouq_precompiled)
  endif()
endfunction()

# nouq_add_tool_part(FOLDER [ONLY...] [WITHOUT...]): a static library nouq_<FOLDER> that is no part of libnouq: figures,
# pages, the paper's study.
function(nouq_add_tool_part folder)
  nouq_sources(sources ${folder} ${ARGN})
  add_library(nouq_${folder} STATIC ${sources})
  target_link_libraries(nouq_${folder} PUBLIC nouq PRIVATE nouq_options)
  nouq_compile_lightly(nouq_${folder})
endfunction()

# nouq_compile_lightly(TARGET): for sources that spend their time in text and JSON, whose templates are what takes long to
# compile. They are optimised less (cmake/options.cmake: nouq_light) and, with NOUQ_UNITY, compiled six at a time, so that the
# templates are dealt with once for six files; names of two files' anonymous namespaces must then differ.
function(nouq_compile_lightly target)
  target_link_libraries(${target} PRIVATE nouq_light)
  nouq_reuse_precompiled(${target} nouq_precompiled_light)
  if(NOUQ_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()
