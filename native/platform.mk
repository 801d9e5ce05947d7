# SPDX-License-Identifier: Apache-2.0
#
# The libraries of build/native tested on other platforms than this x86_64 machine's glibc; included by the
# Makefile. Tests that need nothing but threadclock.h take the very file that is shipped; the others, which
# look inside, are linked with the library's objects, built for that platform.
#
# make test-musl                    on musl: takes musl-gcc
# make test-aarch64 ZIG= QEMU= ARM= on aarch64 with glibc, emulated: QEMU=qemu-aarch64, ARM=where Debian's
#                                   packages for arm64 are unpacked

# MUSL_CC is in guest.mk.
PLATFORM = $(BUILD)/platform/$(1)

MUSL = $(MAKE) --no-print-directory BUILD=$(call PLATFORM,musl) CC='$(MUSL_CC)' KINDS=plain \
  SHARED=$(BUILD)/native/linux-x86_64/libthreadclock.so
AARCH64 = $(MAKE) --no-print-directory TARGET=aarch64-linux-gnu.2.17 BUILD=$(call PLATFORM,aarch64) KINDS=plain \
  SHARED=$(BUILD)/native/linux-aarch64/libthreadclock.so

# All that a booted kernel runs, static.
AARCH64_GUEST = $(MAKE) --no-print-directory TARGET=aarch64-linux-musl BUILD=$(call PLATFORM,aarch64-guest) KINDS=plain \
  TEST_LDFLAGS='-static -s'

.PHONY: test-platforms test-musl test-aarch64
test-platforms:
	+@$(MUSL) test-platform
	+@$(AARCH64) test-platform FAKES=yes
	+@$(AARCH64_GUEST) guest-static
test-musl:
	+@TCLK_BRIEF=yes $(MUSL) test-platform-run
test-aarch64:
	+@TCLK_EMULATED=qemu TCLK_BRIEF=yes PLATFORM_QEMU='$(QEMU)' PLATFORM_ARM='$(ARM)' $(AARCH64) EXEC='--exec src/test/platform/emulate' \
	  FAKES=yes test-platform-run
