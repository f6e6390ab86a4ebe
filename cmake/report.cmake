# What src/report needs besides its sources. Definitions are given to the files that ask, not to all of the library.

# Cairo (LGPL or MPL, linked as a shared library) draws PNG; without it figures are written as SVG.
if(NOUQ_CAIRO)
  find_path(NOUQ_CAIRO_DIR cairo.h PATH_SUFFIXES cairo)
  find_library(NOUQ_CAIRO_LIBRARY cairo)
endif()
if(NOUQ_CAIRO AND NOUQ_CAIRO_DIR AND NOUQ_CAIRO_LIBRARY)
  target_sources(nouq PRIVATE src/report/cairo_canvas.cpp)
  set_source_files_properties(src/report/cairo_canvas.cpp PROPERTIES COMPILE_OPTIONS "-isystem;${NOUQ_CAIRO_DIR}")
  set_source_files_properties(src/report/png.cpp PROPERTIES COMPILE_DEFINITIONS NOUQ_HAVE_CAIRO=1)
  target_link_libraries(nouq PUBLIC ${NOUQ_CAIRO_LIBRARY})
else()
  set_source_files_properties(src/report/png.cpp PROPERTIES COMPILE_DEFINITIONS NOUQ_HAVE_CAIRO=0)
endif()

# The page's style, its script and, when npm can fetch it, Plotly's cartesian bundle (web/package.json pins it). Without
# npm or network the page shows the same figures as plain drawings.
set(web ${PROJECT_SOURCE_DIR}/web)
set(NOUQ_PLOTLY_FILE ${web}/node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js)
find_program(NOUQ_NPM npm)
if(NOUQ_PLOTLY AND NOUQ_NPM AND ${web}/package-lock.json IS_NEWER_THAN ${web}/node_modules/.package-lock.json)
  execute_process(COMMAND ${NOUQ_NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries=0 --fetch-timeout=30000
                  WORKING_DIRECTORY ${web} TIMEOUT 60 RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    message(STATUS "npm could not fetch Plotly: figures of the report page will be plain drawings")
  endif()
endif()
if(NOT NOUQ_PLOTLY OR NOT EXISTS ${NOUQ_PLOTLY_FILE})
  set(NOUQ_PLOTLY_FILE "")
endif()

set(assets ${CMAKE_BINARY_DIR}/report_assets.cpp)
set(asset_files "page_style=${web}/page.css;page_script=${web}/page.js;plotly=${NOUQ_PLOTLY_FILE}")
add_custom_command(
  OUTPUT ${assets}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${assets} -DHEADER=report/assets.h -DNAMESPACE=nouq::report::assets
          "-DFILES=${asset_files}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${web}/page.css ${web}/page.js ${NOUQ_PLOTLY_FILE} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding the report page's files" VERBATIM)
target_sources(nouq PRIVATE ${assets})
