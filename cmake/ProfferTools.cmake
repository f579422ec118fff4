# ccache and lld where they are installed; sanitizers and warnings for our own targets.
find_program(PROFFER_CCACHE ccache)
if(PROFFER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PROFFER_CCACHE})
endif()

find_program(PROFFER_LLD NAMES ld.lld)
if(PROFFER_LLD)
  add_link_options(-fuse-ld=lld)
endif()

# A small program must not load what only others of its room need.
add_link_options(-Wl,--as-needed)

add_library(proffer_flags INTERFACE)
target_compile_options(proffer_flags INTERFACE -Wall -Wextra -Wformat=2 -Wshadow -Wconversion -ffp-contract=off
                       -fno-strict-overflow)
target_compile_definitions(proffer_flags INTERFACE _GLIBCXX_ASSERTIONS)
if(PROFFER_WERROR)
  target_compile_options(proffer_flags INTERFACE -Werror)
endif()

if(PROFFER_SANITIZE)
  add_compile_options(-fsanitize=${PROFFER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PROFFER_SANITIZE})
endif()
