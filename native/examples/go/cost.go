// SPDX-License-Identifier: Apache-2.0

// What a goroutine has cost, and what asking costs from Go. Run it where threadclock is installed:
//
//	go run .              figures, and a demonstration of what LockOSThread is for
//	go run . -rounds 1    quicker
//
// A reading is the thread's. A goroutine stays on one thread only between runtime.LockOSThread and UnlockOSThread.
package main

/*
#cgo pkg-config: threadclock
#include <threadclock.h>

static int64_t nothing(void) { return 0; }

// The same from C alone: what is left without the way from Go to C.
static int64_t read_often(int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += tclk_thread_cpu_ns() & 1;
    return sum;
}
*/
import "C"

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const calls = 200000

// Times of the calling thread, in ns. CPU = User + System.
type Times struct{ CPU, User, System int64 }

func (a Times) Minus(b Times) Times {
	return Times{a.CPU - b.CPU, a.User - b.User, a.System - b.System}
}

func ReadThread() (Times, error) {
	var t C.struct_tclk_times
	if errno := C.tclk_thread_read(&t); errno != 0 {
		return Times{}, syscall.Errno(-errno)
	}
	return Times{int64(t.cpu_ns), int64(t.user_ns), int64(t.system_ns)}, nil
}

// Cost runs work on one thread, and tells what that thread has spent.
func Cost(work func()) (Times, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := ReadThread()
	if err != nil {
		return Times{}, err
	}
	work()
	after, err := ReadThread()
	return after.Minus(before), err
}

// What Go programs do today: a system call, which the scheduler is told of.
func kernelsTime() int64 {
	var t syscall.Timespec
	const threadCPU = 3
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadCPU, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

func spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

type contender struct {
	name string
	run  func()
}

func loop(call func()) func() {
	return func() {
		for range calls {
			call()
		}
	}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// All contenders in each round, so that they see the same machine. In CPU time: other programs do not count.
func measure(rounds int, contenders []contender) {
	ns := make([][]float64, len(contenders))
	for range rounds {
		for i, c := range contenders {
			begin := C.tclk_thread_cpu_ns()
			c.run()
			ns[i] = append(ns[i], float64(C.tclk_thread_cpu_ns()-begin)/calls)
		}
	}
	for i, c := range contenders {
		m := median(ns[i])
		fmt.Printf("%-52s %7.1f ns (%.1f to %.1f)\n", c.name, m, ns[i][0], ns[i][rounds-1])
	}
}

// How often a goroutine that does not lock its thread finds itself on another one after a system call that blocks, while
// others compute, and how often the CPU time that it reads has gone back then.
func wander(calls int) (moved, back int) {
	var stop atomic.Bool
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for !stop.Load() {
				spin(100 * time.Microsecond)
				runtime.Gosched()
			}
		}()
	}
	thread, last := syscall.Gettid(), int64(C.tclk_thread_cpu_ns())
	pause := syscall.Timespec{Nsec: 200000}
	for range calls {
		syscall.Nanosleep(&pause, nil)
		cpu := int64(C.tclk_thread_cpu_ns())
		if cpu < last {
			back++
		}
		if now := syscall.Gettid(); now != thread {
			thread = now
			moved++
		}
		last = cpu
	}
	stop.Store(true)
	return moved, back
}

func main() {
	rounds := flag.Int("rounds", 15, "of each measurement")
	flag.Parse()
	cost, err := Cost(func() { spin(20 * time.Millisecond) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "reading the thread's times:", err)
		os.Exit(1)
	}
	fmt.Printf("20 ms of spinning: CPU %v, user %v, system %v\n", time.Duration(cost.CPU), time.Duration(cost.User), time.Duration(cost.System))

	const blocking = 200
	moved, back := wander(blocking)
	fmt.Printf("a goroutine without LockOSThread: after %d blocking calls, %d times on another thread, CPU time gone back %d times\n", blocking, moved, back)

	runtime.LockOSThread()
	var t C.struct_tclk_times
	measure(*rounds, []contender{
		{"a call from Go to C that does nothing", loop(func() { C.nothing() })},
		{"tclk_thread_cpu_ns() from Go", loop(func() { C.tclk_thread_cpu_ns() })},
		{"tclk_thread_read() from Go", loop(func() { C.tclk_thread_read(&t) })},
		{"tclk_thread_cpu_ns() in C", func() { C.read_often(calls) }},
		{"clock_gettime(CLOCK_THREAD_CPUTIME_ID) by Go's syscall", loop(func() { kernelsTime() })},
		{"time.Now()", loop(func() { time.Now() })},
	})
}
