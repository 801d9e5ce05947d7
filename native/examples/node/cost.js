// SPDX-License-Identifier: Apache-2.0

// What JavaScript has cost on its thread, and what asking costs: build addon.c as it says, then `node cost.js [ROUNDS]`.
'use strict'

const { Worker, isMainThread, parentPort } = require('worker_threads')
const clock = require(process.env.THREADCLOCK_NODE || './threadclock.node')

const CALLS = 200000

function spin (ms) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

// What synchronous code has cost. What it leaves to the event loop, libuv's pool or a worker is not in it.
function cost (work) {
  const before = clock.threadCpuNs()
  work()
  return clock.threadCpuNs() - before
}

if (!isMainThread) {
  parentPort.postMessage(cost(() => spin(20)))
} else {
  main(Number(process.argv[2] || 15))
}

function median (ns) {
  return ns.sort((a, b) => a - b)[ns.length >> 1]
}

// All contenders in each round, so that they see the same machine. In CPU time: other programs do not count.
function measure (rounds, contenders) {
  const results = contenders.map(() => [])
  for (let round = 0; round < rounds; round++) {
    contenders.forEach(({ call }, i) => {
      const begin = clock.threadCpuNs()
      for (let n = 0; n < CALLS; n++) call()
      results[i].push((clock.threadCpuNs() - begin) / CALLS)
    })
  }
  contenders.forEach(({ name }, i) => {
    const m = median(results[i])
    console.log(`${name.padEnd(52)} ${m.toFixed(1).padStart(7)} ns (${results[i][0].toFixed(1)} to ${results[i][rounds - 1].toFixed(1)})`)
  })
}

// A turn of the event loop: from one immediate to the next, with what timers and I/O callbacks have run between.
function turns (count) {
  return new Promise(resolve => {
    const begin = clock.threadCpuNs()
    let worst = 0
    let last = begin
    const turn = n => {
      const now = clock.threadCpuNs()
      worst = Math.max(worst, now - last)
      last = now
      if (n === count) resolve({ mean: (now - begin) / count, worst })
      else setImmediate(turn, n + 1)
    }
    setTimeout(() => spin(5), 1)
    setImmediate(turn, 1)
  })
}

async function main (rounds) {
  console.log(`20 ms of spinning: CPU ${(cost(() => spin(20)) / 1e6).toFixed(3)} ms`)
  const before = clock.threadCpuNs()
  const inWorker = await new Promise(resolve => new Worker(__filename).on('message', resolve))
  console.log(`the same in a worker: CPU ${(inWorker / 1e6).toFixed(3)} ms by its own clock; the event loop's thread meanwhile ${((clock.threadCpuNs() - before) / 1e6).toFixed(3)} ms`)
  const { mean, worst } = await turns(5000)
  console.log(`5000 turns of the event loop: ${(mean / 1e3).toFixed(2)} us of CPU time each, the longest ${(worst / 1e6).toFixed(2)} ms`)
  const times = new Float64Array(3)
  measure(rounds, [
    { name: 'a call from JavaScript to C that does nothing', call: () => clock.nothing() },
    { name: 'threadCpuNs()', call: () => clock.threadCpuNs() },
    { name: 'threadRead(array)', call: () => clock.threadRead(times) },
    { name: 'process.cpuUsage(), of the whole process', call: () => process.cpuUsage() },
    // Node 23.9 and newer
    ...(process.threadCpuUsage ? [{ name: 'process.threadCpuUsage()', call: () => process.threadCpuUsage() }] : []),
    { name: 'performance.now()', call: () => performance.now() }
  ])
}
