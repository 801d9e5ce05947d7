/* SPDX-License-Identifier: Apache-2.0 */

/*
 * watch FILE SIGN: maps FILE as data, says that it is ready, and leaves the file SIGN behind when anybody opens FILE,
 * by whatever name.
 */

#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char event[4096];
    int file = argc == 3 ? open(argv[1], O_RDONLY) : -1;
    int watch = inotify_init1(IN_CLOEXEC);
    if (file < 0 || mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED ||
        inotify_add_watch(watch, argv[1], IN_OPEN) < 0) {
        perror("watch");
        return 1;
    }
    puts("ready");
    fflush(stdout);
    if (read(watch, event, sizeof event) > 0) {
        close(open(argv[2], O_CREAT | O_WRONLY, 0644));
    }
    pause();
    return 0;
}
