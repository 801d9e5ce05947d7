/* SPDX-License-Identifier: Apache-2.0 */

/*
 * agents LIBRARY OTHER: loads both copies, of which the program uses LIBRARY by Java code, whose file somebody else's
 * pipe replaces then. Prints how many copies OTHER asks the JVM by, which is a stand-in, and how many files the loader
 * is asked for.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int entered;
static int opened;

typedef void *(*loader)(const char *path, int mode);

/* In place of the loader's. */
__attribute__((visibility("default"))) void *dlopen(const char *path, int mode)
{
    loader real;
    *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    opened++;
    return real(path, mode);
}

static int get_env(void *vm, void **env, int version)
{
    (void)vm;
    (void)version;
    *env = NULL;
    entered++;
    return 0;
}

static void *call(void *library, const char *name)
{
    void *function = library == NULL ? NULL : dlsym(library, name);
    if (function == NULL) {
        (void)fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(1);
    }
    return function;
}

int main(int argc, char **argv)
{
    void *functions[8] = {NULL};
    void *vm = functions;
    int (*on_load)(void *, void *);
    int (*on_attach)(void *, char *, void *);
    if (argc != 3) {
        return 2;
    }
    *(int (**)(void *, void **, int)) & functions[6] = get_env;
    *(void **)&on_load = call(dlopen(argv[1], RTLD_NOW), "JNI_OnLoad");
    on_load((void *)&vm, NULL);
    if (unlink(argv[1]) != 0 || mkfifo(argv[1], 0666) != 0) {
        return 1;
    }
    *(void **)&on_attach = call(dlopen(argv[2], RTLD_NOW), "Agent_OnAttach");
    opened = 0;
    int answer = on_attach((void *)&vm, "names", NULL);
    printf("%d by %d copies, %d files\n", answer, entered, opened);
    return 0;
}
