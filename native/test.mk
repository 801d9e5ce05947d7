# SPDX-License-Identifier: Apache-2.0
#
# Tests of the native library; included by the Makefile.
#
# src/test/c/fake/*_test.c  run on a fake counter and a fake kernel: no time passes in them
# src/test/c/real/*_test.c  run on this machine's
# src/test/sh/*.t           look at what is built: the library's file, its installation, its memory
#
# Each C file is one TAP program, which runs plain (the library's own objects), and under AddressSanitizer and
# UndefinedBehaviorSanitizer where that can show anything new (PLAIN_ALONE).
#
# make GATE=yes test        what every change must pass: laws of order, sums and equality, in few rounds, and what is
#                           judged by time left out (TIMING, and kind_judges_timing() in the others)
# make test-one TESTS="…"   these alone, named as prove prints them; also with GATE=yes

KINDS := plain sanitized

# ---- flags ----

TEST_CFLAGS := -std=c11 $(WARNINGS) -O1 -g -I$(TEST) $(NO_LTO)
sanitize-plain :=
sanitize-sanitized := -DTCLK_SANITIZED -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# `make tsan`, by analysis.mk. It knows no fences, and gcc warns of each: as the words that they order are
# atomic themselves, one that is not known can only make it report too much.
sanitize-tsan := -DTCLK_SANITIZED -fsanitize=thread $(call accepted,-Wno-tsan)

# A compiler may lack the sanitizers' runtime (clang without compiler-rt): then that kind is left out, and
# planted.t says so.
runs = $(shell echo 'int main(void) { return 0; }' | $(CC) $(1) -x c -o /dev/null - 2>/dev/null && echo yes)
ifneq ($(filter test%,$(MAKECMDGOALS)),)
KINDS_HERE := $(foreach k,$(KINDS),$(if $(call runs,$(sanitize-$(k))),$(k)))
endif

TEST_INPUTS := $(HEADERS) $(wildcard $(TEST)/*.h $(TEST)/*/*.h) $(BUILD)/flags Makefile test.mk

# $(call compile-test,KIND,FURTHER FLAGS)
compile-test = $(CC) $(CPPFLAGS) $(TEST_CFLAGS) $(sanitize-$(1)) $(TEST_INSTRUMENTS) $(2)

# ---- the programs ----

FAKE_TESTS := $(patsubst $(TEST)/fake/%.c,%,$(wildcard $(TEST)/fake/*_test.c))
REAL_TESTS := $(patsubst $(TEST)/real/%.c,%,$(wildcard $(TEST)/real/*_test.c))

# Judged by time, by shares of it, by the scheduler, or by counts that others move: not in the gate. The law of each:
#   bout, tick_phase     bursts off the tick are found: fake/bouts_test, fake/tally_test
#   end, handler         handlers at any instruction, also at a thread's end: fake/interruption_test
#   ids_marker           a switch changes an rseq area's ids: `./threadclock test --kernels`; fake/source_test
#   rseq_marker          a switch clears the rseq marker: `./threadclock test --kernels`; fake/source_test
#   nohz_full            user time on CPUs without a tick: `./threadclock test --kernels`
#   page_time            the perf page's time: `make -C bench accuracy`
#   quota, stop          a thread that is held up uses nothing: fake/steal_test, fake/anchor_test
#   sampled              pieces by samples: fake/sampled_test; `make -C bench accuracy`
#   share                shares of user time: fake/user_time_test, fake/split_test; `make -C bench accuracy`
#   sleep                sleep is never counted: fake/anchor_test, fake/interruption_test
TIMING := $(addsuffix _test,bout end handler ids_marker nohz_full page_time quota rseq_marker sampled share sleep \
  stop tick_phase)
# The build's own, and the memory of a thousand threads, whose tids others take, too.
WIDE_SHELL_TESTS := $(patsubst %,src/test/sh/%.t,build memory)
SHELL_TESTS := $(filter-out $(if $(GATE),$(WIDE_SHELL_TESTS)),$(wildcard src/test/sh/*.t))

# No sanitizer can show anything new in these: TIMING; counter_off and raw_exit, which AddressSanitizer does not allow;
# and programs on numbers of the kernel alone, whose readings the fakes and the others make under sanitizers as well.
PLAIN_ALONE := $(TIMING) $(addsuffix _test,await_child bracket budget clockid clocksource comparison counter_off frontier \
  filters helper ids limits monotone promises raw_clock raw_exit release source_choice stats usage)

# Under the fakes: all of clock/ as it is, kernel/ replaced by fake/kernel.c.
FAKE_CORE := $(filter-out %/counter.c,$(wildcard $(SRC)/clock/*.c $(SRC)/clock/*/*.c)) $(SRC)/kernel/slab.c $(SRC)/kernel/memory.c \
  $(SRC)/kernel/fork.c
