#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The functions that a read may call: it runs in signal handlers, so nothing that allocates, locks or prints.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

# System calls and what does not even make one; none is a cancellation point (kernel/file.h).
# pthread_setspecific() only stores into the thread's own block for the first 32 keys of glibc and for all of
# musl; for later ones of glibc see threadclock.h, and real/keys_test.
readonly harmless='clock_gettime|clock_getres|getrusage|syscall|ioctl|prctl|mmap|munmap|mremap|madvise|mprotect|access|uname|sysconf|memcpy|memmove|memset|memcmp|memrchr|strlen|pthread_setspecific|pthread_getspecific|__errno_location'

# Functions that the linker and the compiler put in.
readonly compilers='_GLOBAL_OFFSET_TABLE_|__tls_get_addr|_TLS_MODULE_BASE_|__stack_chk_fail|__u?divti3'

# Called once, when the library is loaded.
readonly loading='getauxval|strcmp|dlsym|dl_iterate_phdr|pthread_key_create|pthread_atfork|__register_atfork|__dso_handle'

# tclk_perf_paranoid() is asked by tclk_clock_explain() alone.
readonly explaining='atoi|strtol|__isoc23_strtol'

# tclk_own_memory_read() is for finding threads of a JVM alone.
readonly discovering='process_vm_readv|getpid'

objects() { # what a read can reach
  find "$BUILD/lib/kernel" "$BUILD/lib/clock" -name '*.o' ! -name explain.o | sort
}

others() { # objects…: what they call of others, by name
  nm -u "$@" | awk 'NF == 2 { print $2 }' | sort -u | grep -v '^tclk_' || true
}

mapfile -t objects < <(objects)
at_most "$((-${#objects[@]}))" -15 'the objects of kernel/ and clock/ are there'
none "$(others "${objects[@]}" | grep -vxE "$harmless|$compilers|$loading|$explaining|$discovering" || true)" \
  'a read calls nothing that allocates, locks or prints'

none "$(others "$BUILD/lib/clock/resync.o" "$BUILD/lib/clock/record.o" | grep -xE "$loading|$explaining" || true)" \
  'nor does it look for symbols'

done_testing
