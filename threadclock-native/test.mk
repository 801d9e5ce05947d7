# SPDX-License-Identifier: Apache-2.0
#
# Tests and benchmarks of the native library; included by the Makefile.

$(BUILD)/bench/read_cost: $(BENCH)/read_cost.c $(BUILD)/libthreadclock.so $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -std=c11 $(WARNINGS) -fno-plt -o $@ $< \
	  $(BUILD)/lib/kernel/clockid.o $(BUILD)/lib/kernel/usage.o \
	  -L$(BUILD) -lthreadclock -Wl,-rpath,'$$ORIGIN/..'

# ROUNDS=31, JSON=1
bench: $(BUILD)/bench/read_cost
	@$< $(or $(ROUNDS),31) $(if $(JSON),--json)
