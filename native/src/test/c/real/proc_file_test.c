/* SPDX-License-Identifier: Apache-2.0 */

/* Tests user time from /proc, as JDK 8 to 25 read it: in the kernel's own files, and in a /proc of the test's. */

#include "kernel/proc_stat.h"
#include "kernel/proc_status.h"
#include "real.h"

/* /proc counts in hundredths of a second. */
#define USER_TICK_NS (10 * MS)

/* ---- the kernel's files ---- */

static bool agrees_with_usage(void)
{
    int64_t user_ns = -1;
    int64_t before_ns = kernel_user_ns();
    int error = tclk_proc_stat_user_ns("/proc", tclk_tid_own(), &user_ns);
    int64_t after_ns = kernel_user_ns();
    bool agrees = error == 0 && user_ns > before_ns - USER_TICK_NS && user_ns <= after_ns;
    if (!agrees) {
        diag("error %d: %" PRId64 " - 10 ms < %" PRId64 " <= %" PRId64, error, before_ns, user_ns, after_ns);
    }
    return agrees;
}

static void in_second_thread(void)
{
    spin_cpu_ns(30 * MS);
    ok(agrees_with_usage(), "a second thread reads its own user time");
}

static void agrees(void)
{
    int wrong = 0;
    for (int i = 0; i < 20; i++) {
        spin_cpu_ns(5 * MS);
        wrong += !agrees_with_usage();
    }
    is_ns(wrong, 0, "the real file is getrusage's user time, cut to hundredths of a second");
    test_in_thread(in_second_thread);
}

static void vanished(void)
{
    pid_t tid = thread_ended_tid();
    int64_t user_ns = 4711;
    is_ns(tclk_proc_stat_user_ns("/proc", tid, &user_ns), -ESRCH, "a thread that has ended is not there");
    is_ns(tclk_proc_stat_user_ns("/proc", 0, &user_ns), -ESRCH, "nor is one with tid 0");
    is_ns(tclk_proc_stat_user_ns("/nowhere", tid, &user_ns), -ENOENT,
          "where this thread is not to be found either, /proc is missing, not the thread");
    is_ns(user_ns, 4711, "the result is left alone on error");
}

static const char *const names[] = {
    "java",
    "a) R 1 2 3",
    ") S 1 2 3 4 5 6",
    " ",
    "   ",
    "",
    ")",
    "(",
    ")))))))))))))))",
    "1 (2) 3",
    "exactly-15-byte",
    "\xd0\xbf\xd0\xbe\xd1\x82\xd1\x96\xd0\xba",
    "\xff\xfe\x80",
};

/* The kernel escapes newlines (and backslashes) in some versions. */
static const char *const escaped_names[] = {"a\nb", "\n\n\n", "\\n\n) R 1"};

static int own_stat(struct tclk_proc_stat *stat, char *line, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tclk_tid_own());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = read(fd, line, size);
    close(fd);
    return n < 0 ? -errno : tclk_proc_stat_parse(line, (size_t)n, stat);
}

static bool is_read_right(const char *name, bool compares)
{
    char line[TCLK_PROC_STAT_MAX];
    struct tclk_proc_stat stat;
    prctl(PR_SET_NAME, name);
    int error = own_stat(&stat, line, sizeof line);
    bool right = error == 0 && stat.tid == tclk_tid_own() && stat.state == 'R' && agrees_with_usage() &&
                 (!compares || (stat.comm_len == strlen(name) && memcmp(stat.comm, name, stat.comm_len) == 0));
    if (!right) {
        diag("wrong for a thread named \"%s\": error %d", name, error);
    }
    return right;
}

static void survives_names(void)
{
    int wrong = 0;
    for (size_t i = 0; i < COUNT(names); i++) {
        wrong += !is_read_right(names[i], true);
    }
    for (size_t i = 0; i < COUNT(escaped_names); i++) {
        wrong += !is_read_right(escaped_names[i], false);
    }
    is_ns(wrong, 0, "reads a thread's own line under %zu names", COUNT(names) + COUNT(escaped_names));
    prctl(PR_SET_NAME, "proc_file_test");
}

/* ---- a /proc of the test's ---- */

static char root[] = "/tmp/threadclock-proc-XXXXXX";

static void write_of_thread(const char *tid, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/self/task/%s/%s", root, tid, name);
    file_write(path, text);
}

static void line_with_utime(char *line, size_t size, const char *utime)
{
    snprintf(line, size, "1 (a) S 1 2 3 4 5 6 7 8 9 10 %s 567 0 0 20 0 12 0 98765 0\n", utime);
}

static void gives(const char *tid, const char *utime, int64_t expected_ns)
{
    char line[128];
    int64_t user_ns = -1;
    line_with_utime(line, sizeof line, utime);
    write_of_thread(tid, "stat", line);
    int error = tclk_proc_stat_user_ns(root, (pid_t)atol(tid), &user_ns);
    ok(error == 0 && user_ns == expected_ns, "thread %s with utime %s: %" PRId64 " ns", tid, utime, expected_ns);
}

