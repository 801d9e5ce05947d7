/* SPDX-License-Identifier: Apache-2.0 */

/* Tests what clients of the server are told about the threads of this process. */

#include "client.h"
#include "kernel/clockid.h"
#include "kind.h"
#include "serve/virtual_pools.h"
#include "threads.h"

#include <semaphore.h>
#include <sys/prctl.h>
#include <tap.h>

#define JAVA_ID 4711
#define WORK_NS (30 * MS)
#define LOOKS (int)kind_rounds(40)

static struct client_reply reply;

struct worker {
    pthread_t thread;
    pid_t tid;
    int64_t work_ns;
    sem_t is_done;
    sem_t may_end;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    prctl(PR_SET_NAME, "a worker) (S 1");
    worker->tid = tclk_tid_own();
    spin_cpu_ns(worker->work_ns);
    sem_post(&worker->is_done);
    sem_wait(&worker->may_end);
    return NULL;
}

static void begin(struct worker *worker, int64_t work_ns)
{
    worker->work_ns = work_ns;
    sem_init(&worker->is_done, 0, 0);
    sem_init(&worker->may_end, 0, 0);
    worker->thread = thread_start(work, worker);
    sem_wait(&worker->is_done);
}

static void end(struct worker *worker)
{
    sem_post(&worker->may_end);
    pthread_join(worker->thread, NULL);
}

static bool look(int client, uint64_t named)
{
    if (!client_look(client, &reply, named)) {
        ok(false, "a request gets its reply");
        exit(1);
    }
    return true;
}

static int64_t kernels_ns(pid_t tid)
{
    int64_t cpu_ns = -1;
    tclk_clock_read_thread(tid, TCLK_CLOCK_SCHED, &cpu_ns);
    return cpu_ns;
}

/* ---- times ---- */

static void tells_the_times_of_a_thread(int client, const struct worker *worker)
{
    int64_t before_ns = kernels_ns(worker->tid);
    look(client, 0);
    int64_t after_ns = kernels_ns(worker->tid);
    const struct tclk_reply_times *times = client_times(&reply, worker->tid);
    ok(times != NULL, "a thread that is there has times");
    ok(before_ns <= times->cpu_ns && times->cpu_ns <= after_ns, "a sleeping thread's CPU time is the kernel's");
    diag("%" PRId64 " <= %" PRId64 " <= %" PRId64, before_ns, times->cpu_ns, after_ns);
    ok(times->user_ns >= 0 && times->user_ns <= times->cpu_ns, "user time is a part of it");
}

/* The server pauses after the sum, the longer the more it costs the kernel. */
static bool process_reaches(int client, int64_t cpu_ns)
{
    do {
        look(client, 0);
    } while (reply.head.process_cpu_ns < cpu_ns);
    return reply.head.process_cpu_ns >= cpu_ns;
}

static void tells_of_the_process(int client)
{
    int64_t before_ns = clock_now_ns(CLOCK_PROCESS_CPUTIME_ID);
    look(client, 0);
    ok(reply.head.pid == (uint32_t)getpid(), "a reply names the process");
    ok(process_reaches(client, before_ns), "the process's CPU time comes up to the kernel's");
    ok(reply.head.process_cpu_ns <= clock_now_ns(CLOCK_PROCESS_CPUTIME_ID), "…and not beyond");
    ok(reply.head.process_user_ns >= 0 && reply.head.process_user_ns <= reply.head.process_cpu_ns,
       "its user time is a part of it");
    ok(reply.head.own_cpu_ns > 0 && client_times(&reply, (pid_t)reply.head.own_tid) != NULL,
       "the server tells what it costs itself, and is one of the threads");
    ok(reply.head.threads == reply.head.times_count && reply.head.flags == 0, "all threads are told: %u of %u",
       reply.head.times_count, reply.head.threads);
}

static void times_never_decrease(int client, const struct worker *worker)
{
    int64_t cpu_ns = 0;
    int64_t user_ns = 0;
    int wrong = 0;
    for (int i = 0; i < LOOKS; i++) {
        look(client, 0);
        const struct tclk_reply_times *own = client_times(&reply, tclk_tid_own());
        const struct tclk_reply_times *other = client_times(&reply, worker->tid);
        wrong += own == NULL || other == NULL || own->cpu_ns < cpu_ns || own->user_ns < user_ns;
        cpu_ns = own == NULL ? cpu_ns : own->cpu_ns;
        user_ns = own == NULL ? user_ns : own->user_ns;
        spin_cpu_ns(MS);
    }
    is_ns(wrong, 0, "times of one thread never decrease from look to look");
    ok(cpu_ns >= (LOOKS - 1) * MS, "and those of one that runs increase: %" PRId64, cpu_ns);
}

