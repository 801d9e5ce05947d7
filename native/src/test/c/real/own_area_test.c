/* SPDX-License-Identifier: Apache-2.0 */

/* Tests rseq where libc registers no areas: on musl, before glibc 2.35, or with glibc's areas switched off, for
 * which this test restarts itself. */

#include "real.h"
#include "rseq.h"

/* The tests' own registrations, which get in the library's way. */
static _Thread_local struct tclk_rseq_area foreign __attribute__((aligned(32)));

static void registers_its_own(void)
{
    struct tclk_rseq_area *area = NULL;
    struct tclk_rseq_area *again = NULL;
    int error = tclk_rseq_area_of_thread(&area);
    is_ns(error, 0, "a thread gets an area");
    ok(!tclk_rseq_is_libcs(), "the area is not libc's");
    ok(rseq_is_registered(area), "it is registered");
    ok((uintptr_t)area % 64 == 0, "no other thread's is on its cache line");
    tclk_rseq_area_of_thread(&again);
    ok(again == area, "the second answer is the same");
    tclk_rseq_area_release();
    is_ns(rseq_register(&foreign, sizeof foreign, TCLK_RSEQ_SIGNATURE), 0, "given back, it is not registered any more");
    rseq_unregister(&foreign);
}

/* ---- many threads ---- */

#define BATCHES 63
#define BATCH 16

static pthread_barrier_t all_here;
static struct tclk_rseq_area *areas[BATCH];
static int64_t wrong_areas;
static uintptr_t lowest = UINTPTR_MAX;
static uintptr_t highest;

static void *read_in_own_area(void *part)
{
    struct tclk_rseq_area **area = part;
    struct tclk_times times;
    int error = tclk_thread_read(&times);
    int area_error = tclk_rseq_area_of_thread(area);
    if (error != 0 || area_error != 0 || !rseq_is_registered(*area)) {
        __atomic_fetch_add(&wrong_areas, 1, __ATOMIC_RELAXED);
    }
    pthread_barrier_wait(&all_here);
    return NULL;
}

/* All threads of a batch are alive at the barrier, so their areas differ. */
static void look_at_batch(void)
{
    for (int i = 0; i < BATCH; i++) {
        uintptr_t address = (uintptr_t)areas[i];
        lowest = address < lowest ? address : lowest;
        highest = address > highest ? address : highest;
        for (int k = 0; k < i; k++) {
            wrong_areas += areas[i] == areas[k];
        }
    }
}

static void slots_are_used_again(void)
{
    pthread_barrier_init(&all_here, NULL, BATCH);
    for (int i = 0; i < BATCHES; i++) {
        in_threads(BATCH, read_in_own_area, areas, sizeof areas[0]);
        look_at_batch();
    }
    is_ns(wrong_areas, 0, "each of %d threads, %d at a time, had an area of its own", BATCH * BATCHES, BATCH);
    /* One for the main thread, those of the batch, and one for each thread that ended after the next began. */
    size_t slots = (highest - lowest) / 64 + 1;
    ok(slots <= 2 * BATCH + 1, "areas of ended threads were used again");
    diag("%zu slots", slots);
}

/* ---- the end of a thread ---- */

static pthread_key_t late_key;
static int registered_at_end;

/* Runs in the second round of destructors, after the library's. */
static void look_at_end(void *round)
{
    if (round == &late_key) {
        pthread_setspecific(late_key, &registered_at_end);
        return;
    }
    registered_at_end = rseq_register(&foreign, sizeof foreign, TCLK_RSEQ_SIGNATURE);
    rseq_unregister(&foreign);
}

static void read_and_end(void)
{
    struct tclk_rseq_area *area = NULL;
    tclk_thread_cpu_ns();
    tclk_rseq_area_of_thread(&area);
    ok(rseq_is_registered(area), "a thread that has read has an area registered");
    pthread_setspecific(late_key, &late_key);
}

