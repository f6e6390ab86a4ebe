# What the report page carries inside itself: its style, its script and, when npm can fetch it, Plotly's cartesian bundle
# (web/package.json pins it). Without npm or network the page shows the same figures as plain drawings.
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
  COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${assets}" "-DFILES=${asset_files}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${web}/page.css ${web}/page.js ${NOUQ_PLOTLY_FILE} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding the report page's files" VERBATIM)
target_sources(nouq PRIVATE ${assets})