FAKE_KERNEL := $(TEST)/fake/kernel.c
REAL_CORE := $(CORE) $(SERVE) $(patsubst %,$(SRC)/jvm/%.c,options registry vm_structs status_pages class_file \
  constructor_patch)

fake-objects = $(FAKE_CORE:$(SRC)/%.c=$(BUILD)/test/$(1)/fake-core/%.o) $(BUILD)/test/$(1)/fake-core/kernel.o
real-objects = $(REAL_CORE:$(SRC)/%.c=$(BUILD)/test/$(1)/core/%.o)

# $(1) kind, $(2) test
# Compiled first, because the library has a weak main(), and zig puts what it compiles behind libraries.
define fake-test
$(BUILD)/test/$(1)/fake/$(2): $(TEST)/fake/$(2).c $(BUILD)/test/$(1)/libfake.a $(TEST_INPUTS)
	@mkdir -p $$(@D)
	$$(call say,CC $$< ($(1)))
	$$(Q)$(call compile-test,$(1),-DTCLK_FAKE_COUNTER) -c -o $$@.o $$<
	$$(Q)$(call compile-test,$(1)) -o $$@ $$@.o $(BUILD)/test/$(1)/libfake.a $$(TEST_LDFLAGS) $$(LDLIBS)
endef
define real-test
$(BUILD)/test/$(1)/real/$(2): $(TEST)/real/$(2).c $(BUILD)/test/$(1)/libcore.a $(TEST_INPUTS)
	@mkdir -p $$(@D)
	$$(call say,CC $$< ($(1)))
	$$(Q)$(call compile-test,$(1)) -o $$@ $$< $(BUILD)/test/$(1)/libcore.a $$(TEST_LDFLAGS) $$(LDLIBS)
endef
define cores-of-kind
$(BUILD)/test/$(1)/core/%.o: $(SRC)/%.c $(TEST_INPUTS)
	@mkdir -p $$(@D)
	$$(Q)$(call compile-test,$(1)) -c -o $$@ $$<
$(BUILD)/test/$(1)/fake-core/%.o: $(SRC)/%.c $(TEST_INPUTS)
	@mkdir -p $$(@D)
	$$(Q)$(call compile-test,$(1),-DTCLK_FAKE_COUNTER) -c -o $$@ $$<
$(BUILD)/test/$(1)/fake-core/kernel.o: $(FAKE_KERNEL) $(TEST_INPUTS)
	@mkdir -p $$(@D)
	$$(Q)$(call compile-test,$(1),-DTCLK_FAKE_COUNTER) -c -o $$@ $$<
$(BUILD)/test/$(1)/libfake.a: $(call fake-objects,$(1))
	@mkdir -p $$(@D)
	$$(call say,AR $$@)
	$$(Q)rm -f $$@ && $(AR) rcs $$@ $$^
$(BUILD)/test/$(1)/libcore.a: $(if $(filter plain,$(1)),$(REAL_CORE:$(SRC)/%.c=$(BUILD)/lib/%.o),$(call real-objects,$(1)))
	@mkdir -p $$(@D)
	$$(call say,AR $$@)
	$$(Q)rm -f $$@ && $(AR) rcs $$@ $$^
