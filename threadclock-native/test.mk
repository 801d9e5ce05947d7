# SPDX-License-Identifier: Apache-2.0
#
# Tests and benchmarks of the native library; included by the Makefile.
#
# src/test/c/fake/*_test.c  run on a fake counter and a fake kernel: no time passes in them
# src/test/c/real/*_test.c  run on this machine's
# src/test/c/accuracy/      the accuracy laboratory's truth, on a counter and a clock of their own
# src/test/sh/*.t           look at what is built: the library's file, its installation, its memory
#
# Each C file is one TAP program, which runs twice: plain (the library's own objects), and under AddressSanitizer
# and UndefinedBehaviorSanitizer. With BRIEF=yes it runs once, plain, and repeats itself less often.

KINDS := plain $(if $(BRIEF),,sanitized)

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
SHELL_TESTS := $(wildcard src/test/sh/*.t)

# Under the fakes: all of clock/ as it is, kernel/ replaced by fake/kernel.c.
FAKE_CORE := $(filter-out %/counter.c,$(wildcard $(SRC)/clock/*.c)) $(SRC)/kernel/slab.c $(SRC)/kernel/memory.c \
  $(SRC)/kernel/fork.c
FAKE_KERNEL := $(TEST)/fake/kernel.c
REAL_CORE := $(CORE) $(SERVE) $(patsubst %,$(SRC)/jvm/%.c,options registry vm_structs examination status_pages class_file \
  constructor_patch)

fake-objects = $(FAKE_CORE:$(SRC)/%.c=$(BUILD)/test/$(1)/fake-core/%.o) $(BUILD)/test/$(1)/fake-core/kernel.o
real-objects = $(REAL_CORE:$(SRC)/%.c=$(BUILD)/test/$(1)/core/%.o)

# $(1) kind, $(2) test
define fake-test
$(BUILD)/test/$(1)/fake/$(2): $(TEST)/fake/$(2).c $(BUILD)/test/$(1)/libfake.a $(TEST_INPUTS)
	@mkdir -p $$(@D)
	$$(call say,CC $$< ($(1)))
	$$(Q)$(call compile-test,$(1),-DTCLK_FAKE_COUNTER) -o $$@ $$< $(BUILD)/test/$(1)/libfake.a $$(TEST_LDFLAGS) $$(LDLIBS)
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

$(foreach k,$(KINDS) tsan,$(eval $(call cores-of-kind,$(k))))
$(foreach k,$(KINDS) tsan,$(foreach t,$(FAKE_TESTS),$(eval $(call fake-test,$(k),$(t)))))
$(foreach k,$(KINDS) tsan,$(foreach t,$(REAL_TESTS),$(eval $(call real-test,$(k),$(t)))))

TESTS-fake := $(foreach k,$(KINDS_HERE),$(FAKE_TESTS:%=$(BUILD)/test/$(k)/fake/%))
# The tests of what threads share. Not under ThreadSanitizer: fork_test (it has no threads in a child of fork()) and
# handler_test (it puts signals off, so that they do not clear the marker as they do in the kernel).
TSAN_TESTS := $(patsubst %,$(BUILD)/test/tsan/fake/%_test,anchor line_race observer) \
  $(patsubst %,$(BUILD)/test/tsan/real/%_test,race registry slab serve serve_hostile virtual_pools cross_thread thread_end many_threads monotone stats tid)
TSAN_PLANTED := $(BUILD)/test/tsan/planted/race

TESTS-real := $(foreach k,$(KINDS_HERE),$(REAL_TESTS:%=$(BUILD)/test/$(k)/real/%))

# ---- the shared library itself ----

# Tests that need nothing of the library but threadclock.h, with SHARED=…/libthreadclock.so: the very file
# that is shipped, on another libc or machine (TARGET=…).
SHARED_TESTS := $(addsuffix _test,bracket comparison configure counter_off cross_thread errno fork handler \
  many_threads monotone share sleep stats thread_end tick_phase tid)
TESTS-shared := $(SHARED_TESTS:%=$(BUILD)/test/shared/%)
# Those of the other tests that say something of a platform.
TESTS-unshared := $(patsubst %,$(BUILD)/test/plain/real/%_test,clockid options own_area perf_page proc_file proc_stat \
  raw_clock registry release rseq_area rseq_marker slab usage)
# These read the kernel's own clocks.
WITNESSES := $(patsubst %,$(BUILD)/lib/kernel/%.o,clockid usage)
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

PRELOADS := $(patsubst %,$(BUILD)/test/preload/%.so,time_of_day early)
$(BUILD)/test/preload/%.so: $(TEST)/preload/%.c $(TEST_INPUTS)
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(Q)$(call compile-test,plain) -fPIC -shared -o $@ $< $(LDLIBS)

# Each has one fault, which its build must find: that shows that the other tests' builds are live.
fault-plain := not_ok
fault-sanitized := heap_overflow signed_overflow
PLANTED := $(foreach k,$(KINDS_HERE),$(fault-$(k):%=$(BUILD)/test/$(k)/planted/%))
define planted-fault
$(BUILD)/test/$(1)/planted/%: $(TEST)/planted/%.c $(TEST_INPUTS)
	@mkdir -p $$(@D)
	$$(call say,CC $$< ($(1)))
	$$(Q)$(call compile-test,$(1)) -o $$@ $$<
endef
$(foreach k,$(KINDS) tsan,$(eval $(call planted-fault,$(k))))

# ---- the accuracy laboratory ----

# One build: its files are few. It asks the kernel through the library's own objects.
ACCURACY := src/accuracy/c
$(BUILD)/accuracy/accuracy: $(wildcard $(ACCURACY)/*.[ch]) $(TEST)/quota_group.h $(BUILD)/$(SONAME) $(HEADERS) test.mk
	@mkdir -p $(@D)
	$(call say,CC $(ACCURACY)/accuracy.c)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(NO_LTO) -std=c11 $(WARNINGS) -I$(TEST) -fno-plt -o $@ $(wildcard $(ACCURACY)/*.c) \
	  $(BUILD)/lib/kernel/clockid.o $(BUILD)/lib/kernel/file.o $(BUILD)/lib/kernel/proc_stat.o $(BUILD)/lib/kernel/raw_clock.o \
	  $(BUILD)/lib/kernel/task_file.o \
	  -L$(BUILD) -lthreadclock -Wl,-rpath,'$$ORIGIN/..' -lm $(LDLIBS)

# src/test/c/accuracy/X_test.c tests X.c, on a counter and a kernel of its own.
ACCURACY_TESTS := $(patsubst $(TEST)/accuracy/%.c,$(BUILD)/test/plain/accuracy/%,$(wildcard $(TEST)/accuracy/*_test.c))
$(BUILD)/test/plain/accuracy/%_test: $(TEST)/accuracy/%_test.c $(wildcard $(ACCURACY)/*.[ch]) $(TEST_INPUTS)
	@mkdir -p $(@D)
	$(call say,CC $< (plain))
	$(Q)$(call compile-test,plain,-DTCLK_FAKE_COUNTER) -Isrc -o $@ $< $(ACCURACY)/$*.c

# OPTIONS=--help
.PHONY: accuracy
accuracy: $(BUILD)/accuracy/accuracy
	@$< $(OPTIONS)

# ---- running them ----

# The compiler may use all CPUs; say make -j1 to forbid it.
ifeq ($(filter -j%,$(MAKEFLAGS))$(filter-out 0,$(MAKELEVEL)),)
MAKEFLAGS += -j$(shell nproc)
endif

SHELL_TEST_ENVIRONMENT = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL BUILD='$(abspath $(BUILD))' CC='$(CC)' \
  MAKE='$(MAKE)' CFLAGS='$(CFLAGS)' JAVA_HOME='$(JAVA_HOME)' VERSION='$(VERSION)' \
  KINDS='$(KINDS_HERE)' $(if $(BRIEF),TCLK_BRIEF=yes)
PROVE := $(SHELL_TEST_ENVIRONMENT) prove --merge --timer

.PHONY: test test-fake test-real test-accuracy test-shell test-programs test-platform test-platform-run
test-fake: $(TESTS-fake)
	@$(PROVE) $^
test-real: $(TESTS-real)
	@$(PROVE) $^
test-accuracy: $(ACCURACY_TESTS) $(BUILD)/accuracy/accuracy
	@$(PROVE) src/test/sh/accuracy.t $(ACCURACY_TESTS)
test-shell: all $(PROGRAMS) $(PRELOADS) $(PLANTED) $(BUILD)/accuracy/accuracy
	@$(PROVE) $(SHELL_TESTS)
# For another machine, or another place: TARGET=…, TEST_LDFLAGS=-static, KINDS=plain.
test-programs: $(TESTS-fake) $(TESTS-real)
# FAKES: where the CPU is another one, the tests on the fake machine say something new.
TESTS-platform = $(TESTS-shared) $(TESTS-unshared) $(if $(FAKES),$(TESTS-fake))
test-platform: $(TESTS-platform)
test-platform-run: test-platform
	@$(PROVE) $(EXEC) $(TESTS-platform)
# Two at a time: many wait for a clock, and no law counts on a CPU of its own, but those on ticks that find a thread.
LONGEST := $(BUILD)/test/plain/fake/interruption_test src/test/sh/build.t
ALONE := $(BUILD)/test/plain/real/share_test
OTHERS := $(filter-out $(LONGEST) $(ALONE),$(SHELL_TESTS) $(TESTS-fake) $(TESTS-real) $(ACCURACY_TESTS))
test: all $(TESTS-fake) $(TESTS-real) $(ACCURACY_TESTS) $(PROGRAMS) $(PRELOADS) $(PLANTED) $(BUILD)/accuracy/accuracy
	@status=0; $(PROVE) -j2 $(LONGEST) $(OTHERS) || status=1; $(PROVE) $(ALONE) || status=1; exit $$status

# ---- the benchmark ----

# The kernel's own calls, and the marker, for which it has objects of the library's beside the library.
$(BUILD)/bench/read_cost: $(BENCH)/read_cost.c $(BUILD)/$(SONAME) $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(NO_LTO) -std=c11 $(WARNINGS) -fno-plt -o $@ $< \
	  $(filter $(BUILD)/lib/kernel/%,$(CORE_OBJECTS)) \
	  -L$(BUILD) -lthreadclock -Wl,-rpath,'$$ORIGIN/..'

# ROUNDS=31, JSON=1
bench: $(BUILD)/bench/read_cost
	@$< $(or $(ROUNDS),31) $(if $(JSON),--json)

# THREADS=5000 RATE=10 SECONDS=10 ACTIVE=50
bench-serve: $(BUILD)/bench/serve_cost
	@$< $(or $(THREADS),5000) $(or $(RATE),10) $(or $(SECONDS),10) $(or $(ACTIVE),50)

$(BUILD)/bench/serve_cost: $(BENCH)/serve_cost.c $(CORE_OBJECTS) $(SERVE_OBJECTS) $(HEADERS) test.mk
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(NO_LTO) -std=c11 $(WARNINGS) -o $@ $< $(CORE_OBJECTS) $(SERVE_OBJECTS) $(LDLIBS)

# For the laboratory alone: -Dthreadclock.benchmarks.library=…/libbareclocks.so, -agentpath:…/libmountevents.so
bench-library: $(BUILD)/bench/libbareclocks.so $(BUILD)/bench/libmountevents.so
$(BUILD)/bench/libbareclocks.so: $(BENCH)/bare_clocks.c
$(BUILD)/bench/libmountevents.so: $(BENCH)/mount_events.c
$(BUILD)/bench/libbareclocks.so $(BUILD)/bench/libmountevents.so: $(HEADERS) Makefile test.mk
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(Q)$(CC) $(CPPFLAGS) $(JNI_FLAGS) $(CFLAGS) $(NO_LTO) $(C11) -shared -Wl,-soname,$(@F) -Wl,-z,now -o $@ $(filter %.c,$^)
