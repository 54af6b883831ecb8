# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where an object file with special instruction flags defines a weak symbol.
foreach(object ${OBJECTS})
  if(object MATCHES "ops_[a-z0-9_]+\\.cpp")
    execute_process(COMMAND ${NM} --defined-only ${object} OUTPUT_VARIABLE symbols
      COMMAND_ERROR_IS_FATAL ANY)
    if(symbols MATCHES " [WVu] ")
      message(FATAL_ERROR "${object} defines weak symbols:\n${symbols}")
    endif()
  endif()
endforeach()
