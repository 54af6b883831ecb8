# SPDX-License-Identifier: GPL-3.0-or-later
# Arrow's C++ library with Parquet, from the pyarrow wheel. Its library names include the
# version, and it has no CMake package.
#   ARROW_ROOT          folder with include/ and the libraries; default: where packaging/setup puts it
#   ArrowWheel::parquet headers, libparquet, libarrow
set(_root "$ENV{ARROW_ROOT}")
if(NOT _root)
  set(_deps "$ENV{MOORING_DEPS}")
  if(NOT _deps)
    set(_deps "$ENV{HOME}/.cache/mooring")
  endif()
  set(_root "${_deps}/pyarrow-26.0.1/pyarrow")
endif()
set(ARROW_ROOT "${_root}" CACHE PATH "folder with include/ and the libraries of pyarrow")

find_path(ArrowWheel_INCLUDE_DIR parquet/arrow/reader.h HINTS "${ARROW_ROOT}/include" NO_DEFAULT_PATH)
foreach(_lib arrow parquet)
  find_file(ArrowWheel_${_lib}_LIBRARY lib${_lib}.so.2600 HINTS "${ARROW_ROOT}" NO_DEFAULT_PATH)
  mark_as_advanced(ArrowWheel_${_lib}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ArrowWheel
  REQUIRED_VARS ArrowWheel_parquet_LIBRARY ArrowWheel_arrow_LIBRARY ArrowWheel_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Parquet files will be refused. Run packaging/setup, or set ARROW_ROOT to the pyarrow folder of a wheel")

if(ArrowWheel_FOUND AND NOT TARGET ArrowWheel::parquet)
  add_library(ArrowWheel::arrow SHARED IMPORTED)
  set_target_properties(ArrowWheel::arrow PROPERTIES IMPORTED_LOCATION "${ArrowWheel_arrow_LIBRARY}")
  add_library(ArrowWheel::parquet SHARED IMPORTED)
  set_target_properties(ArrowWheel::parquet PROPERTIES
    IMPORTED_LOCATION "${ArrowWheel_parquet_LIBRARY}"
    INTERFACE_LINK_LIBRARIES ArrowWheel::arrow)
  target_include_directories(ArrowWheel::parquet SYSTEM INTERFACE "${ArrowWheel_INCLUDE_DIR}")
endif()
mark_as_advanced(ArrowWheel_INCLUDE_DIR)
