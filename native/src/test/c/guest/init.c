/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The first process of a booted kernel: runs every program of /tests/FOLDER, one at a time, and restarts the machine.
 * The output of the programs goes to the second serial port, where the kernel's own messages cannot come between. Each
 * program's lines stand between these two:
 *     == begin FOLDER/PROGRAM
 *     == end FOLDER/PROGRAM STATUS MILLISECONDS        (STATUS as a shell has it: 128 + a signal)
 * The first lines are `== cpus N` and `== kernel RELEASE VERSION`, the last `== done`. With tests=FOLDER/PROGRAM,…
 * among the kernel's parameters, which it hands on as a variable, it runs those alone.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define TESTS "/tests"

/* The kernel's own messages go to the other port. */
#if defined(__aarch64__)
#define PORT "/dev/ttyS0" /* the kernel uses ttyAMA0 */
#else
#define PORT "/dev/ttyS1"
#endif

/* The time that a program may take, before it is killed and the next one begins. Emulated, most take seconds. */
#define LIMIT_S 1200

static int port = STDOUT_FILENO;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vdprintf(port, format, arguments);
    va_end(arguments);
}

static void mount_at(const char *path, const char *type)
{
    mkdir(path, 0755);
    if (mount(type, path, type, 0, NULL) != 0) {
        say("== init: mounting %s on %s: %s\n", type, path, strerror(errno));
    }
}

/* Without this the terminal's driver would rewrite the lines. */
static void open_port(void)
{
    struct termios raw;
    int fd = open(PORT, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || tcgetattr(fd, &raw) != 0) {
        say("== init: opening %s: %s\n", PORT, strerror(errno));
        return;
    }
    cfmakeraw(&raw);
    tcsetattr(fd, TCSANOW, &raw);
    port = fd;
}

/* The first perf event of a system, and the last, make the kernel change instructions of the running scheduler. QEMU
 * 7.2 lets another CPU run into the middle of an instruction that is being changed (seen in __schedule of Linux 7.2,
 * which then panics). With one permanent event they are changed once, before there is a second CPU. */
static void keep_an_event(void)
{
    struct perf_event_attr dummy = {.type = PERF_TYPE_SOFTWARE, .size = sizeof dummy, .config = PERF_COUNT_SW_DUMMY};
    if (syscall(SYS_perf_event_open, &dummy, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) < 0) {
        say("== init: perf_event_open: %s\n", strerror(errno));
    }
}

/* Switches on the CPUs that the kernel was told to leave off (boot_kernel.sh says why). */
static void switch_on_cpus(void)
{
    char path[64];
    int fd;
    for (int cpu = 1; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/online", cpu);
        fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd < 0 || write(fd, "1", 1) != 1) {
            say("== init: writing 1 to %s: %s\n", path, strerror(errno));
        }
        close(fd);
    }
    say("== cpus %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void be_program(const char *path)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    setenv("TCLK_BRIEF", "1", 1);
    setenv("TCLK_LATE_TIMERS", "1", 1);
    dup2(port, STDOUT_FILENO);
    dup2(port, STDERR_FILENO);
    execl(path, path, (char *)NULL);
    printf("not ok - starts\n# execl: %s\n", strerror(errno));
    fflush(stdout);
    _exit(127);
}

/* Orphaned processes become this process's children, too. */
static bool is_over(pid_t program, int *status)
{
    pid_t ended;
    int how;
    while ((ended = waitpid(-1, &how, WNOHANG)) > 0) {
        if (ended == program) {
            *status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
            return true;
        }
    }
    return false;
}

static int wait_for(pid_t program)
{
    sigset_t child;
    int status = 0;
    int64_t deadline_ms = now_ms() + LIMIT_S * 1000;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    while (!is_over(program, &status)) {
        struct timespec second = {.tv_sec = 1};
        sigtimedwait(&child, NULL, &second);
        if (now_ms() > deadline_ms) {
            say("\n# ended by init: still running after %d s\n", LIMIT_S);
            kill(-program, SIGKILL);
            deadline_ms = INT64_MAX;
        }
    }
    kill(-program, SIGKILL); /* processes that it has left behind */
    return status;
}

/* Whether this is a word of the list, or there is no list. */
static bool is_wanted(const char *program)
{
    const char *list = getenv("tests");
    size_t length = strlen(program);
    while (list != NULL && (strncmp(list, program, length) != 0 || (list[length] != ',' && list[length] != '\0'))) {
        list = strchr(list, ',');
        if (list == NULL) {
            return false;
        }
        list++;
    }
    return true;
}

static void run(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!is_wanted(path)) {
        return;
    }
    snprintf(path, sizeof path, TESTS "/%s/%s", folder, name);
    say("== begin %s/%s\n", folder, name);
    int64_t start_ms = now_ms();
    pid_t program = fork();
    if (program == 0) {
        be_program(path);
    }
    int status = wait_for(program);
    say("\n== end %s/%s %d %" PRId64 "\n", folder, name, status, now_ms() - start_ms);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void for_each_in(const char *path, const char *folder, void (*visit)(const char *folder, const char *name))
{
    struct dirent **entries;
    int n = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        visit(folder, entries[i]->d_name);
    }
}

static void run_folder(const char *unused, const char *folder)
{
    char path[256];
    (void)unused;
    snprintf(path, sizeof path, TESTS "/%s", folder);
    for_each_in(path, folder, run);
}

static void prepare(void)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    mount_at("/dev", "devtmpfs");
    open_port();
    mount_at("/proc", "proc");
    mount_at("/sys", "sysfs");
    mount_at("/tmp", "tmpfs");
    setenv("PATH", "/bin", 1);
    setenv("HOME", "/tmp", 1);
}

int main(void)
{
    struct utsname kernel;
    prepare();
    keep_an_event();
    switch_on_cpus();
    uname(&kernel);
    say("== kernel %s %s\n", kernel.release, kernel.version);
    for_each_in(TESTS, NULL, run_folder);
    say("== done\n");
    tcdrain(port);
    reboot(RB_AUTOBOOT);
    return 1;
}