/* ---- names ---- */

static void names_new_threads_once(int client, const struct worker *worker)
{
    look(client, 0);
    const struct tclk_reply_name *name = client_name(&reply, worker->tid);
    ok(name != NULL && strcmp(name->comm, "a worker) (S 1") == 0, "a thread is named as the kernel does");
    ok(name != NULL && name->start_ns > 0 && name->start_ns <= clock_now_ns(CLOCK_BOOTTIME),
       "with the moment of its start");
    uint64_t named = reply.head.named;
    look(client, named);
    ok(client_name(&reply, worker->tid) == NULL, "a client that knows the name is not told it again");
    look(client, 0);
    ok(client_name(&reply, worker->tid) != NULL, "a client that does not know the name is told it");
}

static bool is_renamed(int client, pid_t tid, const char *comm)
{
    uint64_t named = 0;
    for (;;) {
        look(client, named);
        const struct tclk_reply_name *name = client_name(&reply, tid);
        if (name != NULL && strcmp(name->comm, comm) == 0) {
            return true;
        }
        named = reply.head.named;
    }
}

static void names_a_renamed_thread_again(int client)
{
    prctl(PR_SET_NAME, "renamed");
    ok(is_renamed(client, tclk_tid_own(), "renamed"), "a thread that renames itself is named again");
}

static void names_a_carrier_again(int client)
{
    look(client, 0);
    uint64_t named = reply.head.named;
    tclk_carrier_enter();
    do {
        look(client, named);
    } while (client_name(&reply, tclk_tid_own()) == NULL);
    is_ns(client_name(&reply, tclk_tid_own())->flags, TCLK_REPLY_CARRIER,
          "a thread that begins to carry is named again");
    tclk_carrier_leave();
}

static bool comes(int client, pid_t tid, bool there)
{
    do {
        look(client, 0);
    } while ((client_times(&reply, tid) != NULL) != there);
    return (client_times(&reply, tid) != NULL) == there;
}

static void threads_come_and_go(int client)
{
    struct worker late;
    begin(&late, WORK_NS);
    ok(comes(client, late.tid, true), "a thread that starts is reported");
    end(&late);
    ok(comes(client, late.tid, false), "a thread that has ended is no longer reported");
}

static int times_told(pid_t tid)
{
    int told = 0;
    for (uint32_t i = 0; i < reply.head.times_count; i++) {
        told += reply.times[i].tid == (uint32_t)tid;
    }
    return told;
}

/* The row of a thread that has ended is given up, and those behind it move. */
static void each_is_told_once_behind_one_that_has_ended(int client)
{
    struct worker ends, stays, starts;
    begin(&ends, 0);
    begin(&stays, 0);
    comes(client, stays.tid, true);
    end(&ends);
    comes(client, ends.tid, false);
    begin(&starts, 0);
    comes(client, starts.tid, true);
    end(&starts);
    comes(client, starts.tid, false);
    is_ns(times_told(stays.tid), 1, "a thread behind one that has ended is told once, whoever comes and goes");
    end(&stays);
}

static pid_t java_tid;
static int64_t java_alive_ns;

static void tell_java_id(struct tclk_thread_table *table)
{
    tclk_thread_table_tell_java_id(table, java_tid, JAVA_ID, java_alive_ns);
}

static int64_t told_java_id(int64_t alive_at_ns)
{
    java_alive_ns = alive_at_ns;
    tclk_server_start(tell_java_id);
    int client = client_connect(client_path());
    look(client, 0);
    const struct tclk_reply_name *name = client_name(&reply, java_tid);
    int64_t java_id = name == NULL ? -1 : name->java_id;
    client_leave(client);
    return java_id;
}

static void tells_java_ids(const struct worker *worker)
{
    java_tid = worker->tid;
    is_ns(told_java_id(clock_now_ns(CLOCK_BOOTTIME)), JAVA_ID, "a thread's Java id is told");
    is_ns(told_java_id(clock_now_ns(CLOCK_BOOTTIME) - 3600 * S), 0,
          "but not that of one that had the tid before it started");
}

static bool begin_with_tid(struct worker *worker, pid_t tid)
{
    for (int attempt = 0; attempt < 50; attempt++) {
        if (!thread_choose_next_tid(tid)) {
            return false;
        }
        begin(worker, WORK_NS / 10);
        if (worker->tid == tid) {
            return true;
        }
        end(worker);
    }
    return false;
}

