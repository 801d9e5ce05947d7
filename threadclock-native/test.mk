# SPDX-License-Identifier: Apache-2.0
#
# Tests and benchmarks of the native library; included by the Makefile.
#
# src/test/c/fake/*.c   run on a fake counter and a fake kernel: no time passes in them
# src/test/c/real/*.c   run on this machine's
# Each file is one TAP program. Both kinds run three times: plain, under AddressSanitizer and under
# UndefinedBehaviorSanitizer.

# ---- the programs ----

FAKE_TESTS := $(patsubst $(TEST)/fake/%.c,%,$(wildcard $(TEST)/fake/*_test.c))
REAL_TESTS := $(patsubst $(TEST)/real/%.c,%,$(wildcard $(TEST)/real/*_test.c))

# Under the fakes: all of clock/ as it is, kernel/ replaced by fake/kernel.c.
FAKE_CORE := $(filter-out %/counter.c,$(wildcard $(SRC)/clock/*.c)) $(SRC)/kernel/slab.c $(TEST)/fake/kernel.c
REAL_CORE := $(CORE) $(SRC)/jvm/options.c

TEST_CFLAGS := -std=c11 $(WARNINGS) -O1 -g -I$(TEST)
sanitize-plain :=
sanitize-asan := -DTCLK_SANITIZED -fsanitize=address -fno-omit-frame-pointer
sanitize-ubsan := -DTCLK_SANITIZED -fsanitize=undefined -fno-sanitize-recover=all

KINDS := plain asan ubsan

# $(1) kind, $(2) test
define fake-test
$(BUILD)/test/$(1)/fake/$(2): $(TEST)/fake/$(2).c $(FAKE_CORE) $(HEADERS) $(wildcard $(TEST)/fake/*.h) Makefile test.mk
	@mkdir -p $$(@D)
	$$(call say,CC $$< ($(1)))
	$$(Q)$$(CC) $$(CPPFLAGS) $$(TEST_CFLAGS) -DTCLK_FAKE_COUNTER $$(sanitize-$(1)) -o $$@ $$< $$(FAKE_CORE) $$(LDLIBS)
endef
define real-test
$(BUILD)/test/$(1)/real/$(2): $(TEST)/real/$(2).c $(BUILD)/test/$(1)/libcore.a $(HEADERS) $(wildcard $(TEST)/real/*.h)
	@mkdir -p $$(@D)
	$$(call say,CC $$< ($(1)))
	$$(Q)$$(CC) $$(CPPFLAGS) $$(TEST_CFLAGS) $$(sanitize-$(1)) -o $$@ $$< $(BUILD)/test/$(1)/libcore.a $$(LDLIBS)
endef
define core-of-kind
$(BUILD)/test/$(1)/%.o: $(SRC)/%.c $(HEADERS) Makefile test.mk
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CPPFLAGS) $$(TEST_CFLAGS) $$(sanitize-$(1)) -c -o $$@ $$<
$(BUILD)/test/$(1)/libcore.a: $(REAL_CORE:$(SRC)/%.c=$(BUILD)/test/$(1)/%.o)
	$$(call say,AR $$@)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
endef

$(foreach k,$(KINDS),$(eval $(call core-of-kind,$(k))))
$(foreach k,$(KINDS),$(foreach t,$(FAKE_TESTS),$(eval $(call fake-test,$(k),$(t)))))
$(foreach k,$(KINDS),$(foreach t,$(REAL_TESTS),$(eval $(call real-test,$(k),$(t)))))

TESTS-fake := $(foreach k,$(KINDS),$(FAKE_TESTS:%=$(BUILD)/test/$(k)/fake/%))
TESTS-real := $(foreach k,$(KINDS),$(REAL_TESTS:%=$(BUILD)/test/$(k)/real/%))

.PHONY: test test-fake test-real
test-fake: $(TESTS-fake)
	@prove --merge $^
test-real: all $(TESTS-real)
	@prove --merge $(TESTS-real)
test: all $(TESTS-fake) $(TESTS-real)
	@prove --merge --timer $(TESTS-fake) $(TESTS-real)

# ---- the benchmark ----

$(BUILD)/bench/read_cost: $(BENCH)/read_cost.c $(BUILD)/libthreadclock.so $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -std=c11 $(WARNINGS) -fno-plt -o $@ $< \
	  $(BUILD)/lib/kernel/clockid.o $(BUILD)/lib/kernel/usage.o \
	  -L$(BUILD) -lthreadclock -Wl,-rpath,'$$ORIGIN/..'

# ROUNDS=31, JSON=1
bench: $(BUILD)/bench/read_cost
	@$< $(or $(ROUNDS),31) $(if $(JSON),--json)
