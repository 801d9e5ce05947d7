# SPDX-License-Identifier: Apache-2.0
#
# build/guest/root.cpio: the tests on the real clock (src/test/c/real), as the root of a booted kernel:
#   /init          src/test/c/guest/init.c, which runs all of them
#   /tests/glibc/  as `make test` builds them, with the glibc of this machine: what the library asks of
#                  libc at run time, a static program does not have. Only those in which libc has a part.
#   /tests/musl/   static
# guest-static, for another machine (TARGET=…): /tests/musl/ alone, by its compiler.
# build/guest/counter_khz: says the rate of this machine's counter, which is the emulated one's, too
# Included by the Makefile. Takes musl-gcc and cpio.

GUEST := $(BUILD)/guest
# These tests are left out there: they take minutes (thousands of threads), bound the time that something takes, need
# timers that fire every 90 us when they should, or do not use the kernel (the registry).
# Nor does another kernel show anything new in what computes on texts, memory and numbers of its own (the second line), or
# in the server, which asks of it what every program does.
GUEST_TESTS := $(filter-out $(addsuffix _test,churn spawn stop sampled sample_page serve serve_hostile serve_life \
  budget configure constructor_patch errno first_copy frontier options registry stats status_pages virtual_pools),$(REAL_TESTS))
# On aarch64 zig's musl has no clock without a system call to spin by.
ifneq ($(filter aarch64%,$(TARGET)),)
GUEST_TESTS := $(filter-out clockid_test share_test tick_phase_test,$(GUEST_TESTS))
endif
# These run with both libcs: glibc registers an rseq area by itself, starts threads and children its own way, and ends
# threads by libgcc_s. `make test` runs all with glibc, on the kernel of this machine.
GUEST_TESTS_OF_LIBC := $(addsuffix _test,bracket cancel counter_off end fork handler ids ids_marker keys own_area promises \
  rseq_area rseq_marker rseq_user source_choice stack thread_end)
GUEST_TESTS-all := $(GUEST_TESTS:%=$(BUILD)/test/plain/real/%)
GUEST_TESTS-glibc := $(filter $(GUEST_TESTS_OF_LIBC:%=$(BUILD)/test/plain/real/%),$(GUEST_TESTS-all))
GUEST_TESTS-musl := $(GUEST_TESTS:%=$(BUILD)/musl/test/plain/real/%)

# Debian's musl-gcc knows no kernel headers. Those of the machine come last, so that libc's are musl's.
MUSL_CC = musl-gcc -idirafter /usr/include -idirafter /usr/include/$(shell $(CC) -print-multiarch)

.PHONY: guest guest-musl
guest: $(GUEST)/root.cpio $(GUEST)/counter_khz

# The same makefile knows what depends on what.
guest-musl: FORCE
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/musl CC='$(MUSL_CC)' LDFLAGS=-static \
	  LDLIBS='-static -lpthread -ldl' $(GUEST_TESTS-musl)
$(GUEST_TESTS-musl): | guest-musl

$(GUEST)/init: src/test/c/guest/init.c guest.mk
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) -D_GNU_SOURCE $(TEST_CFLAGS) -static -o $@ $<

$(GUEST)/counter_khz: src/test/c/guest/counter_khz.c $(HEADERS) guest.mk
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) $(TEST_CFLAGS) -o $@ $<

.PHONY: guest-static
guest-static: $(GUEST)/init $(GUEST_TESTS-all)
	$(call say,CPIO $(GUEST)/root.cpio)
	$(Q)rm -rf $(GUEST)/root && mkdir -p $(GUEST)/root/tests/musl
	$(Q)cp $(GUEST)/init $(GUEST)/root/ && cp $(GUEST_TESTS-all) $(GUEST)/root/tests/musl/
	$(Q)(cd $(GUEST)/root && find . | LC_ALL=C sort | cpio --quiet -o -H newc) >$(GUEST)/root.cpio

# The libraries that the programs load have the same path there. glibc loads libgcc_s to end a thread.
$(GUEST)/root.cpio: $(GUEST)/init $(GUEST_TESTS-glibc) $(GUEST_TESTS-musl) guest.mk
	$(call say,CPIO $@)
	$(Q)rm -rf $(GUEST)/root && mkdir -p $(GUEST)/root/tests/glibc $(GUEST)/root/tests/musl
	$(Q)cp $(GUEST)/init $(GUEST)/root/ && cp $(GUEST_TESTS-glibc) $(GUEST)/root/tests/glibc/ && \
	  cp $(GUEST_TESTS-musl) $(GUEST)/root/tests/musl/
	$(Q)ldd $(GUEST_TESTS-glibc) | sed -n 's,.*[[:space:]]\(/[^ ]*\) (0x.*,\1,p' | sort -u | while read -r library; do \
	  mkdir -p $(GUEST)/root/$${library%/*} && cp -L $$library $(GUEST)/root$$library || exit 1; done
	$(Q)cp -L "$$($(CC) -print-file-name=libgcc_s.so.1)" "$$(dirname "$$(find $(GUEST)/root -name libc.so.6)")"
	$(Q)(cd $(GUEST)/root && find . | LC_ALL=C sort | cpio --quiet -o -H newc) >$@
