/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the sums of virtual threads by pool, with threads of this test as carriers. */

#include "serve/virtual_pools.h"

#include "client.h"
#include "real.h"

#define NAMES 100000
#define CARRIERS 4
#define MOUNTS (int)kind_rounds(20000)
#define A TCLK_POOL_FIRST_NAMED
#define B (TCLK_POOL_FIRST_NAMED + 1)

static struct tclk_virtual_pools pools;

static bool no_times(void *context, pid_t tid, int64_t *cpu_ns, int64_t *user_ns)
{
    (void)context;
    (void)tid;
    (void)cpu_ns;
    (void)user_ns;
    return false;
}

static bool given_times(void *context, pid_t tid, int64_t *cpu_ns, int64_t *user_ns)
{
    const struct tclk_times *times = context;
    *cpu_ns = times->cpu_ns;
    *user_ns = times->user_ns;
    return tid == tclk_tid_own();
}

static int64_t sum_cpu_ns(void)
{
    int64_t cpu_ns = 0;
    for (uint32_t i = 0; i < TCLK_POOLS_MAX; i++) {
        cpu_ns += pools.totals[i].cpu_ns;
    }
    return cpu_ns;
}

/* ---- names ---- */

static void names_are_pools(void)
{
    char name[TCLK_POOL_NAME_BYTES];
    char longer[TCLK_POOL_NAME_BYTES + 8];
    is_ns((int)tclk_pool_named("a-*"), A, "the first name is the first pool that has one");
    is_ns((int)tclk_pool_named("b-*"), B, "another name is another pool");
    is_ns((int)tclk_pool_named("a-*"), A, "the same name is the same pool");
    ok(tclk_pool_name(A, name) && strcmp(name, "a-*") == 0, "a pool has its name");
    ok(!tclk_pool_name(B + 1, name), "there is no pool without a name");
    memset(longer, 'x', sizeof longer);
    memcpy(longer + TCLK_POOL_NAME_BYTES - 2, "\xc3\xa4", 3);
    uint32_t pool = tclk_pool_named(longer);
    ok(tclk_pool_name(pool, name) && strlen(name) == TCLK_POOL_NAME_BYTES - 2,
       "a name that is too long ends before a character that does not fit");
}

static void names_are_bounded(void)
{
    char text[32];
    uint32_t most = 0;
    uint32_t others = 0;
    for (int i = 0; i < NAMES; i++) {
        snprintf(text, sizeof text, "request %d of many", i);
        uint32_t pool = tclk_pool_named(text);
        most = pool > most ? pool : most;
        others += pool == TCLK_POOL_OTHERS;
    }
    is_ns((int)most, TCLK_POOL_OTHERS, "100,000 names are at most 256 pools");
    ok(others > NAMES - (int)TCLK_POOLS_MAX, "all names beyond them are one pool: %u", others);
    is_ns((int)tclk_pool_named("a-*"), A, "early names stay pools of their own");
}

/* ---- one carrier ---- */

static void an_open_segment_counts(void)
{
    struct tclk_carrier *carrier = tclk_carrier_enter();
    ok(tclk_carrier_enter() == carrier, "a carrier has one page");
    const int64_t start_ns = carrier->last.cpu_ns;
    struct tclk_times now = {start_ns + 10, carrier->last.user_ns + 4, 0};
    tclk_virtual_pools_update(&pools, no_times, NULL);
    const int64_t before_ns = sum_cpu_ns();
    tclk_carrier_book(carrier, now, A | TCLK_THREAD_BEGINS);
    struct tclk_times seen = {now.cpu_ns + 100, now.user_ns + 60, 0};
    tclk_virtual_pools_update(&pools, given_times, &seen);
    is_ns(pools.totals[A].cpu_ns, 100, "a segment that is open counts up to the carrier's time");
    is_ns(pools.totals[A].user_ns, 60, "its user time, too");
    is_ns(sum_cpu_ns() - before_ns, 110, "the time before it is the carrier's rest");
    is_ns((int)pools.totals[A].threads, 1, "its thread has begun");

    tclk_virtual_pools_update(&pools, no_times, NULL);
    is_ns(pools.totals[A].cpu_ns, 100, "a total does not fall when the carrier cannot be read");
    now = (struct tclk_times){seen.cpu_ns + 50, seen.user_ns + 20, 0};
    tclk_carrier_book(carrier, now, TCLK_POOL_REST | TCLK_THREAD_ENDS);
    tclk_virtual_pools_update(&pools, given_times, &seen);
    is_ns(pools.totals[A].cpu_ns, 150, "a segment that has ended counts once");
    is_ns(pools.totals[A].user_ns, 80, "with its user time");
    is_ns((int)pools.totals[A].threads, 0, "its thread has ended");
    is_ns((int)pools.totals[A].begun, 1, "and still has been there");
    is_ns((int)pools.totals[A].mounts, 1, "it was mounted once");
    tclk_carrier_leave();
}

