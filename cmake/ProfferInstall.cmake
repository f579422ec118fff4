# What is installed where, and the Debian packages `proffer` and `proffer-dev` made of it (scripts/deb.sh).
include(GNUInstallDirs)

install(DIRECTORY include/proffer DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT proffer-dev)
# For the unit tests of plug-ins; the plug-ins themselves link nothing.
install(TARGETS proffer_core proffer_frameworks ARCHIVE COMPONENT proffer-dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The program itself writes its man pages and what shells complete by, so they say what its helps say.
install(CODE "
  execute_process(COMMAND $<TARGET_FILE:proffer> __man ${PROJECT_BINARY_DIR}/man COMMAND_ERROR_IS_FATAL ANY)
  foreach(shell bash zsh fish)
    execute_process(COMMAND $<TARGET_FILE:proffer> completion \${shell}
      OUTPUT_FILE ${PROJECT_BINARY_DIR}/completion.\${shell} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/completion.bash RENAME proffer
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/completion.zsh RENAME _proffer
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${PROJECT_BINARY_DIR}/completion.fish RENAME proffer.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES third_party/js/LICENSES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSES-of-report.txt)

option(PROFFER_SYSTEM "Install units, settings and a user for daemons of the system, as the Debian package does" OFF)
if(PROFFER_SYSTEM)
  install(FILES packaging/systemd/proffer-allocator.service packaging/systemd/proffer-agent.service
    packaging/systemd/proffer-catalog.service DESTINATION lib/systemd/system)
  install(FILES packaging/proffer.sysusers DESTINATION lib/sysusers.d RENAME proffer.conf)
  install(DIRECTORY packaging/etc/ DESTINATION /etc/proffer)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The proffer project <maintainers@proffer.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "two-level, offer-based cluster scheduler")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL proffer proffer-dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROFFER_PACKAGE_NAME proffer)
set(CPACK_DEBIAN_PROFFER_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PROFFER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROFFER_PACKAGE_DEPENDS "adduser")
set(CPACK_DEBIAN_PROFFER_DESCRIPTION "Several isolated frameworks share one cluster:
 a central allocator offers free slots in weighted fair order, and each
 framework takes or declines them by its own rules. With a deterministic
 simulator of the same code.")
set(CPACK_DEBIAN_PROFFER_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/postinst
  ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/conffiles)
set(CPACK_DEBIAN_PROFFER-DEV_PACKAGE_NAME proffer-dev)
set(CPACK_DEBIAN_PROFFER-DEV_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROFFER-DEV_DESCRIPTION "Headers and archives that decline policies of one's own
 are built against.")
include(CPack)
