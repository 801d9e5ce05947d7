/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "reader.h"
#include "waiting.h"
#include "workload.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define BAD_USAGE 2

static const char usage[] =
    "usage: accuracy [--quick] [--workload=NAME,...] [--split=NAME,...]\n"
    "\n"
    "Does work of which it knows how much is user time, reads the times of the thread that does "
    "it\n"
    "in several ways, and prints how far each is off: a line of JSON for each on stdout. On "
    "a\n"
    "machine that does other work too, ticks often find others: then the figures are theirs.\n"
    "\n"
    "  --quick           a short run for each workload: no windows of 1 s (45 s, else 12 minutes)\n"
    "  --workload=NAME   only these; see --list. waits: threads that wait for a CPU\n"
    "  --split=NAME      only these readers: proc, ticks, kernel, smoothed, sampled; periods: the\n"
    "                    periods of sampled, by turns\n"
    "  --plant=truth     a wrong truth, to see that it shows; --plant=reader: wrong readings\n"
    "  --list            the workloads\n"
    "  --help\n"
    "\n"
    "exit status: 0; 1 if a workload could not be run; 2 if the options are wrong\n";

static int refuse(const char *option, const char *name, const char *remedy)
{
    fprintf(stderr, "accuracy: --%s=%s: there is no such %s; %s\n", option, name, option, remedy);
    return BAD_USAGE;
}

static int list(void)
{
    for (size_t i = 0; i < workload_count; i++) {
        puts(workloads[i].name);
    }
    puts(WAITING);
    return 0;
}

static int parse_workloads(char *names, struct options *options)
{
    options->workloads = 0;
    options->waits = false;
    char *rest = NULL;
    for (char *name = strtok_r(names, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        const struct workload *workload = workload_of_name(name);
        if (strcmp(name, WAITING) == 0) {
            options->waits = true;
        } else if (workload == NULL) {
            return refuse("workload", name, "accuracy --list names them");
        } else {
            options->workloads |= UINT64_C(1) << (workload - workloads);
        }
    }
    return options->workloads != 0 || options->waits ? -1 : refuse("workload", "", "accuracy --list names them");
}

static int parse_readers(char *names, struct options *options)
{
    static const char remedy[] = "take some of proc, ticks, kernel, smoothed, sampled, periods";
    options->readers = 0;
    options->periods = false;
    char *rest = NULL;
    for (char *name = strtok_r(names, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        enum reader reader = reader_of_name(name);
        if (strcmp(name, "periods") == 0) {
            options->periods = true;
        } else if (reader == READERS) {
            return refuse("split", name, remedy);
        } else {
            options->readers |= READER_BIT(reader);
        }
    }
    return options->readers != 0 || options->periods ? -1 : refuse("split", "", remedy);
}

static int parse_plant(const char *name, struct options *options)
{
    options->plant = strcmp(name, "truth") == 0    ? PLANT_TRUTH
                     : strcmp(name, "reader") == 0 ? PLANT_READER
                                                   : PLANT_NOTHING;
    return options->plant != PLANT_NOTHING ? -1 : refuse("plant", name, "take truth or reader");
}

enum { OPTION_QUICK, OPTION_WORKLOAD, OPTION_SPLIT, OPTION_PLANT, OPTION_LIST, OPTION_HELP };

static const struct option long_options[] = {
    {"quick", no_argument, NULL, OPTION_QUICK},
    {"workload", required_argument, NULL, OPTION_WORKLOAD},
    {"split", required_argument, NULL, OPTION_SPLIT},
    {"plant", required_argument, NULL, OPTION_PLANT},
    {"list", no_argument, NULL, OPTION_LIST},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

static int parse_one(int option, struct options *options)
{
    switch (option) {
    case OPTION_QUICK:
        options->is_quick = true;
        return -1;
    case OPTION_WORKLOAD:
        return parse_workloads(optarg, options);
    case OPTION_SPLIT:
        return parse_readers(optarg, options);
    case OPTION_PLANT:
        return parse_plant(optarg, options);
    case OPTION_LIST:
        return list();
    case OPTION_HELP:
        fputs(usage, stdout);
        return 0;
    default: /* getopt has said what is wrong */
        fputs("accuracy --help names the options\n", stderr);
        return BAD_USAGE;
    }
}

int options_parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){
        .workloads = (UINT64_C(1) << workload_count) - 1, .readers = READER_ALL, .periods = true, .waits = true};
    int status = -1;
    int option;
    while (status == -1 && (option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        status = parse_one(option, options);
    }
    if (status == -1 && optind < argc) {
        fprintf(stderr, "accuracy: %s: not an option; accuracy --help names the options\n", argv[optind]);
        return BAD_USAGE;
    }
    return status;
}