endef

$(BUILD)/test/plain/real/helper_test: $(HELPER)

$(foreach k,$(KINDS) tsan,$(eval $(call cores-of-kind,$(k))))
$(foreach k,$(KINDS) tsan,$(foreach t,$(FAKE_TESTS),$(eval $(call fake-test,$(k),$(t)))))
$(foreach k,$(KINDS) tsan,$(foreach t,$(REAL_TESTS),$(eval $(call real-test,$(k),$(t)))))

TESTS-fake := $(foreach k,$(KINDS_HERE),$(FAKE_TESTS:%=$(BUILD)/test/$(k)/fake/%))
# The tests of what threads share. Not under ThreadSanitizer: children_test (it has no threads in a child of fork()) and
# handler_test (it puts signals off, so that they do not clear the marker as they do in the kernel).
TSAN_TESTS := $(patsubst %,$(BUILD)/test/tsan/fake/%_test,anchor line_race observer) \
  $(patsubst %,$(BUILD)/test/tsan/real/%_test,registry slab serve serve_hostile virtual_pools cross_thread thread_end bracket monotone stats tid)
TSAN_PLANTED := $(BUILD)/test/tsan/planted/race

tests-plain := $(filter-out $(if $(GATE),$(TIMING)),$(REAL_TESTS))
tests-sanitized := $(if $(GATE),,$(filter-out $(PLAIN_ALONE),$(REAL_TESTS)))
TESTS-real := $(foreach k,$(KINDS_HERE),$(tests-$(k):%=$(BUILD)/test/$(k)/real/%))

# ---- the shared library itself ----

# Tests that need nothing of the library but threadclock.h, with SHARED=…/libthreadclock.so: the very file
# that is shipped, on another libc or machine (TARGET=…). None that judges the kernel's ticks or its sleeps: they are the
# same for every libc, and an emulator has others.
SHARED_TESTS := $(addsuffix _test,bracket children comparison configure counter_off cross_thread errno handler \
  monotone stats thread_end tid)
TESTS-shared := $(SHARED_TESTS:%=$(BUILD)/test/shared/%)
# Those of the other tests that say something of a platform.
TESTS-unshared := $(patsubst %,$(BUILD)/test/plain/real/%_test,clockid helper options own_area perf_page proc_file proc_stat \
  raw_clock release rseq_area rseq_marker slab usage)
# These read the kernel's own clocks.
WITNESSES := $(patsubst %,$(BUILD)/lib/kernel/%.o,clockid file filter usage)
$(BUILD)/test/shared/%: $(TEST)/real/%.c $(WITNESSES) $(SHARED) $(TEST_INPUTS)
	@mkdir -p $(@D)
	$(call say,CC $< (shared))
	@ln -sf '$(abspath $(SHARED))' $(@D)/$(SONAME)
	$(Q)$(call compile-test,plain) -o $@ $< $(WITNESSES) $(SHARED) -Wl,-rpath,'$(abspath $(@D))' $(LDLIBS)

# ---- what the shell tests run ----

