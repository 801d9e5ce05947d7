# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Zig's C compiler, which builds for other machines and for older C libraries than this one's. pip fetches it, once,
# into the store.

readonly ZIG_VERSION=0.17.0

zig= # the program, once it is provided

zig_provide() {
  local log=$state/fetch-zig.log
  store_open
  zig=$store/zig-$ZIG_VERSION/ziglang/zig
  # What it makes of its libraries' sources, once for each target: 20 seconds.
  export ZIG_GLOBAL_CACHE_DIR=$store/zig-cache ZIG_LOCAL_CACHE_DIR=$store/zig-cache
  ! zig_is_here || return 0
  toolchain_require pip
  store_step zig_is_here "fetching Zig $ZIG_VERSION" "$log" bash "$root/launcher/fetch_zig.sh" "$store" "$ZIG_VERSION" ||
    fail "fetching Zig $ZIG_VERSION by pip failed: $(tail -n 1 -- "$log"). Check the network and pip's settings; all output: $log"
}

zig_is_here() {
  [[ $("$zig" version 2>/dev/null) == "$ZIG_VERSION" ]]
}