/* A Java thread that has worked and was reported, and a thread that has got its tid. */
struct succession {
    int client;
    struct worker heir;
    uint64_t named;   /* before the second thread existed */
    int64_t start_ns; /* of the Java thread */
    int64_t told_ns;  /* what it had used */
};

static bool succeeds(struct succession *s, int64_t work_ns)
{
    struct worker first;
    begin(&first, work_ns);
    java_tid = first.tid;
    java_alive_ns = clock_now_ns(CLOCK_BOOTTIME);
    tclk_server_start(tell_java_id);
    s->client = client_connect(client_path());
    look(s->client, 0); /* the next one would get its name in any case, in its turn */
    look(s->client, 0);
    s->named = reply.head.named;
    s->start_ns = client_name(&reply, java_tid)->start_ns;
    s->told_ns = client_times(&reply, java_tid)->cpu_ns;
    end(&first);
    thread_await_gone(java_tid);
    sleep_ns(40 * MS); /* the kernel takes longer until it gives a tid again */
    return begin_with_tid(&s->heir, java_tid);
}

static void leave(struct succession *s)
{
    close(s->client);
    client_awaits_end();
}

/* The new thread must have used less than was told of the old one, by the server's own reading. If the machine is
 * emulated and held up, the kernel may book more for its start alone, or while both go to sleep. Then this tries
 * again with an old thread that has used more. */
#define SUCCESSIONS 8
#define CLEARLY 2

static bool succeeds_with_less(struct succession *s)
{
    for (int i = 0; i < SUCCESSIONS; i++) {
        if (!succeeds(s, WORK_NS << i)) {
            leave(s);
            return false;
        }
        if (CLEARLY * kernels_ns(java_tid) < s->told_ns) {
            return true;
        }
        diag("the next one has used %" PRId64 " ns, of %" PRId64, kernels_ns(java_tid), s->told_ns);
        end(&s->heir);
        leave(s);
    }
    return false;
}

/* The name must come with the first times of the new thread, which are no other's. */
static void tells_of_the_next_one_of_a_tid(void)
{
    const char *law = "who gets the tid of a Java thread is named anew, without its Java id";
    struct succession s;
    if (!succeeds_with_less(&s)) {
        skip(law, THREAD_TID_CHOICE ", and one who has used less than the thread before it");
        return;
    }
    look(s.client, s.named);
    const struct tclk_reply_name *name = client_name(&reply, java_tid);
    const struct tclk_reply_times *times = client_times(&reply, java_tid);
    ok(name != NULL && name->start_ns > s.start_ns && name->java_id == 0, "%s", law);
    int64_t own_ns = kernels_ns(java_tid);
    ok(times != NULL && times->cpu_ns <= own_ns, "the new thread is reported with its own CPU time");
    diag("%" PRId64 " ns told, %" PRId64 " ns by the kernel", times == NULL ? -1 : times->cpu_ns, own_ns);
    end(&s.heir);
    leave(&s);
}

/* ---- many ---- */

#define MANY kind_rounds(1000)

static sem_t many_may_end;

static void *sleep_long(void *unused)
{
    sem_wait(&many_may_end);
    return unused;
}

/* The table grows. A thread that does not fit into the first second is reported a little later. */
static void tells_of_many(int client)
{
    pthread_t *threads = calloc((size_t)MANY, sizeof *threads);
    sem_init(&many_may_end, 0, 0);
    for (int i = 0; i < MANY; i++) {
        threads[i] = thread_start(sleep_long, NULL);
    }
    do {
        look(client, 0);
    } while ((reply.head.times_count < MANY || reply.head.names_count < MANY));
    ok(reply.head.times_count >= MANY && reply.head.names_count >= MANY, "many threads are all told of: %u of %u",
       reply.head.times_count, reply.head.threads);
    for (int i = 0; i < MANY; i++) {
        sem_post(&many_may_end);
    }
    for (int i = 0; i < MANY; i++) {
        pthread_join(threads[i], NULL);
    }
    free(threads);
}

int main(void)
{
    struct worker worker;
    begin(&worker, WORK_NS);
    int client = client_begin();
    tells_the_times_of_a_thread(client, &worker);
    names_new_threads_once(client, &worker);
    tells_of_the_process(client);
    times_never_decrease(client, &worker);
    names_a_renamed_thread_again(client);
    names_a_carrier_again(client);
    threads_come_and_go(client);
    each_is_told_once_behind_one_that_has_ended(client);
    tells_of_many(client);
    client_leave(client);
    tells_java_ids(&worker);
    end(&worker);
    tells_of_the_next_one_of_a_tid();
    free(reply.bytes);
    return done();
}
