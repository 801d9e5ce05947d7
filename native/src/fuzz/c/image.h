/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_FUZZ_IMAGE_H
#define TCLK_FUZZ_IMAGE_H

#include "jvm/vm_structs.h"

#include <stdint.h>

/*
 * Memory of a JVM in a file: this head, then pieces, each an address, a length and so many bytes.
 * record_image.c writes it, vm_structs.c reads it.
 */
struct image_head {
    struct tclk_vm_exports exports;
    uint64_t java_thread;
};

struct __attribute__((packed)) image_piece {
    uint64_t address;
    uint16_t length;
};

#endif