static void refuses(const char *tid, const char *text, int expected, const char *sentence)
{
    int64_t user_ns = 4711;
    write_of_thread(tid, "stat", text);
    is_ns(tclk_proc_stat_user_ns(root, (pid_t)atol(tid), &user_ns), expected, "%s", sentence);
    is_ns(user_ns, 4711, "… and leaves the result alone");
}

static void reads_what_is_there(void)
{
    char line[128];
    gives("1", "0", 0);
    gives("42", "1", 10 * MS);
    gives("4194304", "123456789", 123456789 * USER_TICK_NS);
    gives("2147483647", "922337203685", 922337203685 * USER_TICK_NS);
    refuses("7", "", -ESRCH, "an empty file is a thread that has gone");
    refuses("8", "8 (a) S 1 2 3 4 5 6 7 8 9 1", -EBADMSG, "a cut line is refused");
    line_with_utime(line, sizeof line, "922337203686");
    refuses("9", line, -EBADMSG, "so are more ticks than 63 bits of ns can say");
    line_with_utime(line, sizeof line, "18446744073709551615");
    refuses("10", line, -EBADMSG, "by however much");
}

/* ---- switches, in a thread's status ---- */

static void status_is(const char *tid, const char *text, int expected, const char *sentence)
{
    struct tclk_switches switches = {4711, 4711};
    write_of_thread(tid, "status", text);
    is_ns(tclk_proc_status_read_switches(root, (pid_t)atol(tid), &switches), expected, "%s", sentence);
    ok(expected == 0 ? switches.voluntary == 12 && switches.involuntary == 345
                     : switches.voluntary == 4711 && switches.involuntary == 4711,
       "… and the result is %s", expected == 0 ? "12 and 345" : "left alone");
}

/* As long as the groups of a user, or the CPUs of a machine, may make it. */
static void long_status(char *text, size_t groups)
{
    char *at = text + sprintf(text, "Name:\ta\nGroups:\t");
    for (size_t i = 0; i < groups; i++) {
        at += sprintf(at, "1%04zu ", i);
    }
    sprintf(at, "\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t345\n"
                "x86_Thread_features:\t\nx86_Thread_features_locked:\t\n");
}

static void reads_switches(void)
{
    static char text[40000];
    char tid[16];
    for (size_t groups = 0; groups < 400; groups += 37) {
        snprintf(tid, sizeof tid, "%zu", 1000 + groups);
        long_status(text, groups);
        status_is(tid, text, 0, "switches are found behind lines of any length");
    }
    status_is("21", "Name:\ta\n", -EBADMSG, "a status without switches is refused");
    status_is("22", "a\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t34", -EBADMSG,
              "so is one that is cut short");
    status_is("23", "a\nvoluntary_ctxt_switches:\t-1\nnonvoluntary_ctxt_switches:\t345\n", -EBADMSG,
              "and one with a sign");
    status_is("25",
              "Name:\tx\nvoluntary_ctxt_switches:\t9\nvoluntary_ctxt_switches:\t12\n"
              "nonvoluntary_ctxt_switches:\t345\n",
              0, "a name that looks like a line is not taken for one");
    status_is("24", "", -EBADMSG, "and an empty one");
    struct tclk_switches switches;
    struct rusage before = usage_of(RUSAGE_THREAD);
    int error = tclk_proc_status_read_switches("/proc", tclk_tid_own(), &switches);
    struct rusage after = usage_of(RUSAGE_THREAD);
    ok(error == 0 && before.ru_nvcsw <= switches.voluntary && switches.voluntary <= after.ru_nvcsw &&
           before.ru_nivcsw <= switches.involuntary && switches.involuntary <= after.ru_nivcsw,
       "the real file is getrusage's switches");
    is_ns(tclk_proc_status_read_switches("/proc", thread_ended_tid(), &switches), -ESRCH,
          "a thread that has ended has no status");
}

static void says_what_opening_answered(void)
{
    int64_t user_ns = 4711;
    is_ns(tclk_proc_stat_user_ns("/dev/null", 1, &user_ns), -ENOTDIR,
          "a /proc that is no directory: what open(2) answers");
    process_limit(RLIMIT_NOFILE, 0);
    is_ns(tclk_proc_stat_user_ns("/proc", tclk_tid_own(), &user_ns), -EMFILE,
          "no descriptor left: what open(2) answers");
}

static void leaves_nothing_open(void)
{
    int64_t user_ns;
    int64_t before = leftovers_descriptors();
    for (int i = 0; i < 100; i++) {
        tclk_proc_stat_user_ns("/proc", tclk_tid_own(), &user_ns);
        tclk_proc_stat_user_ns(root, 7, &user_ns);
    }
    is_ns(leftovers_descriptors(), before, "no descriptor stays open");
}

int main(void)
{
    agrees();
    vanished();
    survives_names();
    if (mkdtemp(root) == NULL) {
        return 2;
    }
    reads_what_is_there();
    reads_switches();
    leaves_nothing_open();
    folder_remove(root);
    in_child(says_what_opening_answered);
    return done();
}
