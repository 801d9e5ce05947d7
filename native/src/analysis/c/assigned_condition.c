/* SPDX-License-Identifier: Apache-2.0 */

/* Assigns where it should compare: clang has to warn of it. */

int is_one(int number);

int is_one(int number)
{
    if (number = 1) {
        return 1;
    }
    return 0;
}
