# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# test --kernels: the native tests on Linux kernels of Debian, emulated, with glibc and with musl.

# The oldest and the newest kernel of Debian's stable releases, and the newest of all, because Linux 6.19 changed what a
# detector sees. With PREEMPT_RT, threads wake on other CPUs.
readonly KERNELS=(6.1 6.12 newest newest-rt)
readonly KERNELS_BOOT=$root/native/src/test/guest/boot_kernels.sh

suite_run_kernels() {
  kernels_provide kernels amd64 "${KERNELS[@]}"
  build_must "building the tests for other kernels" guest "${build_make[@]}" guest
  suite_start "native tests on $(compgen -G "$store/kernels/*/vmlinuz-*" | wc -l) kernels" kernels
  kernels_tell_sources "$state/kernels"
}

suite_command_kernels() {
  local files
  mapfile -t files < <(compgen -G "$store/kernels/*/vmlinuz-*")
  kernels_set_command "$root/native/build/guest/root" "$state/kernels" "${files[@]}"
}

# Boots kernels and has prove look at what they said.
kernels_set_command() { # root, folder, kernels…
  # shellcheck disable=SC2016
  suite_command=(bash -c 'rm -rf -- "$3" && mkdir -- "$3" && bash "$@" && cd -- "$3" && exec prove --merge --recurse *' boot
    "$KERNELS_BOOT" "$@")
}

kernels_missing() { # folder in the store, kernels…
  local kernel
  for kernel in "${@:2}"; do
    compgen -G "$store/$1/$kernel/vmlinuz-*" >/dev/null || printf '%s ' "$kernel"
  done
}

# Fetches the missing kernels. `newest` stays the same until its folder is deleted.
kernels_provide() { # folder in the store, architecture as Debian names it, kernels…
  local missing names
  missing=$(kernels_missing "$1" "${@:3}")
  names=${missing% } names=${names// /, } names=${names//newest/the newest} names=${names/newest-rt/newest with PREEMPT_RT}
  # shellcheck disable=SC2086
  store_provide "Linux $names for $2" "Or put files vmlinuz-RELEASE into $store/$1/{${missing// /,}}." kernels "$1" "$2" $missing
}

# Prints the source that was chosen, by real/source_choice_test, on each kernel with each libc.
kernels_tell_sources() { # folder
  (cd -- "$1" && grep -H '^# chosen ' ./*/*/source_choice_test.t | sed 's,^\./\(.*\)/source_choice_test.t:# ,Linux \1: ,') || true
}
