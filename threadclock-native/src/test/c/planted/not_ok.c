/* SPDX-License-Identifier: Apache-2.0 */

/* One test of two fails: prove(1) must fail. */

#include <tap.h>

int main(void)
{
    ok(true, "this is so");
    ok(false, "this is not so");
    return done();
}
