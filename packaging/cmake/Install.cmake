# SPDX-License-Identifier: Apache-2.0
# Programs in bin, data in share/poolwright: where driver::dataFile() and the workbench look for it.
include(GNUInstallDirs)

install(TARGETS poolwright-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(POOLWRIGHT_BUILD_GUI)
  install(TARGETS poolwright RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY mpools DESTINATION ${CMAKE_INSTALL_DATADIR}/poolwright)
install(DIRECTORY resources/examples resources/help DESTINATION ${CMAKE_INSTALL_DATADIR}/poolwright/resources)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/poolwright)
