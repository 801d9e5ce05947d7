/* SPDX-License-Identifier: Apache-2.0 */

/* The walk through the VM's tables, over recorded memory: what it reads may be anything. */

#include "jvm/vm_structs.h"

#include "image.h"
#include "kernel/own_memory.h"
#include "law.h"

#include <errno.h>
#include <string.h>

static const uint8_t *pieces;
static size_t pieces_size;

/* In place of kernel/own_memory.c. */
int tclk_own_memory_read(uint64_t address, void *to, size_t size)
{
    struct image_piece piece;
    for (size_t at = 0; pieces_size - at >= sizeof piece; at += sizeof piece + piece.length) {
        memcpy(&piece, pieces + at, sizeof piece);
        if (piece.length > pieces_size - at - sizeof piece) {
            return -EFAULT;
        }
        uint64_t skipped = address - piece.address;
        if (skipped <= piece.length && size <= piece.length - skipped) {
            memcpy(to, pieces + at + sizeof piece + skipped, size);
            return 0;
        }
    }
    return -EFAULT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image_head head;
    struct tclk_vm_layout layout = {1, 2};
    if (size < sizeof head) {
        return 0;
    }
    memcpy(&head, data, sizeof head);
    pieces = data + sizeof head;
    pieces_size = size - sizeof head;
    if (!tclk_vm_structs_find(&head.exports, &layout)) {
        law(layout.os_thread == 1 && layout.thread_id == 2, "a refusal leaves the layout untouched");
        return 0;
    }
    pid_t tid = tclk_vm_structs_tid_of(&layout, head.java_thread);
    law(tid > 0 || tid == -EFAULT, "an answer is a tid or an error");
    return 0;
}
