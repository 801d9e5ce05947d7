#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# boot_kernel.sh KERNEL ARCHIVE FOLDER [KHZ]: boots a Linux kernel, for x86_64 or (its name ends in -arm64) for aarch64, in
# an emulator (QEMU's TCG: no KVM, no root), with a cpio archive as `make -C native guest` makes it, whose
# /init is src/test/c/guest/init.c. KHZ, from build/guest/counter_khz, is for a busy host: a kernel for x86_64 that measured
# the counter itself was wrong by up to 20. BOOT_PARAMETERS are further ones of the kernel, such as notsc or nohz_full=1.
# In FOLDER:
#   console   what the kernel said
#   output    what init and its programs said
# Status 0: init has run all of them, however they ended; 1: it has not, and the console's last lines say more.
set -euo pipefail

# TCG's counter is the host's, but it does not offer CPUID's invariant TSC, without which the library does not count on
# it: so it is forced.
readonly BOOT_CPU=max,+invtsc,x-force-features=on
readonly BOOT_CPUS=2
readonly BOOT_MIB=768
readonly BOOT_LIMIT_S=${BOOT_LIMIT_S:-3600} # a kernel that hangs is ended
readonly BOOT_LINES_SHOWN=15
readonly BOOT_PARAMETERS=${BOOT_PARAMETERS-}

# The host may be busy, which the kernel would blame on its clocks: its watchdog would give up the counter, and its look
# at whether interrupts of the timer arrive, which waits for a number of counts, would panic.
# 141 is cmpxchg16b: QEMU 7.2 lets an interrupt that follows it see rubbish in the flags, and the kernel, which may do
# without, has panicked of it.
# The kernel changes instructions of its own while it boots, and QEMU 7.2 lets another CPU run into the middle of one that is
# being changed: the second CPU is for init to switch on.
readonly BOOT_COMMAND_LINE='console=ttyS0 panic=-1 quiet tsc=reliable no_timer_check clearcpuid=141 maxcpus=1'

# The architecture's way of signing pointers is dear to an emulator; this CPU has one of its own.
readonly BOOT_ARM_CPU=max,pauth-impdef=on
readonly BOOT_ARM_COMMAND_LINE='console=ttyAMA0 panic=-1 quiet'

boot_run() { # kernel, archive, folder, kHz
  local machine=(qemu-system-x86_64 -cpu "$BOOT_CPU" -serial file:"$3/console" -serial file:"$3/output"
    -append "$BOOT_COMMAND_LINE${4:+ tsc_early_khz=$4} $BOOT_PARAMETERS")
  [[ $1 != *-arm64 ]] || machine=(qemu-system-aarch64 -M virt -cpu "$BOOT_ARM_CPU" -serial file:"$3/console"
    -chardev "file,id=output,path=$3/output" -device "pci-serial,chardev=output" -append "$BOOT_ARM_COMMAND_LINE $BOOT_PARAMETERS")
  timeout --kill-after=5 "$BOOT_LIMIT_S" "${machine[@]}" -accel tcg,thread=multi -smp "$BOOT_CPUS" -m "$BOOT_MIB" \
    -nodefaults -no-user-config -display none -no-reboot -kernel "$1" -initrd "$2" </dev/null
}

boot_fail() { # what was tried and what answered, folder
  printf 'boot_kernel: %s\n' "$1" >&2
  tail -n "$BOOT_LINES_SHOWN" -- "$2/console" | tr -d '\r' >&2 || true
  exit 1
}

main() { # kernel, archive, folder, kHz
  local status=0
  mkdir -p -- "$3"
  : >"$3/console"
  : >"$3/output"
  boot_run "$@" || status=$?
  ((status != 124)) || boot_fail "booting $1: not done after $BOOT_LIMIT_S s; the console's last lines:" "$3"
  ((status == 0)) || boot_fail "booting $1: QEMU ended with status $status; the console's last lines:" "$3"
  grep -qx '== done' "$3/output" || boot_fail "booting $1: it ended before init was done; the console's last lines:" "$3"
  grep -qx "== cpus $BOOT_CPUS" "$3/output" || boot_fail "booting $1: it did not switch on $BOOT_CPUS CPUs; the console's last lines:" "$3"
}

main "$@"
