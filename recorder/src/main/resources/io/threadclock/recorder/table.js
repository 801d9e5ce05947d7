// SPDX-License-Identifier: Apache-2.0
// Figures of what is shown: sums and percentiles within a window of slots.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const slotS = data.slotMs / 1000;

// Times of nothing, with a place for each slot; untold: it is not known how long it has waited.
function noTimes() {
  const zeros = () => new Float64Array(data.slots);
  return { user: zeros(), system: zeros(), mounts: zeros(), waiting: zeros(), untold: new Uint8Array(data.slots) };
}

// Sparse times of a series, as arrays with a place for each slot; made when first asked for.
function dense(series) {
  if (!series.dense) {
    const { user, system, mounts, waiting, untold } = (series.dense = noTimes());
    series.at.forEach((slot, i) => {
      if (slot < data.slots) {
        user[slot] += series.user[i] / 1e6;
        system[slot] += series.system[i] / 1e6;
        if (series.mounts) mounts[slot] += series.mounts[i];
      }
    });
    series.waitsAt.forEach((slot, i) => {
      if (slot < data.slots) waiting[slot] += series.waiting[i] / 1e6;
    });
    for (const slot of series.untoldWaits) untold[slot] = 1;
  }
  return series.dense;
}

// Several series as one.
function joined(name, kind, members) {
  if (members.length === 1 && members[0].name === name) return { ...members[0], members, dense: dense(members[0]) };
  const sums = noTimes();
  for (const member of members) {
    const times = dense(member);
    for (const part of ["user", "system", "waiting"]) times[part].forEach((s, slot) => (sums[part][slot] += s));
    times.untold.forEach((is, slot) => (sums.untold[slot] |= is));
  }
  const threads = members.reduce((sum, member) => sum + member.threads, 0);
  return { name, kind, tid: 0, jvm: members[0].jvm, threads, members, dense: sums };
}

// The pools of virtual threads stand below the last carrier of their JVM; where there is none, they come last.
function withPools(rows, pools) {
  const listed = [...rows];
  for (const jvm of new Set(pools.map((pool) => pool.jvm))) {
    const carrier = listed.findLastIndex((row) => row.kind === "carrier" && row.jvm === jvm);
    listed.splice(carrier < 0 ? listed.length : carrier + 1, 0, ...pools.filter((pool) => pool.jvm === jvm));
  }
  return listed;
}

// The same rows, and of carriers only what is in no pool: in each slot as large a part of each carrier. They wait as before.
function withoutPools(rows, pools) {
  const parts = new Map();
  for (const jvm of new Set(pools.map((pool) => pool.jvm))) {
    const carriers = rows.filter((row) => row.kind === "carrier" && row.jvm === jvm);
    if (carriers.length) parts.set(jvm, partLeft(joined("", "", carriers).dense, joined("", "", pools.filter((pool) => pool.jvm === jvm)).dense));
  }
  return rows.map((row) => {
    const left = row.kind === "carrier" && parts.get(row.jvm);
    if (!left) return row;
    const times = (part) => row.dense[part].map((s, slot) => s * left[part][slot]);
    return { ...row, cost: undefined, dense: { ...row.dense, user: times("user"), system: times("system") } };
  });
}

function partLeft(whole, taken) {
  const left = (part) => whole[part].map((s, slot) => (s ? Math.max(0, 1 - taken[part][slot] / s) : 0));
  return { user: left("user"), system: left("system") };
}

// The slots of which something is known, of these JVMs.
function coveredSlots(jvms) {
  const covered = new Uint8Array(data.slots);
  for (const jvm of jvms) for (const [from, to] of jvm.covered) covered.fill(1, from, to);
  return covered;
}

// Usage in cores; of slots that are known alone.
function figures(row, covered, [from, to]) {
  const { user, system, mounts, waiting, untold } = row.dense;
  const usages = [];
  let userS = 0;
  let systemS = 0;
  let mounted = 0;
  let waitingS = 0;
  let isUntold = row.kind === "virtual"; // they wait on their carriers
  for (let i = from; i < to; i++) {
    if (!covered[i]) continue;
    userS += user[i];
    systemS += system[i];
    mounted += mounts[i];
    waitingS += waiting[i];
    if (untold[i]) isUntold = true;
    usages.push((user[i] + system[i]) / slotS);
  }
  usages.sort((one, other) => one - other);
  const at = (part) => (usages.length ? usages[Math.min(usages.length - 1, Math.ceil(part * usages.length) - 1)] : 0);
  const lengthS = usages.length * slotS;
  const perS = (sum) => (lengthS ? sum / lengthS : 0);
  const waits = isUntold && !waitingS ? null : { waitingS, waiting: perS(waitingS) };
  return { userS, systemS, waits, cpuS: userS + systemS, usage: perS(userS + systemS), mountsPerS: perS(mounted), p50: at(0.5), p99: at(0.99) };
}

