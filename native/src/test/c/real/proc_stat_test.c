/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the parser of /proc/PID/task/TID/stat, on lines of several kernels, and on worse ones. */

#include "kernel/proc_stat.h"

#include "real.h"

/* The fields after comm: state, then the 4th to the last one. utime is 1234, stime 567. */
#define REST_OF(more) " S 1 4242 4242 34816 4242 4194304 1190 0 3 0 1234 567 0 0 20 0 12 0 98765" more "\n"

/* 2.6.32 ends with 44 fields, 3.10 with 45 or so, since 3.5 there are 52. */
static const char *const rests[] = {
    REST_OF(" 12345344 512 18446744073709551615 4194304 4238788 140737488346192 0 0 0 0 4096 "
            "134217728 18446744073709551615 0 0 17 1 0 0 0 0 0"),
    REST_OF(" 12345344 512 18446744073709551615 4194304 4238788 140737488346192 0 0 0 0 4096 "
            "134217728 0 0 0 17 1 0 0 2 0 0 6336016 6337300 24596480 140737488349210 "
            "140737488349230 140737488349230 140737488351209 0"),
    (" R 1 4242 4242 0 -1 4194368 1190 0 3 0 1234 567 0 0 20 0 12 0 98765 9876543210 1024 "
     "18446744073709551615 94558420111360 94558420131360 140722222222222 0 0 0 0 0 0 0 0 0 -1 3 0 "
     "0 "
     "0 0 0 94558420150000 94558420152000 94558443000000 140722222225000 140722222225020 "
     "140722222225020 140722222227432 0\n"),
    /* A kernel thread: no memory at all. */
    (" I 2 0 0 0 -1 69238880 0 0 0 0 1234 567 0 0 0 -20 1 0 15 0 0 18446744073709551615 0 0 0 0 0 "
     "0 "
     "0 2147483647 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"),
};

/* A name that a program may set, 15 bytes at most. */
struct comm {
    const char *bytes;
    size_t length;
};

#define COMM(text)                                                                                                     \
    {                                                                                                                  \
        text, sizeof(text) - 1                                                                                         \
    }

static const struct comm comms[] = {
    COMM("java"),
    COMM("C2 CompilerThre"),
    COMM("a) R 1 2 3"),
    COMM(") S 1 2 3 4 5 6"),
    COMM("x) R 0 0 0 0 0 "),
    COMM(" "),
    COMM("   "),
    COMM("a\nb"),
    COMM("\n"),
    COMM("\0\0\0"),
    COMM("a\0) R 1 2"),
    COMM(""),
    COMM(")"),
    COMM("("),
    COMM(")))))))))))))))"),
    COMM("() ("),
    COMM("1 (2) 3"),
    COMM("\xd0\xbf\xd0\xbe\xd1\x82\xd1\x96\xd0\xba"),
    COMM("\xff\xfe\x80"),
    COMM("%s%n\\"),
};

static size_t line_of(char *line, struct comm comm, const char *rest)
{
    size_t at = (size_t)sprintf(line, "4711 (");
    memcpy(line + at, comm.bytes, comm.length);
    at += comm.length;
    line[at++] = ')';
    strcpy(line + at, rest);
    return at + strlen(rest);
}

/* Parses memory that ends where the text ends, so that AddressSanitizer sees any read beyond it. */
static int parse(const char *text, size_t length, struct tclk_proc_stat *stat)
{
    char *exact = malloc(length + 1);
    char *start = exact + 1; /* malloc(0) may be NULL */
    memcpy(start, text, length);
    int error = tclk_proc_stat_parse(start, length, stat);
    if (error == 0) {
        stat->comm = text + (stat->comm - start);
    }
    free(exact);
    return error;
}

static bool is_whole(const struct tclk_proc_stat *stat, struct comm comm, char state)
{
    return stat->tid == 4711 && stat->comm_len == comm.length && memcmp(stat->comm, comm.bytes, comm.length) == 0 &&
           stat->state == state && stat->utime_ticks == 1234 && stat->stime_ticks == 567 && stat->starttime_ticks >= 15;
}

static void reads_every_comm(const char *rest)
{
    char line[TCLK_PROC_STAT_MAX];
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT(comms); i++) {
        struct tclk_proc_stat stat;
        size_t length = line_of(line, comms[i], rest);
        int error = parse(line, length, &stat);
        if (error != 0 || !is_whole(&stat, comms[i], rest[1])) {
            diag("wrong for comm %zu: error %d", i, error);
            wrong++;
        }
    }
    is_ns(wrong, 0, "reads the line, whatever bytes its comm has: …)%.24s…", rest);
}

/* A cut line may be complete as far as stime, but must not give a wrong result. */
static size_t wrong_when_cut(const char *line, size_t length, struct comm comm, char state)
{
    size_t wrong = 0;
    for (size_t n = 1; n < length; n++) {
        struct tclk_proc_stat stat;
        int error = parse(line, n, &stat);
        if (error == 0 ? !is_whole(&stat, comm, state) : error != -EBADMSG) {
            diag("cut to %zu bytes: error %d", n, error);
            wrong++;
        }
    }
    return wrong;
}

