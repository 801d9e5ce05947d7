/* SPDX-License-Identifier: Apache-2.0 */

/* The kernel's version. */

#include "kernel/release.h"

#include "real.h"

static void reads(const char *text, int major, int minor)
{
    struct tclk_release release = {-1, -1};
    bool read = tclk_release_parse(text, &release);
    ok(read && release.major == major && release.minor == minor, "\"%s\" is %d.%d", text, major, minor);
}

static const char *const no_versions[] = {"",     "6",          "6.",    ".18",
                                          "6-18", "Linux 6.18", " 6.18", "99999999999999999999.1"};

static void refuses(const char *text)
{
    struct tclk_release release = {47, 11};
    bool read = tclk_release_parse(text, &release);
    ok(!read && release.major == 47 && release.minor == 11, "\"%s\" is not a version, and leaves the result alone",
       text);
}

static void compares(void)
{
    struct tclk_release release = {6, 19};
    ok(tclk_release_is_at_least(release, 6, 19), "6.19 is at least 6.19");
    ok(tclk_release_is_at_least(release, 6, 2), "6.19 is at least 6.2: numbers, not digits");
    ok(tclk_release_is_at_least(release, 5, 99), "6.19 is at least 5.99");
    ok(!tclk_release_is_at_least(release, 6, 20), "6.19 is not 6.20");
    ok(!tclk_release_is_at_least(release, 7, 0), "6.19 is not 7.0");
}

static void knows_the_running_one(void)
{
    struct tclk_release release;
    struct utsname name;
    char start[32];
    uname(&name);
    bool known = tclk_release_running(&release);
    snprintf(start, sizeof start, "%d.%d", release.major, release.minor);
    ok(known && strncmp(name.release, start, strlen(start)) == 0, "the running kernel's version is what uname(2) says");
}

int main(void)
{
    reads("6.18.44-cloud-amd64", 6, 18);
    reads("4.18.0-553.el8_10.x86_64", 4, 18);
    reads("5.15.0-1051-aws", 5, 15);
    reads("7.0-rc3", 7, 0);
    reads("6.1", 6, 1);
    reads("10.20.30", 10, 20);
    for (size_t i = 0; i < COUNT(no_versions); i++) {
        refuses(no_versions[i]);
    }
    compares();
    knows_the_running_one();
    return done();
}
