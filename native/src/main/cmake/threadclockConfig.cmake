# SPDX-License-Identifier: Apache-2.0
#
# find_package(threadclock): the targets threadclock::threadclock and threadclock::static. Paths are found from this file on, so
# that the whole installation may be moved.
if(TARGET threadclock::threadclock)
  return()
endif()

# Debian's /lib is a link to /usr/lib.
get_filename_component(threadclock_here "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(threadclock_here "${threadclock_here}" DIRECTORY)
get_filename_component(threadclock_libraries "${threadclock_here}/../.." ABSOLUTE)
get_filename_component(threadclock_headers "${threadclock_here}/@HEADERS@" ABSOLUTE)

add_library(threadclock::threadclock SHARED IMPORTED)
set_target_properties(threadclock::threadclock PROPERTIES
  IMPORTED_LOCATION "${threadclock_libraries}/libthreadclock.so.@VERSION@"
  IMPORTED_SONAME "@SONAME@"
  INTERFACE_INCLUDE_DIRECTORIES "${threadclock_headers}")

# Not a part of every installation.
if(EXISTS "${threadclock_libraries}/libthreadclock.a")
  add_library(threadclock::static STATIC IMPORTED)
  set_target_properties(threadclock::static PROPERTIES
    IMPORTED_LOCATION "${threadclock_libraries}/libthreadclock.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES C
    INTERFACE_LINK_LIBRARIES "-lpthread;-ldl"
    INTERFACE_INCLUDE_DIRECTORIES "${threadclock_headers}")
endif()

unset(threadclock_here)
unset(threadclock_libraries)
unset(threadclock_headers)
