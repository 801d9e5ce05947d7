// SPDX-License-Identifier: Apache-2.0
// Draws the charts whose data is in the page. Amounts are drawn as their logarithms; the axes' ticks are given.
(() => {
  "use strict";
  const DASHES = { solid: [], dashed: [7, 4], dotted: [2, 3], dashdot: [7, 3, 2, 3] };
  const TIMES = ["ns", "µs", "ms", "s"];
  const WHISKER = 3;

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const logarithms = (amounts) => amounts.map((amount) => (amount > 0 ? Math.log10(amount) : null));

  function written(amount, unit) {
    if (amount === null || amount === undefined) return "";
    let step = TIMES.indexOf(unit);
    if (step < 0) return `${digits(amount)} ${unit}`;
    while (step < TIMES.length - 1 && amount >= 1000) {
      amount /= 1000;
      step++;
    }
    while (step > 0 && amount > 0 && amount < 1) {
      amount *= 1000;
      step--;
    }
    return `${digits(amount)} ${TIMES[step]}`;
  }

  function digits(amount) {
    return amount.toLocaleString("en-US", { maximumSignificantDigits: amount < 1000 ? 3 : 21, maximumFractionDigits: 3 });
  }

  // The bounds of an axis, at 1, 2 or 5 of a decade, and its ticks: the shorter it is, the more.
  function scale(least, most) {
    const steps = [];
    for (let decade = Math.floor(Math.log10(least)); decade <= Math.ceil(Math.log10(most)); decade++) {
      for (let digit = 1; digit < 10; digit++) steps.push({ digit, at: Number(`${digit}e${decade}`) });
    }
    const bounds = steps.filter((step) => [1, 2, 5].includes(step.digit)).map((step) => step.at);
    const from = bounds.filter((step) => step <= least).pop();
    const to = bounds.find((step) => step >= most && step > from);
    const decades = Math.log10(to / from);
    const digits = decades > 2 ? [1] : decades > 0.75 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const ticks = steps.filter((step) => digits.includes(step.digit) && step.at >= from && step.at <= to);
    return { from, to, ticks: ticks.map((step) => step.at) };
  }

  // Where a spread is known, from its least to its most.
  function drawWhiskers(plot, lines) {
    const context = plot.ctx;
    const half = WHISKER * devicePixelRatio;
    context.save();
    context.lineWidth = devicePixelRatio;
    lines.forEach((line, i) => {
      if (!line.least || !plot.series[i + 1].show) return;
      context.strokeStyle = style(`--tone-${line.style.tone}`);
      context.beginPath();
      line.least.forEach((least, at) => {
        if (!(least > 0)) return;
        const x = plot.valToPos(plot.data[0][at], "x", true);
        const top = plot.valToPos(Math.log10(line.most[at]), "y", true);
        const bottom = plot.valToPos(Math.log10(least), "y", true);
        context.moveTo(x, top);
        context.lineTo(x, bottom);
        for (const end of [top, bottom]) {
          context.moveTo(x - half, end);
          context.lineTo(x + half, end);
        }
      });
      context.stroke();
    });
    context.restore();
  }

  function axis(ticks, labels, more) {
    return {
      stroke: style("--quiet"),
      font: `12px ${getComputedStyle(document.body).fontFamily}`,
      grid: { stroke: style("--faint"), width: 1 },
      ticks: { stroke: style("--rule"), width: 1, size: 4 },
      gap: 4,
      splits: () => ticks,
      values: () => labels,
      ...more,
    };
  }

  // Names that would run into one another are left out, the last one kept.
  function uncrowded(plot, ticks) {
    const room = plot.bbox.width / devicePixelRatio;
    const least = plot.scales.x.min;
    const span = plot.scales.x.max - least || 1;
    const names = [];
    let taken = Infinity;
    for (let i = ticks.length - 1; i >= 0; i--) {
      const middle = ((ticks[i].at - least) / span) * room;
      const half = ticks[i].name.length * 3.5 + 3;
      const fits = middle + half <= taken;
      names[i] = fits ? ticks[i].name : "";
      if (fits) taken = middle - half;
    }
    return names;
  }

  function options(chart, box, lines) {
    const places = chart.xs;
    const up = scale(chart.least, chart.most);
    const margin = (places[places.length - 1] - places[0]) * 0.03 || 1;
    return {
      width: box.clientWidth,
      height: box.clientHeight,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      scales: {
        x: { time: false, range: [places[0] - margin, places[places.length - 1] + margin] },
        y: { range: [Math.log10(up.from), Math.log10(up.to)] },
      },
      axes: [
        axis(chart.xTicks.map((tick) => tick.at), null, {
          values: (plot) => uncrowded(plot, chart.xTicks),
          label: chart.xTitle,
          labelFont: `12px ${getComputedStyle(document.body).fontFamily}`,
          labelSize: 18,
          labelGap: 0,
          size: 26,
        }),
        axis(up.ticks.map(Math.log10), up.ticks.map((tick) => written(tick, chart.unit)), { size: 60 }),
      ],
      series: [{}, ...lines.map(series)],
      hooks: { draw: [(plot) => drawWhiskers(plot, lines)] },
    };
  }

  function series(line) {
    const tone = style(`--tone-${line.style.tone}`);
    return {
      label: line.name,
      show: line.shown,
      stroke: tone,
      width: line.style.tone === "base" ? 1.25 : 1.75,
      dash: DASHES[line.style.dash],
      spanGaps: true,
      points: { show: Boolean(line.least), size: 5, width: 1, stroke: tone, fill: tone },
    };
  }

  function swatch(line) {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    picture.setAttribute("width", "26");
    picture.setAttribute("height", "8");
    picture.setAttribute("aria-hidden", "true");
    const stroke = document.createElementNS(space, "line");
    for (const [name, place] of Object.entries({ x1: 0, x2: 26, y1: 4, y2: 4 })) stroke.setAttribute(name, place);
    stroke.setAttribute("stroke-width", "2");
    stroke.setAttribute("stroke-dasharray", DASHES[line.style.dash].join(" "));
    stroke.style.stroke = `var(--tone-${line.style.tone})`;
    picture.append(stroke);
    return picture;
  }

  function entry(line, toggle) {
    const button = document.createElement("button");
    const name = document.createElement("span");
    const reading = document.createElement("span");
    button.type = "button";
    button.setAttribute("aria-pressed", line.shown);
    name.textContent = line.name;
    reading.className = "reading";
    button.append(swatch(line), name, reading);
    button.addEventListener("click", () => {
      line.shown = !line.shown;
      button.setAttribute("aria-pressed", line.shown);
      toggle(line.shown);
    });
    return { button, reading };
  }

  // Parts that are not shown at first are folded away.
  function legendParts(chart, entries) {
    const shown = document.createElement("div");
    const others = document.createElement("div");
    shown.className = others.className = "entries";
    entries.forEach(({ button }, i) => (chart.lines[i].shown ? shown : others).append(button));
    if (others.childElementCount === 0) return [shown];
    const fold = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = `${others.childElementCount} more`;
    fold.append(summary, others);
    return [shown, fold];
  }

  function draw(figure, chart) {
    const box = figure.querySelector(".plot");
    const legend = figure.querySelector(".legend");
    const caption = figure.querySelector("figcaption");
    const title = caption.textContent;
    let plot = null;
    const entries = chart.lines.map((line, i) => entry(line, (shown) => plot.setSeries(i + 1, { show: shown })));
    legend.append(...legendParts(chart, entries));

    function read(at) {
      const none = at === null || at === undefined;
      caption.textContent = none ? title : `${title}: ${chart.xNames[at]}`;
      entries.forEach(({ reading }, i) => {
        reading.textContent = none ? "" : written(chart.lines[i].amounts[at], chart.unit);
      });
    }

    function redraw() {
      if (plot) plot.destroy();
      const chosen = options(chart, box, chart.lines);
      chosen.hooks.setCursor = [(each) => read(each.cursor.left < 0 ? null : each.cursor.idx)];
      plot = new uPlot(chosen, [chart.xs, ...chart.lines.map((line) => logarithms(line.amounts))], box);
    }

    redraw();
    new ResizeObserver(() => {
      if (box.clientWidth > 0) plot.setSize({ width: box.clientWidth, height: box.clientHeight });
    }).observe(box);
    return redraw;
  }

  const charts = JSON.parse(document.getElementById("charts").textContent);
  const redraws = [...document.querySelectorAll("[data-chart]")].map((figure) =>
    draw(figure, charts[Number(figure.dataset.chart)]));
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", () => redraws.forEach((redraw) => redraw()));
  }
  // Folded parts are not printed otherwise.
  addEventListener("beforeprint", () => document.querySelectorAll("section > details").forEach((each) => { each.open = true; }));
})();
