# SPDX-License-Identifier: Apache-2.0
# One CMake target per room, so that a wrong include fails to find its header or to link.

set(POOLWRIGHT_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-restrict) # -Wrestrict: false alarms of g++ 12 on std::string

# poolwright_room(NAME [USES room...] [LIBRARIES lib...] [SYSTEM lib...])
# Builds the library poolwright_NAME from every .cpp in the current folder. A room without a .cpp is an interface library.
# Headers are included as "NAME/header.h". USES are other rooms (public), LIBRARIES are public, SYSTEM are private.
function(poolwright_room name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES;SYSTEM" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(target poolwright_${name})
  list(TRANSFORM ARG_USES PREPEND poolwright_)
  if(sources)
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
    add_library(${target} STATIC ${sources} ${headers})
    target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/..)
    target_link_libraries(${target} PUBLIC ${ARG_USES} ${ARG_LIBRARIES} PRIVATE ${ARG_SYSTEM})
    target_compile_options(${target} PRIVATE ${POOLWRIGHT_WARNINGS})
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/..)
    target_link_libraries(${target} INTERFACE ${ARG_USES} ${ARG_LIBRARIES} ${ARG_SYSTEM})
  endif()
endfunction()

# poolwright_test(NAME USES room... [LIBRARIES lib...] [LABELS label...])
# One QtTest executable from NAME.cpp in the current folder, one CTest entry.
function(poolwright_test name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  list(TRANSFORM ARG_USES PREPEND poolwright_)
  add_executable(${name} ${name}.cpp)
  # moc by hand: AUTOMOC would compile one more file for each of the many tests.
  set_target_properties(${name} PROPERTIES AUTOMOC OFF)
  qt_generate_moc(${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp ${CMAKE_CURRENT_BINARY_DIR}/${name}.moc TARGET ${name})
  set_source_files_properties(${name}.cpp PROPERTIES OBJECT_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name}.moc)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE poolwright_test_support ${ARG_USES} ${ARG_LIBRARIES} Qt6::Test)
  # Tests spend their time in the libraries; optimising their own code would double the build.
  target_compile_options(${name} PRIVATE ${POOLWRIGHT_WARNINGS} -O0)
  target_compile_definitions(${name} PRIVATE POOLWRIGHT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8")
endfunction()
