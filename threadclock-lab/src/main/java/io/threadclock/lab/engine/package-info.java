// SPDX-License-Identifier: Apache-2.0
/** What it costs an engine to say what each unit of its work has cost. */
package io.threadclock.lab.engine;
