# SPDX-License-Identifier: Apache-2.0
#
# Tools that look for faults beyond the tests; included by the Makefile.
#
# make fuzz          src/fuzz/c/*.c, each for FUZZ_SECONDS=30, from the inputs in src/fuzz/corpus
# make tsan          the tests of what threads share, under ThreadSanitizer
# make tidy          clang-tidy, and nearly all warnings that clang has
# make analyze       gcc's static analyzer
# make coverage      lines of kernel/ and clock/ that the C tests run; fails below COVERAGE_MIN=95 %
# make analysis      all of these
# make fuzz-corpus   fuzzes as long, and keeps in the corpus what reached something new
# make fuzz-image    JAVA_HOME=… IMAGE=jdk-17: records the tables of that JVM into the corpus

CLANG ?= clang
CLANG_TIDY ?= clang-tidy
GCC ?= gcc
GCOV ?= gcov
FUZZ_SECONDS ?= 30
COVERAGE_MIN ?= 95

FUZZ := src/fuzz
ANALYSIS := src/analysis
ANALYSIS_INPUTS := $(CORE) $(SERVE) $(JVM) $(HEADERS) Makefile test.mk analysis.mk

# ---- fuzzing ----

# The longest input: a line of stat has at most 1,280 bytes, and a fuzzer that need not fill them is faster.
FUZZ_TARGETS := proc_stat options vm_structs class_file
fuzz-bytes-proc_stat := 600
fuzz-bytes-options := 300
fuzz-bytes-vm_structs := 8192
fuzz-bytes-class_file := 2048

# The library's parts that a target needs.
fuzz-sources-proc_stat := $(patsubst %,$(SRC)/kernel/%.c,proc_stat task_file file filter clockid usage)
fuzz-sources-options := $(SRC)/jvm/options.c $(CORE)
fuzz-sources-vm_structs := $(SRC)/jvm/vm_structs.c
fuzz-sources-class_file := $(SRC)/jvm/constructor_patch.c $(SRC)/jvm/class_file.c
fuzz-sources-planted :=

FUZZ_CFLAGS := -std=c11 $(WARNINGS) -O1 -g -I$(FUZZ)/c -fno-omit-frame-pointer \
               -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZERS := $(patsubst %,$(BUILD)/fuzz/%,$(FUZZ_TARGETS) planted)

$(FUZZERS): $(BUILD)/fuzz/%: $(FUZZ)/c/%.c $(wildcard $(FUZZ)/c/*.h) $(ANALYSIS_INPUTS)
	@mkdir -p $(@D)
	$(call say,CC $< (fuzzer))
	$(Q)$(CLANG) $(CPPFLAGS) $(FUZZ_CFLAGS) -o $@ $< $(fuzz-sources-$*) $(LDLIBS)

FUZZ_TARGETS_AND_BYTES := $(foreach t,$(FUZZ_TARGETS),$(t):$(fuzz-bytes-$(t)))

.PHONY: fuzz-corpus fuzz-image
fuzz-corpus: $(FUZZERS)
	$(Q)$(foreach t,$(FUZZ_TARGETS), $(ANALYSIS)/grow_corpus $(BUILD)/fuzz/$(t) $(FUZZ)/corpus/$(t) \
	  $(fuzz-bytes-$(t)) $(FUZZ_SECONDS) &&) true

fuzz-image: $(BUILD)/fuzz/librecordimage.so
	$(Q)$(JAVA_HOME)/bin/java -agentpath:$(abspath $<)=$(FUZZ)/corpus/vm_structs/$(IMAGE) -version

$(BUILD)/fuzz/librecordimage.so: $(FUZZ)/c/record_image.c $(FUZZ)/c/image.h $(ANALYSIS_INPUTS)
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(Q)$(CC) $(CPPFLAGS) $(JNI_FLAGS) $(NO_LTO) $(C11) -I$(FUZZ)/c -O1 -shared -o $@ $< \
	  $(SRC)/jvm/vm_structs.c $(SRC)/jvm/java_thread.c $(LDLIBS)

# ---- coverage ----

# Other programs than those of `make test`, and not judged: instruments make time pass. _exit() writes the
# counts too, for the tests that run in children.
COVERAGE_FLAGS := -DTCLK_SANITIZED --coverage -fprofile-update=atomic -include $(CURDIR)/$(ANALYSIS)/c/counted_exit.h
COVERAGE_MAKE = $(MAKE) --no-print-directory BUILD=$(BUILD)/coverage KINDS=plain CC=$(GCC) LTO= GENERAL_REGS= HELPER= \
  CFLAGS='-O0 -g $(COVERAGE_FLAGS)' TEST_INSTRUMENTS='$(COVERAGE_FLAGS)' JAVA_HOME='$(JAVA_HOME)'

# ---- running them ----

ANALYSIS_ENVIRONMENT = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL BUILD='$(abspath $(BUILD))' SRC='$(SRC)' \
  CLANG='$(CLANG)' CLANG_TIDY='$(CLANG_TIDY)' GCC='$(GCC)' GCOV='$(GCOV)' MAKE='$(MAKE)' \
  CPPFLAGS='$(filter-out -DTCLK_VERSION%,$(CPPFLAGS))' JNI_FLAGS='$(JNI_FLAGS)' FUZZ_SECONDS='$(FUZZ_SECONDS)' \
  FUZZ_TARGETS='$(FUZZ_TARGETS_AND_BYTES)' COVERAGE_MIN='$(COVERAGE_MIN)'
ANALYSIS_PROVE := $(ANALYSIS_ENVIRONMENT) prove --merge --timer
SH := $(ANALYSIS)/sh

.PHONY: analysis fuzz tsan tidy analyze coverage coverage-programs
fuzz: $(FUZZERS)
	@$(ANALYSIS_PROVE) $(SH)/fuzz.t
tsan: $(TSAN_TESTS) $(TSAN_PLANTED)
	@$(ANALYSIS_PROVE) $(SH)/tsan.t $(TSAN_TESTS)
tidy:
	@$(ANALYSIS_PROVE) $(SH)/tidy.t
analyze:
	@$(ANALYSIS_PROVE) $(SH)/analyzer.t
coverage: coverage-programs
	@$(ANALYSIS_PROVE) $(SH)/coverage.t; status=$$?; cat $(BUILD)/coverage/table; exit $$status
coverage-programs:
	+$(Q)$(COVERAGE_MAKE) test-programs

# Fuzzing takes a minute and a half of one CPU; meanwhile the other ones do all the rest.
analysis: $(FUZZERS) $(TSAN_TESTS) $(TSAN_PLANTED) coverage-programs
	@$(ANALYSIS_PROVE) --jobs $$(($$(nproc) + 1)) $(SH)/fuzz.t $(SH)/coverage.t $(SH)/tidy.t $(SH)/analyzer.t \
	  $(SH)/tsan.t $(TSAN_TESTS); status=$$?; cat $(BUILD)/coverage/table; exit $$status
