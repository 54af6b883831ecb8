# SPDX-License-Identifier: GPL-3.0-or-later
# LibTorch as plain imported targets, from the folder of the torch wheel. Torch's own CMake package is
# not used: it wants nvcc and overrides language standards.
#   LIBTORCH_ROOT   folder with include/ and lib/; default: where packaging/setup puts it
#   LibTorch::cpu   headers, libtorch_cpu, libc10
#   LibTorch::cuda  adds libtorch_cuda and libc10_cuda, if the wheel has them
set(_root "$ENV{LIBTORCH_ROOT}")
if(NOT _root)
  set(_deps "$ENV{MOORING_DEPS}")
  if(NOT _deps)
    set(_deps "$ENV{HOME}/.cache/mooring")
  endif()
  set(_root "${_deps}/torch-2.11.0/torch")
endif()
set(LIBTORCH_ROOT "${_root}" CACHE PATH "folder with include/ and lib/ of LibTorch")

find_path(LibTorch_INCLUDE_DIR ATen/ATen.h HINTS "${LIBTORCH_ROOT}/include" NO_DEFAULT_PATH)
foreach(_lib c10 torch_cpu torch_cuda c10_cuda)
  find_library(LibTorch_${_lib}_LIBRARY ${_lib} HINTS "${LIBTORCH_ROOT}/lib" NO_DEFAULT_PATH)
  mark_as_advanced(LibTorch_${_lib}_LIBRARY)
endforeach()
if(EXISTS "${LIBTORCH_ROOT}/version.py")
  file(STRINGS "${LIBTORCH_ROOT}/version.py" _version REGEX "^__version__")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" LibTorch_VERSION "${_version}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_torch_cpu_LIBRARY LibTorch_c10_LIBRARY LibTorch_INCLUDE_DIR
  VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "run packaging/setup, or set LIBTORCH_ROOT to the torch folder of a wheel")

if(LibTorch_FOUND AND NOT TARGET LibTorch::cpu)
  add_library(LibTorch::c10 SHARED IMPORTED)
  set_target_properties(LibTorch::c10 PROPERTIES IMPORTED_LOCATION "${LibTorch_c10_LIBRARY}")
  add_library(LibTorch::cpu SHARED IMPORTED)
  set_target_properties(LibTorch::cpu PROPERTIES
    IMPORTED_LOCATION "${LibTorch_torch_cpu_LIBRARY}"
    INTERFACE_LINK_LIBRARIES LibTorch::c10)
  target_include_directories(LibTorch::cpu SYSTEM INTERFACE
    "${LibTorch_INCLUDE_DIR}" "${LibTorch_INCLUDE_DIR}/torch/csrc/api/include")
  if(LibTorch_torch_cuda_LIBRARY AND LibTorch_c10_cuda_LIBRARY)
    add_library(LibTorch::cuda INTERFACE IMPORTED)
    target_link_libraries(LibTorch::cuda INTERFACE LibTorch::cpu
      -Wl,--no-as-needed ${LibTorch_torch_cuda_LIBRARY} ${LibTorch_c10_cuda_LIBRARY} -Wl,--as-needed)
  endif()
endif()
mark_as_advanced(LibTorch_INCLUDE_DIR)