PROGRAMS := $(patsubst $(TEST)/program/%.c,$(BUILD)/test/program/%,$(wildcard $(TEST)/program/*.c))
$(BUILD)/test/program/%: $(TEST)/program/%.c $(TEST_INPUTS)
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(call compile-test,plain) -o $@ $< $(LDLIBS)

# This one reads through the library as it is installed.
$(BUILD)/test/program/reader: $(BUILD)/$(SONAME)
$(BUILD)/test/program/reader: LDLIBS += -L$(BUILD) -lthreadclock -Wl,-rpath,'$$ORIGIN/../..'

# And this one stands between the library and the loader.
$(BUILD)/test/program/agents: LDLIBS += -rdynamic

PRELOADS := $(patsubst %,$(BUILD)/test/preload/%.so,time_of_day early made_up_clocks)
$(BUILD)/test/preload/%.so: $(TEST)/preload/%.c $(TEST_INPUTS)
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(Q)$(call compile-test,plain) -fPIC -shared -o $@ $< $(LDLIBS)

# This must say the same beside preloaded libraries.
BESIDE_PRELOADS := $(BUILD)/test/plain/real/raw_clock_test

# A fault, which the sanitizers must find: that shows that the other tests' builds are live.
PLANTED := $(patsubst %,$(BUILD)/test/%/planted/heap_overflow,$(filter sanitized,$(KINDS_HERE)))
define planted-fault
$(BUILD)/test/$(1)/planted/%: $(TEST)/planted/%.c $(TEST_INPUTS)
	@mkdir -p $$(@D)
	$$(call say,CC $$< ($(1)))
	$$(Q)$(call compile-test,$(1)) -o $$@ $$<
endef
$(foreach k,$(KINDS) tsan,$(eval $(call planted-fault,$(k))))

# ---- running them ----

# The compiler may use all CPUs; say make -j1 to forbid it.
ifeq ($(filter -j%,$(MAKEFLAGS))$(filter-out 0,$(MAKELEVEL)),)
MAKEFLAGS += -j$(shell nproc)
endif

SHELL_TEST_ENVIRONMENT = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL BUILD='$(abspath $(BUILD))' CC='$(CC)' \
  MAKE='$(MAKE)' CFLAGS='$(CFLAGS)' JAVA_HOME='$(JAVA_HOME)' VERSION='$(VERSION)' \
  KINDS='$(KINDS_HERE)' TIMING='$(TIMING)' $(if $(GATE),TCLK_GATE=yes TCLK_BRIEF=yes)
HUNG_S := $(if $(GATE),300,1200)
PROVE := $(SHELL_TEST_ENVIRONMENT) prove --merge --timer --exec 'src/test/watched $(HUNG_S)'

.PHONY: test test-one test-fake test-real test-shell test-programs test-platform test-platform-run
test-fake: $(TESTS-fake)
	@$(PROVE) $^
test-real: $(TESTS-real)
	@$(PROVE) $^
SHELL_INPUTS := all $(PROGRAMS) $(PRELOADS) $(BESIDE_PRELOADS) $(PLANTED)
test-shell: $(SHELL_INPUTS)
	@$(PROVE) $(SHELL_TESTS)
test-one: $(SHELL_INPUTS) $(filter $(BUILD)/%,$(TESTS))
	@$(PROVE) $(TESTS)
# For another machine, or another place: TARGET=…, TEST_LDFLAGS=-static, KINDS=plain.
test-programs: $(TESTS-fake) $(TESTS-real)
# FAKES: where the CPU is another one, the tests on the fake machine say something new.
TESTS-platform = $(TESTS-shared) $(TESTS-unshared) $(if $(FAKES),$(TESTS-fake))
test-platform: $(TESTS-platform)
test-platform-run: test-platform
	@$(PROVE) $(EXEC) $(TESTS-platform)
# Three at a time, the longest first: many wait for a clock, and no law counts on a CPU of its own, but those on ticks that
# find a thread.
LONGEST := $(addprefix %/,interruption_test install.t line_race_test serve_hostile_test preload.t valgrind.t debugger.t)
ALONE := $(filter %/share_test,$(TESTS-real))
ALL := $(filter-out $(ALONE),$(SHELL_TESTS) $(TESTS-fake) $(TESTS-real))
test: $(SHELL_INPUTS) $(TESTS-fake) $(TESTS-real)
	@status=0; $(PROVE) -j3 $(foreach l,$(LONGEST),$(filter $(l),$(ALL))) $(filter-out $(LONGEST),$(ALL)) || status=1; \
	  $(if $(ALONE),$(PROVE) $(ALONE) || status=1;) exit $$status