static void later_mounts_count(void)
{
    struct tclk_carrier *carrier = tclk_carrier_enter();
    tclk_carrier_book(carrier, carrier->last, A);
    tclk_carrier_book(carrier, carrier->last, TCLK_POOL_REST);
    tclk_virtual_pools_update(&pools, no_times, NULL);
    is_ns((int)pools.totals[A].mounts, 2, "a later mount counts");
    is_ns((int)pools.totals[A].begun, 1, "and no thread begins with it");
    is_ns((int)pools.totals[TCLK_POOL_REST].mounts, 0, "the rest is never mounted");
    tclk_carrier_leave();
}

/* ---- many carriers ---- */

static int64_t spent_ns; /* the sum of what all carriers have read since each entered */
static bool are_over;

static void *carry(void *argument)
{
    uint64_t random = (uint64_t)(intptr_t)argument;
    struct tclk_carrier *carrier = tclk_carrier_enter();
    const int64_t begin_ns = carrier->last.cpu_ns;
    for (int i = 0; i < MOUNTS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t pool = 1 + (uint32_t)(random >> 33) % (TCLK_POOLS_MAX - 1);
        tclk_carrier_read(carrier, pool | TCLK_THREAD_BEGINS);
        tclk_carrier_read(carrier, TCLK_POOL_REST | (i % 2 == 0 ? TCLK_THREAD_ENDS : 0));
    }
    __atomic_fetch_add(&spent_ns, carrier->last.cpu_ns - begin_ns, __ATOMIC_RELAXED);
    return NULL;
}

/* Carriers come and go, as they do after a pause of the program. */
static void *carry_in_turn(void *number)
{
    for (intptr_t i = 0; i < CARRIERS; i++) {
        in_thread(carry, (void *)(*(intptr_t *)number * CARRIERS + i + 1));
    }
    return NULL;
}

static bool is_after(const struct tclk_pool_total *now, const struct tclk_pool_total *before)
{
    int64_t user_ns = now->user_ns - before->user_ns;
    return user_ns >= 0 && user_ns <= now->cpu_ns - before->cpu_ns && now->mounts >= before->mounts &&
           now->begun >= before->begun;
}

static void *look_all_the_time(void *argument)
{
    static struct tclk_virtual_pools seen;
    static struct tclk_virtual_pools before;
    int *breaches = argument;
    seen = pools;
    do {
        before = seen;
        tclk_virtual_pools_update(&seen, no_times, NULL);
        for (uint32_t i = 0; i < TCLK_POOLS_MAX; i++) {
            *breaches += !is_after(&seen.totals[i], &before.totals[i]);
        }
    } while (!__atomic_load_n(&are_over, __ATOMIC_ACQUIRE));
    return NULL;
}

static void nothing_is_lost(void)
{
    static intptr_t numbers[CARRIERS] = {0, 1, 2, 3};
    int breaches = 0;
    tclk_virtual_pools_update(&pools, no_times, NULL);
    const struct tclk_virtual_pools before = pools;
    const int64_t before_ns = sum_cpu_ns();
    pthread_t other = thread_start(look_all_the_time, &breaches);
    in_threads(CARRIERS, carry_in_turn, numbers, sizeof numbers[0]);
    __atomic_store_n(&are_over, true, __ATOMIC_RELEASE);
    pthread_join(other, NULL);
    tclk_virtual_pools_update(&pools, no_times, NULL);
    is_ns(sum_cpu_ns() - before_ns, spent_ns, "pools and the rest are the CPU time of all carriers, ended ones too");
    uint64_t mounts = 0;
    uint64_t threads = 0;
    for (uint32_t i = 1; i < TCLK_POOLS_MAX; i++) {
        mounts += pools.totals[i].mounts - before.totals[i].mounts;
        threads += pools.totals[i].threads - before.totals[i].threads;
    }
    const uint64_t all = (uint64_t)CARRIERS * CARRIERS * (uint64_t)MOUNTS;
    ok(mounts == all, "all mounts count: %llu of %llu", (unsigned long long)mounts, (unsigned long long)all);
    ok(threads == all / 2, "threads are those that have not ended: %llu", (unsigned long long)threads);
    is_ns(breaches, 0, "no total falls, or rises by more user time than CPU time");
}

/* ---- clients ---- */

static void clients_are_told(void)
{
    static struct client_reply reply;
    int client = client_begin();
    ok(client_look(client, &reply, 0), "a request gets its reply");
    ok(reply.head.pools_count > 2 && reply.pools[0].kind == TCLK_REPLY_POOL_REST, "the rest comes first of %u",
       reply.head.pools_count);
    const struct tclk_reply_pool *last = &reply.pools[reply.head.pools_count - 1];
    ok(last->kind == TCLK_REPLY_POOL_OTHERS && last->number == TCLK_POOL_OTHERS, "all others come last");
    const struct tclk_reply_pool *named = &reply.pools[2];
    ok(named->number == A && strcmp(named->name, "a-*") == 0, "a pool comes with its name: %s", named->name);
    is_ns(named->cpu_ns, pools.totals[A].cpu_ns, "and with its times");
    close(client);
    tclk_server_stop();
    ok(client_awaits_end(), "the server ends");
}

int main(void)
{
    names_are_pools();
    an_open_segment_counts();
    later_mounts_count();
    names_are_bounded();
    nothing_is_lost();
    clients_are_told();
    return done();
}