static void survives_every_cut(const char *rest)
{
    char line[TCLK_PROC_STAT_MAX];
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT(comms); i++) {
        size_t length = line_of(line, comms[i], rest);
        wrong += wrong_when_cut(line, length, comms[i], rest[1]);
    }
    is_ns(wrong, 0, "a line cut anywhere is refused or says the same: …)%.24s…", rest);
}

static void reads_long_names(void)
{
    static const struct comm names[] = {
        COMM("kworker/u257:3+events_unbound_with_a_description_of_60_bytes_and_4"),
        COMM("x) R 1 1 1 1 1 1 1 1 1 1 88 99 0 0 20 0 1 0 1 2 3 4 5 6 7 8 9 10"),
    };
    char line[TCLK_PROC_STAT_MAX];
    for (size_t i = 0; i < COUNT(names); i++) {
        struct tclk_proc_stat stat;
        size_t length = line_of(line, names[i], rests[3]);
        int error = parse(line, length, &stat);
        ok(error == 0 && is_whole(&stat, names[i], 'I'), "reads a kernel thread's name of %zu bytes: \"%.12s…\"",
           names[i].length, names[i].bytes);
    }
}

static void answers(int expected, const char *text, const char *sentence)
{
    struct tclk_proc_stat stat;
    struct tclk_proc_stat before;
    memset(&stat, 0x5a, sizeof stat);
    memcpy(&before, &stat, sizeof stat);
    int error = parse(text, strlen(text), &stat);
    is_ns(error, expected, "%s", sentence);
    ok(memcmp(&stat, &before, sizeof stat) == 0, "… and leaves the result alone");
}

static void refuses(void)
{
    answers(-ESRCH, "", "an empty file is a thread that has gone");
    answers(-EBADMSG, "\n", "an empty line is no stat line");
    answers(-EBADMSG, "(java) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20\n",
            "there is no line without a tid");
    answers(-EBADMSG, "47 java S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20\n", "nor without parentheses");
    answers(-EBADMSG, "47 (java S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20\n", "nor with one alone");
    answers(-EBADMSG, "-47 (java) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20\n", "no tid is negative");
    answers(-EBADMSG, "2147483648 (java) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20\n",
            "no tid has more than 31 bits");
    answers(-EBADMSG, "47 (java)  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20\n", "a state is missing");
    answers(-EBADMSG, "47 (java) S 1 2 3 4 5 6 7 8 9 10 -11 12 13 14 15 16 17 18 98765 20\n", "no utime is negative");
    answers(-EBADMSG, "47 (java) S 1 2 3 4 5 6 7 8 9 10 11 0x12 13 14 15 16 17 18 98765 20\n",
            "no stime is hexadecimal");
    answers(-EBADMSG, "47 (java) S 1 2 3 4 5 6 7 8 9 10 1.1 12 13 14 15 16 17 18 98765 20\n", "no utime has a point");
    answers(-EBADMSG, "47 (java) S 1 2 3 4 5 6 7 8 9 10 18446744073709551616 12 13 14 15 16 17 18 98765 20\n",
            "a utime beyond 64 bits is refused, not wrapped");
    answers(-EBADMSG, "47 (java) S 1 2 3 4 5 6 7 8 9 10 11 99999999999999999999 13 14 15 16 17 18 98765 20\n",
            "so is a stime");
    answers(-EBADMSG, "47 (java) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 -1 20\n", "no starttime is negative");
}

static void reads_the_largest_numbers(void)
{
    const char *line = "2147483647 (a) S 1 2 3 4 5 6 7 8 9 10 18446744073709551615 0 13 14 15 16 17 18 98765 20\n";
    struct tclk_proc_stat stat = {0};
    int error = parse(line, strlen(line), &stat);
    ok(error == 0 && stat.tid == INT32_MAX && stat.utime_ticks == UINT64_MAX,
       "the largest tid and the largest utime are read");
}

#define MUTANTS 50000

/* A line with a few changed bytes. The result is unknown, but it is one of three, and nothing outside the line is
 * read (AddressSanitizer). */
static void survives_mutation(void)
{
    static const char bytes[] = "0123456789 ()-\n\0S~";
    char line[TCLK_PROC_STAT_MAX];
    size_t other = 0;
    srand(4711);
    for (int i = 0; i < MUTANTS; i++) {
        struct tclk_proc_stat stat;
        size_t length = line_of(line, comms[(size_t)rand() % COUNT(comms)], rests[i % 4]);
        for (int changes = rand() % 8; changes >= 0; changes--) {
            line[(size_t)rand() % length] = bytes[(size_t)rand() % sizeof bytes];
        }
        int error = parse(line, (size_t)rand() % (length + 1), &stat);
        other += error != 0 && error != -EBADMSG && error != -ESRCH;
    }
    is_ns(other, 0, "%d mutilated lines are read, refused or empty", MUTANTS);
}

int main(void)
{
    for (size_t i = 0; i < COUNT(rests); i++) {
        reads_every_comm(rests[i]);
        survives_every_cut(rests[i]);
    }
    reads_long_names();
    refuses();
    reads_the_largest_numbers();
    survives_mutation();
    return done();
}
