// SPDX-License-Identifier: Apache-2.0
// The reader's choice, and what is shown of it.
"use strict";
(() => {
  const TONES = 12;
  const MOST_ROWS = 400;
  const view = { byPool: true, filter: "", jvm: -1, window: [0, data.slots], sort: "cpuS", only: null, marks: {}, waiting: data.hasWaiting };
  const element = (id) => document.getElementById(id);
  const chart = new Chart(element("chart"));
  let rows = [];
  let pools = []; // of virtual threads, whose time is a part of their carriers'; the carriers' rest comes last
  let stack = []; // the rows of the chart
  let process = null;

  function jvmsShown() {
    return view.jvm < 0 ? data.jvms : [data.jvms[view.jvm]];
  }

  function throttlingShown() {
    return data.throttling.filter((time) => view.jvm < 0 || time.jvm === view.jvm);
  }

  // The rows of this choice, those that cost most in all first: so that a color stays whatever the window.
  function choose() {
    const wanted = view.filter.toLowerCase();
    const isShown = (series) =>
      (view.jvm < 0 || series.jvm === view.jvm) && `${series.name}\n${series.pool}\n${series.kind}`.toLowerCase().includes(wanted);
    const groups = new Map();
    for (const series of data.threads.filter(isShown)) {
      const name = view.byPool ? series.pool : series.name;
      const key = view.byPool ? `${series.jvm} ${name} ${series.kind}` : `${series.jvm} ${name} ${series.tid} ${series.kind}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(series);
    }
    rows = [...groups].map(([key, members]) => {
      const name = view.byPool && members.length === 1 && members[0].threads === 1 ? members[0].name : view.byPool ? members[0].pool : members[0].name;
      return { ...joined(name, members[0].kind, members), key };
    });
    rows.sort(byCost);
    pools = virtualRows(isShown);
    stack = withPools(withoutPools(rows, pools), pools);
    giveTones();
    const processes = data.processes.filter((series) => view.jvm < 0 || series.jvm === view.jvm);
    process = wanted || view.only ? null : joined("process", "process", processes);
  }

  // The carriers' rest comes last.
  function virtualRows(isShown) {
    const all = (list, prefix) =>
      list.map((series, i) => ({ ...joined(series.name, series.kind, [series]), key: `${prefix} ${i}`, isRest: prefix === "rest" }));
    const shown = [...all(data.virtualPools, "pool"), ...all(data.rests, "rest")].filter(isShown);
    return shown.sort((one, other) => one.isRest - other.isRest || byCost(one, other));
  }

  function byCost(one, other) {
    return cost(other) - cost(one);
  }

  function cost(row) {
    row.cost ??= row.dense.user.reduce((a, b) => a + b, 0) + row.dense.system.reduce((a, b) => a + b, 0);
    return row.cost;
  }

  // Those of which the chart shows most have a color of their own.
  function giveTones() {
    const tones = new Map();
    [...stack].sort(byCost).forEach((row, i) => tones.set(row.key, i < TONES ? `--tone-${i}` : "--others"));
    for (const row of [...rows, ...stack]) row.tone = tones.get(row.key);
  }

  function show() {
    element("origin").textContent = `${data.jvms.map((jvm) => `${jvmText(jvm)} (${jvm.threads})`).join(", ")} · ${span([0, data.slots])} · ${data.samples.toLocaleString("en-US")} samples`;
    const covered = coveredSlots(jvmsShown());
    const isCompared = view.marks.A && view.marks.B;
    const shown = view.only ? [...rows, ...pools].filter((row) => row.key === view.only) : stack;
    shown.forEach((row) => (row.color = style(row.tone)));
    chart.draw(shown, process && process.dense, view.window, covered, data.gaps, throttlingShown(), view.marks, view.waiting);
    for (const row of [...rows, ...pools, ...(process ? [process] : [])]) {
      row.now = figures(row, covered, view.window);
      if (isCompared) {
        row.a = figures(row, covered, view.marks.A);
        row.b = figures(row, covered, view.marks.B);
      }
    }
    showTable(isCompared ? COMPARED : COLUMNS);
    element("shown").textContent = `${span(view.window)}${isCompared ? ` · A: ${span(view.marks.A)} · B: ${span(view.marks.B)}` : ""}`;
    element("in").textContent = option(view.window);
    element("whole").disabled = view.window[0] === 0 && view.window[1] === data.slots;
    element("unmark").hidden = !(view.marks.A || view.marks.B);
    const { waiting, byPool } = view;
    const pressed = { waiting, utc: !clock.isLocal, local: clock.isLocal, "by-pool": byPool, "by-thread": !byPool };
    Object.assign(pressed, { "mark-a": Boolean(view.marks.A), "mark-b": Boolean(view.marks.B) });
    for (const [id, is] of Object.entries(pressed)) element(id).setAttribute("aria-pressed", String(is));
  }

  function dated(ms) {
    return `${dateText(ms).slice(0, 10)} ${clockTime(ms)}`;
  }

  function clockTime(ms) {
    return timeText(ms, Math.min(1000, data.slotMs));
  }

  function span([first, last]) {
    const [from, to] = [msOf(first), endOf(last)];
    const isOneDay = dated(from).slice(0, 10) === dated(to).slice(0, 10);
    return `${dated(from)} to ${isOneDay ? clockTime(to) : dated(to)} ${zoneText(from)}, ${Number(((to - from) / 1000).toPrecision(4))} s`;
  }

  // What makes the page of this time alone.
  function option([from, to]) {
    const begin = msOf(from);
    const lengthMs = endOf(to) - begin;
    return `--in='${dateText(begin).replace(".000", "")} ${zoneText(begin)};${lengthMs % 1000 ? `${lengthMs}T` : `${lengthMs / 1000}s`}'`;
  }

  function showTable(columns) {
    const column = columns.find((one) => one.key === view.sort) || columns.find((one) => one.key === "difference");
    const order = (one, other) =>
      column.of ? column.of(other) - column.of(one) : column.text(one).localeCompare(column.text(other), "en", { numeric: true });
    const sorted = withPools([...rows].sort(order), [...pools].sort((one, other) => one.isRest - other.isRest || order(one, other)));
    const table = element("table");
    table.tHead.replaceChildren(headings(columns, column));
    table.tBodies[0].replaceChildren(...sorted.slice(0, MOST_ROWS).map((row) => line(row, columns)));
    table.tFoot.replaceChildren(...(process ? [footer(columns)] : []));
    if (sorted.length > MOST_ROWS) table.tFoot.append(`and ${sorted.length - MOST_ROWS} more; filter to see them`);
  }

  function headings(columns, sortedBy) {
    const row = document.createElement("tr");
    for (const column of columns) {
      const heading = row.appendChild(document.createElement("th"));
      heading.scope = "col";
      heading.className = column.key;
      if (column === sortedBy) heading.setAttribute("aria-sort", column.of ? "descending" : "ascending");
      const button = heading.appendChild(document.createElement("button"));
      button.textContent = column.title;
      button.addEventListener("click", () => {
        view.sort = column.key;
        show();
      });
    }
    return row;
  }

  function line(row, columns) {
    const tr = document.createElement("tr");
    tr.setAttribute("aria-selected", String(view.only === row.key));
    if (pools.includes(row)) tr.className = "pool";
    for (const column of columns) {
      const td = tr.appendChild(cell("td", column, row));
      if (column.key === "name") {
        const button = document.createElement("button");
        const chip = document.createElement("i");
        chip.style.background = row.color || style(row.tone);
        button.append(chip, row.name + (data.jvms.length > 1 && view.jvm < 0 ? ` (${jvmText(data.jvms[row.jvm])})` : ""));
        button.title = view.only === row.key ? "show all" : "show only this";
        button.addEventListener("click", () => {
          view.only = view.only === row.key ? null : row.key;
          choose();
          show();
        });
        td.replaceChildren(button);
      }
    }
    return tr;
  }

  // Threads that have ended between two samples are in the process, and in no row.
  function footer(columns) {
    const tr = document.createElement("tr");
    const whole = { ...process, name: "the process, including threads that ended", threads: rows.reduce((sum, row) => sum + row.threads, 0) };
    columns.forEach((column) => tr.appendChild(cell("td", column, whole)));
    return tr;
  }

  function counted(number, what) {
    return `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;
  }

  function jvmText(jvm) {
    return `${jvm.program} ${jvm.pid} on ${jvm.host}`;
  }

  function zoom(from, to) {
    const first = Math.max(0, Math.floor(Math.min(from, to)));
    const last = Math.min(data.slots, Math.ceil(Math.max(from, to)));
    if (last - first >= 1) view.window = [first, last];
    show();
  }

  function again(change) {
    change();
    choose();
    show();
  }

  function listen() {
    element("by-pool").addEventListener("click", () => again(() => Object.assign(view, { byPool: true, only: null })));
    element("by-thread").addEventListener("click", () => again(() => Object.assign(view, { byPool: false, only: null })));
    element("waiting").addEventListener("click", () => again(() => Object.assign(view, { waiting: !view.waiting })));
    element("utc").addEventListener("click", () => again(() => (clock.isLocal = false)));
    element("local").addEventListener("click", () => again(() => (clock.isLocal = true)));
    element("filter").addEventListener("input", (event) => again(() => Object.assign(view, { filter: event.target.value, only: null })));
    element("jvm").addEventListener("change", (event) => again(() => Object.assign(view, { jvm: Number(event.target.value), only: null })));
    element("whole").addEventListener("click", () => zoom(0, data.slots));
    element("mark-a").addEventListener("click", () => mark("A"));
    element("mark-b").addEventListener("click", () => mark("B"));
    element("unmark").addEventListener("click", () => again(() => Object.assign(view, { marks: {}, sort: "cpuS" })));
    addEventListener("resize", show);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  }

  function mark(name) {
    view.marks[name] = [...view.window];
    if (view.marks.A && view.marks.B) view.sort = "difference";
    show();
  }

  function listenToPointer() {
    const canvas = element("chart");
    let begin = null;
    const at = (event) => event.clientX - canvas.getBoundingClientRect().left;
    canvas.addEventListener("pointerdown", (event) => {
      begin = Math.max(LEFT, at(event));
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      read(chart.slotAt(at(event)));
      if (begin === null) return;
      show();
      chart.drawSelection(begin, at(event));
    });
    canvas.addEventListener("pointerup", (event) => {
      if (begin !== null && Math.abs(at(event) - begin) > 4) zoom(chart.slotAt(begin), chart.slotAt(at(event)));
      begin = null;
    });
    canvas.addEventListener("dblclick", () => zoom(0, data.slots));
  }

  // Says what is under the pointer: the rows that cost most there.
  function read(place) {
    const slot = Math.floor(place);
    if (slot < view.window[0] || slot >= view.window[1]) return;
    const ms = msOf(slot);
    const gap = data.gaps.find((one) => one.fromMs < ms + data.slotMs && one.toMs > ms);
    const usage = (row) => (row.dense.user[slot] + row.dense.system[slot]) / slotS;
    const most = stack.filter((row) => usage(row) > 0).sort((one, other) => usage(other) - usage(one)).slice(0, 4);
    // A name that is written from right to left turns its own text around, and nothing else.
    const waits = (row) => (row.dense.waiting[slot] ? ` (waiting ${cores(row.dense.waiting[slot] / slotS)})` : "");
    const texts = most.map((row) => `\u2068${row.name}\u2069 ${cores(usage(row))}${waits(row)}`);
    if (process) texts.unshift(`process ${cores(usage(process))}${waits(process)}`);
    if (gap) texts.push(`gap: ${gap.reason}${gap.lostSamples ? `, ${counted(gap.lostSamples, "sample")}` : ""}`);
    const throttled = throttlingShown().find((one) => one.fromMs < ms + data.slotMs && one.toMs > ms);
    if (throttled) texts.push(`quota of ${throttled.quota} CPUs used up in ${throttled.throttledPeriods} of ${counted(throttled.periods, "period")}`);
    element("reading").textContent = `${dated(ms)} ${zoneText(ms)}  ${texts.join(" · ")}`;
  }

  function describe() {
    const select = element("jvm");
    select.hidden = data.jvms.length < 2;
    ["all JVMs", ...data.jvms.map(jvmText)].forEach((text, i) => select.add(new Option(text, String(i - 1))));
    for (const one of document.querySelectorAll(".of-waiting")) one.hidden = !data.hasWaiting;
    document.querySelector(".of-throttling").hidden = !data.throttling.length;
    const length = slotS < 1 ? `${data.slotMs} ms` : `${slotS} s`;
    element("notes").textContent =
      `p50 and p99 are percentiles of the usage per interval of ${length}, idle intervals included. 1 core is a CPU that does nothing else. ` +
      `The ${data.mostThreads} threads that cost most are shown one by one; the others are joined by pool. ` +
      "Threads that used no CPU time while they were recorded are not in the table. " +
      waitingText() +
      throttlingText() +
      virtualText() +
      "Option --in of threadclock report takes times as they are shown here, with their zone. " +
      `To compare two times, zoom into the first and press “window A”; zoom into the second and press “window B”.\n` +
      gapsText();
  }

  function waitingText() {
    if (!data.hasWaiting) return "";
    return (
      "Waiting is the time in which a thread could have run and had no CPU, because others had them or the quota was used up; it stands above " +
      "CPU time in the chart, on a scale of its own, where 1 is one thread that waits all the time. That of threads that have ended between two samples is not known. "
    );
  }

  function throttlingText() {
    if (!data.throttling.length) return "";
    const waitedMs = data.throttling.reduce((sum, time) => sum + time.throttledMs, 0);
    return (
      "The red strip upon the axis is time in which the CPU quota of the control group was used up, stronger where this happened in more of its periods. " +
      `All together, it kept threads waiting for ${Number((waitedMs / 1000).toPrecision(3))} s, added up over the CPUs. `
    );
  }

  function virtualText() {
    if (!data.virtualPools.length) return "";
    return (
      "Measured virtual threads stand below their carriers by the pools of their names. Their time is a part of their carriers' time, so the chart " +
      "shows it instead of the carriers; of those it shows only what is in none of these rows. The number of virtual threads is the largest at one moment. "
    );
  }

  function gapsText() {
    const lost = data.gaps.reduce((sum, gap) => sum + gap.lostSamples, 0);
    if (!data.gaps.length) return "There are no gaps.";
    return `${counted(data.gaps.length, "gap")}, ${counted(lost, "sample")} missing. In a gap with some samples, the CPU time is spread evenly over the gap; for a time in which nobody recorded, nothing is known${data.stretches.length > 1 ? ", and most of a long one is left out of the chart" : ""}.`;
  }

  describe();
  listen();
  listenToPointer();
  choose();
  show();
})();
