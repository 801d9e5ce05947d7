/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/setup.h"

#include "clock/explain.h"
#include "clock/first_copy.h"
#include "clock/settings.h"
#include "include/threadclock.h"
#include "jvm/boot_classes.h"
#include "jvm/copies.h"
#include "jvm/discovery.h"
#include "jvm/hotspot.h"
#include "jvm/known_threads.h"
#include "jvm/message.h"
#include "jvm/objects.h"
#include "jvm/thread_mxbean_natives.h"
#include "jvm/virtual_threads.h"
#include "kernel/memory.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define OPTION_MAX_BYTES 64
#define KNOWN_MAX_BYTES 256

bool tclk_setup_options(const char *text, struct tclk_agent_options *options, const char *consequence)
{
    char wrong[OPTION_MAX_BYTES];
    char known[KNOWN_MAX_BYTES];
    struct tclk_text all = {known, sizeof known, 0};
    if (tclk_options_parse(text, options, wrong, sizeof wrong)) {
        return true;
    }
    tclk_options_add_known(&all);
    tclk_message("unknown option \"%s\"; known are %s. %s", wrong, known, consequence);
    return false;
}

bool tclk_setup_vm(const char *consequence)
{
    if (tclk_hotspot_is_here()) {
        return true;
    }
    tclk_message("this JVM is not HotSpot: no libjvm.so here exports gHotSpotVMStructs. threadclock "
                 "needs an OpenJDK build of HotSpot, 8 or newer. %s",
                 consequence);
    return false;
}

/* Classes that load a library when they are initialized. If that fails once, the JVM never tries again. */
static const struct {
    const char *type;
    const char *library;
} with_library[] = {
    {"java/lang/management/ManagementFactory", "libmanagement.so"},
    {"com/sun/management/internal/PlatformMBeanProviderImpl", "libmanagement_ext.so"}, /* JDK 9 and newer */
};

static bool has_class(JNIEnv *env, const char *name)
{
    jclass type = tclk_boot_class(env, name);
    (*env)->DeleteLocalRef(env, type);
    return type != NULL;
}

bool tclk_setup_jdk(JNIEnv *env, const char *consequence)
{
    for (size_t i = 0; i < sizeof with_library / sizeof with_library[0]; i++) {
        const char *library = with_library[i].library;
        if (tclk_objects_named(library) == NULL && !tclk_objects_have_beside("libjava.so", library) &&
            has_class(env, with_library[i].type)) {
            tclk_message("the JDK is not where this JVM was started from, or another one is there: without its %s, "
                         "java.lang.management would be unusable until the JVM ends. %s",
                         library, consequence);
            return false;
        }
    }
    return true;
}

bool tclk_setup_has_memory(char reason[TCLK_REASON_BYTES])
{
    struct tclk_text text = {reason, TCLK_REASON_BYTES, 0};
    tclk_text_add_verdict(&text, (struct tclk_verdict){.refusal = TCLK_REFUSED_NO_RECORDS});
    return tclk_first_copy() != NULL || tclk_memory_can_be_wiped_on_fork();
}

bool tclk_setup_memory(const char *consequence)
{
    char reason[TCLK_REASON_BYTES];
    bool has_memory = tclk_setup_has_memory(reason);
    if (!has_memory) {
        tclk_message("%s: the JVM's own times of single threads are better here. %s", reason, consequence);
    }
    return has_memory;
}

bool tclk_setup_alone(const char *consequence)
{
    char name[256];
    if (!tclk_agent_other_copy(name, sizeof name)) {
        return true;
    }
    tclk_message("another copy has this JVM already: %s. This one stays out. %s", name, consequence);
    return false;
}

/* Another thread may be running the self-tests, which takes a few milliseconds. */
static int configure(const struct tclk_config *config)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    int error = tclk_clock_configure(config);
    for (int tries = 0; error == -EBUSY && tries < 1000; tries++) {
        nanosleep(&pause, NULL);
        error = tclk_clock_configure(config);
    }
    return error;
}

static void say_refused(enum tclk_source wanted, int error, const char *consequence)
{
    char reason[256];
    tclk_source_explain(wanted == TCLK_SOURCE_AUTO ? TCLK_SOURCE_CLOCK : wanted, reason, sizeof reason);
    if (error == -EALREADY) {
        char split[32];
        tclk_clock_describe_split(split, sizeof split);
        tclk_message("threads are sampled until this JVM ends. Give split=%s. %s", split, consequence);
        return;
    }
    if (error == -EEXIST) {
        tclk_message("the clock cannot be configured: %s. %s", reason, consequence);
        return;
    }
    tclk_message("source %s refused: %s. Give source=auto. %s", tclk_source_name(wanted),
                 error == -ENOTSUP ? reason : strerror(-error), consequence);
}

bool tclk_setup_clock(const struct tclk_agent_options *options, const char *consequence)
{
    int error = configure(&options->config);
    if (error != 0) {
        say_refused(options->config.source, error, consequence);
        return false;
    }
    tclk_mxbean_count(options->stats);
    return true;
}

void tclk_setup_in_use(bool in_use)
{
    tclk_clock_announce_demotions(in_use);
    tclk_agent_set_active(in_use);
}

static const char *discovery(void)
{
    switch (tclk_discovery_state()) {
    case TCLK_DISCOVERY_WORKS:
        return "found by their address";
    case TCLK_DISCOVERY_REFUSED:
        return "not found: their addresses cannot be read here";
    default:
        return "not looked for";
    }
}

void tclk_setup_print_stats(void)
{
    struct tclk_stats s;
    struct tclk_by_id_counts by_id = tclk_mxbean_counts();
    char split[32];
    tclk_clock_stats(&s);
    tclk_clock_describe_split(split, sizeof split);
    tclk_message("source %s", tclk_source_name(tclk_clock_source()));
    tclk_message("split %s", split);
    tclk_message("resyncs first %llu, switch %llu, window %llu, ahead %llu, overlap %llu, unarmed %llu",
                 (unsigned long long)s.resyncs_first, (unsigned long long)s.resyncs_switch,
                 (unsigned long long)s.resyncs_window, (unsigned long long)s.resyncs_ahead,
                 (unsigned long long)s.resyncs_overlap, (unsigned long long)s.resyncs_unarmed);
    tclk_message("markers lost %llu", (unsigned long long)s.lost);
    tclk_message("demotions %llu, threads now %llu, others' records %llu", (unsigned long long)s.demotions,
                 (unsigned long long)s.threads, (unsigned long long)s.threads_observed);
    tclk_message("threads whose ticks cannot be trusted %llu, of them not sampled %llu",
                 (unsigned long long)s.threads_suspected, (unsigned long long)s.threads_unsampled);
    tclk_message("reads by id here %llu, by the JVM %llu; ids known %u; running threads %s",
                 (unsigned long long)by_id.here, (unsigned long long)by_id.original,
                 (unsigned)tclk_known_threads_count(), discovery());
    if (tclk_virtual_threads_use_jvmti()) {
        /* The figure is that of docs/virtual-threads.md: by the agent less by run --virtual. */
        tclk_message("JVMTI has been used for virtual threads, and makes each of their switches take some 165 to "
                     "350 ns longer, unless run --virtual has started the JVM, on another JDK than 24 and 25");
    }
}
