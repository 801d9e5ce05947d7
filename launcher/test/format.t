#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the formatter would not change the Java sources.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1

status=0
said=$(./mvnw -q -N spotless:check 2>&1) || status=$?
is "$status" 0 'every Java source is formatted; ./mvnw -N spotless:apply does it'
((status == 0)) || tap_explain "$said"
done_testing