const seconds = (s) => s.toLocaleString("en-US", { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const cores = (usage) => (usage === 0 ? "0" : usage < 0.0005 ? "< 0.001" : usage.toFixed(3));

function signed(difference) {
  if (Math.abs(difference) < 0.0005) return "0";
  return (difference > 0 ? "+" : "−") + Math.abs(difference).toFixed(3);
}

const MOUNTS = {
  key: "mounts",
  title: "mounts/s",
  text: (row) => (row.now.mountsPerS ? row.now.mountsPerS.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 }) : ""),
  of: (row) => row.now.mountsPerS,
};
// An unknown figure is not 0.
const WAITING = {
  key: "waitingS",
  title: "waiting, s",
  text: (row) => (row.now.waits ? seconds(row.now.waits.waitingS) : row.kind === "virtual" ? "" : "?"),
  of: (row) => (row.now.waits ? row.now.waits.waitingS : -1),
};
const COLUMNS = [
  { key: "name", title: "name", text: (row) => row.name },
  { key: "kind", title: "kind", text: (row) => row.kind },
  { key: "threads", title: "threads", text: (row) => (row.isRest ? "" : String(row.threads)), of: (row) => row.threads },
  ...(data.virtualPools.length ? [MOUNTS] : []),
  { key: "cpuS", title: "CPU, s", text: (row) => seconds(row.now.cpuS), of: (row) => row.now.cpuS },
  { key: "userS", title: "user, s", text: (row) => seconds(row.now.userS), of: (row) => row.now.userS },
  { key: "systemS", title: "system, s", text: (row) => seconds(row.now.systemS), of: (row) => row.now.systemS },
  ...(data.hasWaiting ? [WAITING] : []),
  { key: "bar", title: data.hasWaiting ? "user | system | waiting" : "user | system", of: (row) => row.now.systemS / Math.max(row.now.cpuS, 1e-12) },
  { key: "usage", title: "mean, cores", text: (row) => cores(row.now.usage), of: (row) => row.now.usage },
  { key: "p50", title: "p50", text: (row) => cores(row.now.p50), of: (row) => row.now.p50 },
  { key: "p99", title: "p99", text: (row) => cores(row.now.p99), of: (row) => row.now.p99 },
];
const COMPARED = [
  ...COLUMNS.slice(0, 3),
  { key: "a", title: "A: mean, cores", text: (row) => cores(row.a.usage), of: (row) => row.a.usage },
  { key: "b", title: "B: mean, cores", text: (row) => cores(row.b.usage), of: (row) => row.b.usage },
  { key: "difference", title: "B − A", text: (row) => signed(row.b.usage - row.a.usage), of: (row) => Math.abs(row.b.usage - row.a.usage) },
  { key: "user", title: "user, B − A", text: (row) => signed(perCore(row, "userS")), of: (row) => Math.abs(perCore(row, "userS")) },
  { key: "system", title: "system, B − A", text: (row) => signed(perCore(row, "systemS")), of: (row) => Math.abs(perCore(row, "systemS")) },
  ...(data.hasWaiting
    ? [{ key: "waiting", title: "waiting, B − A", text: (row) => (row.a.waits && row.b.waits ? signed(moreWaiting(row)) : ""), of: (row) => Math.abs(moreWaiting(row)) }]
    : []),
  { key: "a99", title: "A: p99", text: (row) => cores(row.a.p99), of: (row) => row.a.p99 },
  { key: "b99", title: "B: p99", text: (row) => cores(row.b.p99), of: (row) => row.b.p99 },
];

// The difference of one part of the usage, B − A.
function perCore(row, part) {
  const usage = (its) => (its.cpuS ? (its.usage * its[part]) / its.cpuS : 0);
  return usage(row.b) - usage(row.a);
}

// The difference in how many of its threads wait at a time, B − A.
function moreWaiting(row) {
  return row.a.waits && row.b.waits ? row.b.waits.waiting - row.a.waits.waiting : 0;
}

function cell(tag, column, row) {
  const element = document.createElement(tag);
  element.className = column.key;
  if (column.key === "bar") {
    const split = element.appendChild(document.createElement("div"));
    split.className = "split";
    const { userS, systemS, cpuS, waits } = row.now;
    const waitingS = waits ? waits.waitingS : 0;
    const part = (tag, s) => (split.appendChild(document.createElement(tag)).style.flex = String((100 * s) / (cpuS + waitingS) || 0));
    part("b", userS);
    part("u", systemS);
    part("s", waitingS);
  } else {
    element.textContent = column.text(row);
  }
  if (column.key === "difference") {
    const difference = row.b.usage - row.a.usage;
    element.className += difference > 0.0005 ? " more" : difference < -0.0005 ? " less" : "";
  }
  return element;
}
