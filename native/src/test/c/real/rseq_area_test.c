/* SPDX-License-Identifier: Apache-2.0 */

/* Tests libc's rseq area, and the descriptor that is stored in it. */

#include "ids.h"
#include "real.h"
#include "rseq.h"

#define PAGE_BYTES 4096

static struct tclk_rseq_area *area_now(void)
{
    struct tclk_rseq_area *area = NULL;
    int error = tclk_rseq_area_of_thread(&area);
    if (error != 0) {
        ok(false, "the thread has an area");
        diag("error %d", error);
    }
    return area;
}

static void is_the_registered_one(void)
{
    struct tclk_rseq_area *area = area_now();
    ok(tclk_rseq_is_libcs(), "libc registers areas");
    ok(rseq_is_registered(area), "the area is the one that the kernel has registered");
    ok(area_now() == area, "the second answer is the same");
    tclk_rseq_area_release();
    ok(rseq_is_registered(area), "libc's area is not given back");
}

static void tells_the_cpu(void)
{
    struct tclk_rseq_area *area = area_now();
    int cpus[2];
    int wrong = 0;
    int n = cpus_allowed(cpus, 2);
    for (int i = 0; i < 100; i++) {
        cpu_pin(0, cpus[i % n]);
        wrong += (int)*(volatile uint32_t *)&area->cpu_id != cpus[i % n];
    }
    is_ns(wrong, 0, "the kernel writes there which CPU the thread runs on");
}

static void *area_of_second_thread(void *area)
{
    *(struct tclk_rseq_area **)area = area_now();
    ok(rseq_is_registered(*(struct tclk_rseq_area **)area), "a second thread has one too");
    return NULL;
}

static void is_the_threads_own(void)
{
    struct tclk_rseq_area *others = NULL;
    in_thread(area_of_second_thread, &others);
    ok(others != area_now(), "the second thread has another area");
}

/* Other code may use the ids. */
static void keeps_its_ids(void)
{
    if (skips(!ids_kernel_is_at_least(7, TCLK_RSEQ_IDS_MINOR), "the source ids leaves it alone", "Linux 7.1")) {
        return;
    }
    is_ns(source_ask(TCLK_SOURCE_IDS), -ENOTSUP, "the source ids leaves it alone");
    ok(source_says(TCLK_SOURCE_IDS, "GLIBC_TUNABLES=" RSEQ_OFF_TUNABLE), "and says what to do");
}

/* ---- the descriptor ---- */

/* struct rseq_cs of linux/rseq.h */
struct rseq_descriptor {
    uint32_t version;
    uint32_t flags;
    uint64_t start_ip;
    uint64_t post_commit_offset;
    uint64_t abort_ip;
};

/* The line of /proc/self/maps that an address lies in. */
static bool find_mapping(uint64_t address, char *line, int size)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    bool found = false;
    while (!found && fgets(line, size, maps) != NULL) {
        unsigned long from;
        unsigned long to;
        found = sscanf(line, "%lx-%lx", &from, &to) == 2 && address >= from && address < to;
    }
    fclose(maps);
    return found;
}

static void descriptor_is_safe(void)
{
    const struct rseq_descriptor *descriptor = (const struct rseq_descriptor *)(uintptr_t)tclk_rseq_descriptor();
    uint64_t page = tclk_rseq_descriptor() / PAGE_BYTES;
    uint64_t signature_at = descriptor->abort_ip - sizeof(uint32_t);
    ok(tclk_rseq_descriptor() % 32 == 0, "the descriptor is aligned as the kernel wants it");
    ok(descriptor->version == 0 && descriptor->flags == 0 && descriptor->post_commit_offset == 0,
       "its section is empty");
    ok(descriptor->abort_ip / PAGE_BYTES == page && signature_at / PAGE_BYTES == page,
       "the abort address and the signature before it lie in the descriptor's own page");
    ok(*(const uint32_t *)(uintptr_t)signature_at == TCLK_RSEQ_SIGNATURE,
       "the signature is the one of the registration");
}

static void descriptor_is_nobodys_image(void)
{
    char line[512] = "";
    char permissions[8] = "";
    unsigned long inode = 1;
    bool found = find_mapping(tclk_rseq_descriptor(), line, sizeof line);
    sscanf(line, "%*x-%*x %7s %*x %*s %lu", permissions, &inode);
    ok(found && strcmp(permissions, "r--p") == 0, "its page can only be read");
    ok(found && inode == 0, "and belongs to no file, so that nothing ever unmaps it");
    diag("%s", line);
}

int main(void)
{
    tclk_rseq_setup();
    if (!skips(!rseq_libc_registers(), "libc's area is found", RSEQ_LIBC_MISSING)) {
        is_the_registered_one();
        tells_the_cpu();
        is_the_threads_own();
        keeps_its_ids();
    }
    descriptor_is_safe();
    descriptor_is_nobodys_image();
    return done();
}
