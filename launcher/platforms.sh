# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# test --platforms: the libraries that the jar has, on musl, and on an emulated aarch64 with glibc, musl, a JVM, a Python
# and a kernel.

readonly PLATFORMS_ARM=arm64-debian12 # in the store
readonly PLATFORMS_KERNEL=6.12 # for arm64; it has the source rseq
readonly PLATFORMS_PACKAGES=(openjdk-17-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g musl
  python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libexpat1 libffi8)

suite_run_platforms() {
  local build_targets=all
  store_provide "a JDK and a Python for aarch64" 'Or leave --platforms out.' \
    root "$PLATFORMS_ARM" arm64 "${PLATFORMS_PACKAGES[@]}"
  kernels_provide kernels-arm64 arm64 "$PLATFORMS_KERNEL"
  build_natives
  build_java
  build_must "building the tests for other platforms" platforms-build "${build_make[@]}" ZIG="$zig" test-platforms
  suite_start "tests on musl and aarch64" natives musl aarch64 aarch64-kernel
  kernels_tell_sources "$state/aarch64-kernel"
}

suite_command_natives() {
  suite_command=(env -C "$root/native" BUILD=build PLATFORM_ZIG="$zig" PLATFORM_QEMU="$(toolchain_qemu_user)"
    PLATFORM_ARM="$store/$PLATFORMS_ARM"
    PLATFORM_JAR="$root/library/target/threadclock-library.jar" prove --merge --timer src/test/platform)
}

suite_command_musl() {
  suite_command=("${build_make[@]}" -j1 ZIG="$zig" test-musl)
}

suite_command_aarch64() {
  suite_command=("${build_make[@]}" -j1 ZIG="$zig" QEMU="$(toolchain_qemu_user)" ARM="$store/$PLATFORMS_ARM" test-aarch64)
}

# On a kernel for aarch64 a thread has an rseq area, perf events and a counter of its own, which the emulator of programs
# does not have. It boots while the other tests leave a CPU idle.
suite_command_aarch64-kernel() {
  kernels_set_command "$root/native/build/platform/aarch64-guest/guest/root" "$state/aarch64-kernel" \
    "$(compgen -G "$store/kernels-arm64/$PLATFORMS_KERNEL/vmlinuz-*")"
  suite_command=(nice -n 5 "${suite_command[@]}")
}