static void unregisters_at_end(void)
{
    pthread_key_create(&late_key, look_at_end);
    test_in_thread(read_and_end);
    is_ns(registered_at_end, 0, "an ended thread has no area");
}

/* The kernel may go on writing to an area that it keeps. */
static void *be_refused_at_end(void *area)
{
    tclk_rseq_area_of_thread(area);
    if (!seccomp_refuse_with(SYS_rseq, 2, 1, EPERM)) {
        *(void **)area = NULL;
        return NULL;
    }
    tclk_rseq_area_release();
    return NULL;
}

static void keeps_what_the_kernel_keeps(void)
{
    struct tclk_rseq_area *kept = NULL;
    struct tclk_rseq_area *mine = NULL;
    in_thread(be_refused_at_end, &kept);
    tclk_rseq_area_of_thread(&mine);
    tclk_rseq_area_release();
    if (skips(kept == NULL, "an area that the kernel does not let go is not used again", SECCOMP_MISSING)) {
        return;
    }
    ok(kept != mine, "an area that the kernel does not let go is not used again");
}

/* ---- areas of other code ---- */

static void *is_left_alone(void *whose)
{
    uint32_t signature = whose == NULL ? TCLK_RSEQ_SIGNATURE : UINT32_C(0x47114711);
    struct tclk_rseq_area *area = NULL;
    is_ns(rseq_register(&foreign, sizeof foreign, signature), 0, "%s registers an area",
          whose == NULL ? "someone else" : (const char *)whose);
    is_ns(tclk_rseq_area_of_thread(&area), -EINVAL, "then the library gets none");
    ok(area == NULL, "the result is left alone");
    ok(first_reading_is_right(), "the thread's time is right all the same");
    is_ns(syscall(SYS_rseq, &foreign, sizeof foreign, 1, signature), 0, "and the area is still the other's");
    return NULL;
}

static void beside_longer_area(void)
{
    static char longer[64] __attribute__((aligned(64)));
    struct tclk_rseq_area *area = NULL;
    if (skips(rseq_register(longer, sizeof longer, TCLK_RSEQ_SIGNATURE) != 0,
              "a longer area of someone else is left alone", "areas longer than 32 bytes, Linux 6.3")) {
        return;
    }
    is_ns(tclk_rseq_area_of_thread(&area), -EINVAL, "a longer area of someone else is left alone");
    ok(first_reading_is_right(), "the thread's time is right all the same");
}

/* ---- children ---- */

static void child_inherits(void)
{
    struct tclk_rseq_area *area = NULL;
    is_ns(tclk_rseq_area_of_thread(&area), 0, "a fork child has an area");
    ok(rseq_is_registered(area), "the area of a fork child is registered");
    ok(first_reading_is_right(), "and reads right");
    ok(tclk_clock_source() == TCLK_SOURCE_RSEQ, "from the same source");
}

static void read_from_rseq(void)
{
    ok(first_reading_is_right(), "the source rseq works on areas of our own");
    slots_are_used_again();
    unregisters_at_end();
    in_child(child_inherits);
}

static void run(void)
{
    registers_its_own();
    in_child(keeps_what_the_kernel_keeps); /* the filter is for all threads */
    if (!rseq_is_cleared_in_calls()) {
        skip("the source rseq works on areas of our own", RSEQ_KEPT_SINCE);
    } else if (source_use(TCLK_SOURCE_RSEQ)) {
        read_from_rseq();
    }
    in_thread(is_left_alone, NULL);
    in_thread(is_left_alone, "someone with another signature");
    test_in_thread(beside_longer_area);
}

int main(void)
{
    static const char sentence[] = "a thread gets an area of its own";
    if (!skips(!rseq_starts_without_libcs(), sentence, "the tunable " RSEQ_OFF_TUNABLE) &&
        !skips(rseq_register(&foreign, sizeof foreign, TCLK_RSEQ_SIGNATURE) != 0, sentence, "rseq(2), Linux 4.18")) {
        rseq_unregister(&foreign);
        run();
    }
    return done();
}
