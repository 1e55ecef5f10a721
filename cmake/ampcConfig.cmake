# find_package(ampc) makes the language AMPC known, wherever it stands:
#   before project(x LANGUAGES C AMPC): CMake then finds the language here;
#   after project(x LANGUAGES C): it enables the language, too.
# Targets with AMP-C sources get the runtime by themselves. ampc::runtime is for C files that
# include <amp.h>: it has the include directory and the static library.
get_filename_component(AMPC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/language")
if(NOT CMAKE_AMPC_COMPILER AND "$ENV{AMPCC}" STREQUAL "")
  set(CMAKE_AMPC_COMPILER "${AMPC_PREFIX}/bin/ampcc" CACHE FILEPATH "AMP-C compiler")
endif()

# UNKNOWN: before project() CMake does not know yet what libraries the platform has.
if(NOT TARGET ampc::runtime)
  add_library(ampc::runtime UNKNOWN IMPORTED GLOBAL)
  set_target_properties(ampc::runtime PROPERTIES
    IMPORTED_LOCATION "${AMPC_PREFIX}/lib/libampc_runtime.a"
    INTERFACE_INCLUDE_DIRECTORIES "${AMPC_PREFIX}/include"
    INTERFACE_LINK_LIBRARIES "dl;pthread;m")
endif()

get_property(AMPC_LANGUAGES GLOBAL PROPERTY ENABLED_LANGUAGES)
if(DEFINED PROJECT_NAME AND NOT "AMPC" IN_LIST AMPC_LANGUAGES)
  if(NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR)
    message(FATAL_ERROR "The first find_package(ampc) of a project belongs into its top "
      "CMakeLists.txt: a language is enabled for the whole project there.")
  endif()
  enable_language(AMPC)
endif()
