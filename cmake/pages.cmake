# What figures and pages need besides their sources: Cairo, and the texts that a page carries inside itself.

# Cairo (LGPL or MPL, linked as a shared library) draws PNG; without it figures are written as SVG.
if(NOUQ_CAIRO)
  find_path(NOUQ_CAIRO_DIR cairo.h PATH_SUFFIXES cairo)
  find_library(NOUQ_CAIRO_LIBRARY cairo)
endif()

# nouq_add_cairo(TARGET): the target draws PNG where Cairo is found; its sources are told by NOUQ_HAVE_CAIRO.
function(nouq_add_cairo target source)
  if(NOUQ_CAIRO AND NOUQ_CAIRO_DIR AND NOUQ_CAIRO_LIBRARY)
    target_sources(${target} PRIVATE ${source})
    target_include_directories(${target} SYSTEM PRIVATE ${NOUQ_CAIRO_DIR})
    target_link_libraries(${target} PRIVATE ${NOUQ_CAIRO_LIBRARY})
    target_compile_definitions(${target} PRIVATE NOUQ_HAVE_CAIRO=1)
  else()
    target_compile_definitions(${target} PRIVATE NOUQ_HAVE_CAIRO=0)
  endif()
endfunction()

# nouq_add_texts(TARGET SOURCE HEADER NAMESPACE name=path...): the files become string_views of the target.
function(nouq_add_texts target source header namespace)
  set(paths ${ARGN})
  list(TRANSFORM paths REPLACE "^[a-z_]+=" "")
  set(output ${PROJECT_BINARY_DIR}/${source})
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DHEADER=${header} -DNAMESPACE=${namespace} "-DFILES=${ARGN}" -P ${script}
    DEPENDS ${paths} ${script} COMMENT "Embedding ${source}" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# What pages carry inside themselves: style, scripts and, when it is there, Plotly's cartesian bundle (`./run plotly` fetches it;
# web/package.json pins it). Without Plotly the report page shows the same figures as plain drawings.
set(web ${PROJECT_SOURCE_DIR}/web)
set(NOUQ_PAGE_TEXTS page_style=${web}/page.css theme_script=${web}/theme.js page_script=${web}/page.js
  explorer_body=${web}/explorer/index.html explorer_style=${web}/explorer/explorer.css)
foreach(part fields figure files draw picture link server controls explorer)
  list(APPEND NOUQ_PAGE_TEXTS explorer_${part}=${web}/explorer/${part}.js)
endforeach()
set(bundle ${PROJECT_SOURCE_DIR}/web/node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js)
if(NOUQ_PLOTLY AND EXISTS ${bundle})
  list(APPEND NOUQ_PAGE_TEXTS plotly=${bundle})
else()
  list(APPEND NOUQ_PAGE_TEXTS plotly=)
endif()
