# Names of sources in messages begin at the checkout: a second checkout gets the same bytes, and ccache serves both.
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")

# A tenth of a compiler's time is its own garbage collection, unless it is let have this memory first (KiB).
add_compile_options("$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=524288>")

# What nearly every source includes is parsed once, not once a source: it halves the time of a clean build.
option(PROFFER_PCH "Precompiled headers" ON)
if(PROFFER_PCH)
  # So that ccache may trust them.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

# proffer_precompiled(NAME LIBRARY SOURCE HEADER...): proffer_reuse(TARGET NAME) makes a target use them. Its flags must
# be the same.
function(proffer_precompiled name kind source)
  cmake_parse_arguments(PCH "" "" "HEADERS;DEPENDS" ${ARGN})
  if(NOT PROFFER_PCH)
    return()
  endif()
  if(kind STREQUAL PROGRAM)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
  else()
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE proffer_flags ${PCH_DEPENDS})
  target_precompile_headers(${name} PRIVATE ${PCH_HEADERS})
  # A precompiled header knows its headers by their bytes (that is how `#pragma once` works in it), ccache by what is left
  # of them without comments. So one that was made before a comment was changed must not be served: its headers would be
  # read twice. In depend mode ccache compares bytes as well.
  if(PROFFER_CCACHE)
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_DEPEND=1;${PROFFER_CCACHE}")
  endif()
endfunction()

function(proffer_reuse target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# With CMAKE_UNITY_BUILD (which halves it once more) twenty sources are compiled as one; proffer_alone(SOURCE...) are not:
# they are heavy themselves, or share names that are their own with their neighbours.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)
function(proffer_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# proffer_room(NAME DEPENDS ...): a static library proffer_NAME from every .cpp of this folder and below.
# DEPENDS are public, PRIVATE are for costly headers that a single source includes. COLD: nothing in it takes a machine's
# time, so releases have it compiled with -O1, which is a quarter faster. Not with the precompiled header, which would
# bring the -O2 with it that it was made with; with one made with -O1, g++ 12 crashes in formats/codec.cpp.
function(proffer_room name)
  cmake_parse_arguments(ROOM "COLD" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_main\\.cpp$")
  if(NOT sources)
    add_library(proffer_${name} INTERFACE)
    target_include_directories(proffer_${name} INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
    target_link_libraries(proffer_${name} INTERFACE ${ROOM_DEPENDS} ${ROOM_PRIVATE})
    return()
  endif()
  add_library(proffer_${name} STATIC ${sources})
  target_include_directories(proffer_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
  target_link_libraries(proffer_${name} PUBLIC ${ROOM_DEPENDS} PRIVATE proffer_flags ${ROOM_PRIVATE})
  if(ROOM_COLD AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(proffer_${name} PRIVATE -O1)
  else()
    proffer_reuse(proffer_${name} proffer_pch)
  endif()
endfunction()

# proffer_plugin(NAME SOURCE): a plug-in with policies, plugins/NAME.so. It links nothing: see proffer_loads_plugins.
function(proffer_plugin name source)
  add_library(${name} MODULE ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PRIVATE proffer_flags)
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/plugins)
endfunction()

# proffer_loads_plugins(TARGET): a program that loads plug-ins. It exports its symbols to them, and holds all of the rooms
# that they may use, also what it does not use itself.
function(proffer_loads_plugins target)
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON
    LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,proffer_core,proffer_frameworks")
endfunction()

# proffer_fast_malloc(TARGET): with mimalloc where it is installed; sanitizers bring their own.
function(proffer_fast_malloc target)
  if(TARGET mimalloc AND NOT PROFFER_SANITIZE)
    target_link_libraries(${target} PRIVATE -Wl,--push-state,--no-as-needed mimalloc -Wl,--pop-state)
  endif()
endfunction()

# proffer_program(NAME SOURCE DEPENDS ...): an executable in bin/.
function(proffer_program name source)
  cmake_parse_arguments(PROGRAM "" "" "DEPENDS" ${ARGN})
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${PROGRAM_DEPENDS} proffer_flags)
  proffer_fast_malloc(${name})
  install(TARGETS ${name} RUNTIME)
endfunction()
