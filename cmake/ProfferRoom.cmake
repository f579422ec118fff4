# proffer_room(NAME DEPENDS ...): a static library proffer_NAME from every .cpp of this folder and below.
# DEPENDS are public, PRIVATE are for costly headers that a single source includes.
function(proffer_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;PRIVATE" ${ARGN})
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
endfunction()

# proffer_program(NAME SOURCE DEPENDS ...): an executable in bin/.
function(proffer_program name source)
  cmake_parse_arguments(PROGRAM "" "" "DEPENDS" ${ARGN})
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${PROGRAM_DEPENDS} proffer_flags)
  install(TARGETS ${name} RUNTIME)
endfunction()
