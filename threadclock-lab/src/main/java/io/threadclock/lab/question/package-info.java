// SPDX-License-Identifier: Apache-2.0
/** What {@code ./threadclock bench} asks: a class is a question. */
package io.threadclock.lab.question;
