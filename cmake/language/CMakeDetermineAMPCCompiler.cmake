# Finds ampcc: -DCMAKE_AMPC_COMPILER, $AMPCC, the tree that this file belongs to, PATH.
if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
  message(FATAL_ERROR "The language AMPC needs a Ninja or Makefile generator, not ${CMAKE_GENERATOR}.")
endif()
get_filename_component(AMPC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
if(NOT CMAKE_AMPC_COMPILER)
  set(CMAKE_AMPC_COMPILER_INIT)
  if(NOT "$ENV{AMPCC}" STREQUAL "")
    find_program(CMAKE_AMPC_COMPILER NAMES "$ENV{AMPCC}" DOC "AMP-C compiler" REQUIRED)
  else()
    find_program(CMAKE_AMPC_COMPILER NAMES ampcc HINTS "${AMPC_PREFIX}/bin" DOC "AMP-C compiler" REQUIRED)
  endif()
endif()
mark_as_advanced(CMAKE_AMPC_COMPILER)

execute_process(COMMAND "${CMAKE_AMPC_COMPILER}" -dumpversion
  OUTPUT_VARIABLE CMAKE_AMPC_COMPILER_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE status ERROR_VARIABLE reason)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "The AMP-C compiler \"${CMAKE_AMPC_COMPILER}\" does not work: ${status} ${reason}")
endif()
message(STATUS "The AMPC compiler identification is ampcc ${CMAKE_AMPC_COMPILER_VERSION}")
set(CMAKE_AMPC_COMPILER_ID ampcc)
set(CMAKE_AMPC_COMPILER_ENV_VAR AMPCC)
# The runtime belongs to the compiler, wherever these modules lie.
get_filename_component(AMPC_BIN "${CMAKE_AMPC_COMPILER}" REALPATH)
get_filename_component(AMPC_RUNTIME_DIR "${AMPC_BIN}/../../lib" ABSOLUTE)

configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeAMPCCompiler.cmake.in"
  "${CMAKE_PLATFORM_INFO_DIR}/CMakeAMPCCompiler.cmake" @ONLY)
