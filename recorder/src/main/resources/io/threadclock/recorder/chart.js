// SPDX-License-Identifier: Apache-2.0
// Draws usage over time as a stack: of each row user time, and hatched upon it system time; above that, on a scale of its own
// and dotted, how long their threads have waited for a CPU.
"use strict";
const LEFT = 52;
const BOTTOM = 24;
const TOP = 20;
const WAITING_PART = 0.3; // of the height
const SPACE = 8; // between the two scales
const GAP = 4; // a strip below the axis where samples are missing; where all are, the whole height is grey
const THROTTLED = 4; // a strip upon the axis, the stronger the more periods of the quota were throttled
const STEPS_MS = [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5, 216e5, 864e5];

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

class Chart {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  // rows: those with a tone first; process: the usage of all, or null; marks: {name: [from, to]}
  draw(rows, process, window, covered, gaps, throttling, marks, showsWaiting) {
    Object.assign(this, { rows, process, window, covered, gaps, throttling, marks, showsWaiting });
    const ratio = devicePixelRatio;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    this.step = Math.max(1, Math.ceil((window[1] - window[0]) / Math.max(1, this.width - LEFT)));
    this.places = [];
    for (let slot = window[0]; slot < window[1]; slot += this.step) this.places.push(slot);
    const bottom = this.height - BOTTOM;
    const middle = showsWaiting ? Math.round((bottom - TOP) * WAITING_PART) + TOP : -SPACE;
    this.cpu = this.panel("cores", ["user", "system"], middle + SPACE + TOP, bottom, process);
    this.waits = showsWaiting && this.panel("threads waiting", ["waiting"], TOP, middle, null);
    this.drawGaps();
    this.drawLeftOut();
    for (const panel of [this.cpu, this.waits].filter(Boolean)) {
      this.drawStack(panel);
      this.drawScale(panel);
    }
    this.drawProcess();
    this.drawThrottling();
    this.drawTimes();
    this.drawMarks();
  }

  // In cores, at a place: of one slot, or the mean of as many as share a pixel.
  usage(times, place) {
    const last = Math.min(place + this.step, this.window[1]);
    let sum = 0;
    let known = 0;
    for (let slot = place; slot < last; slot++) {
      sum += times[slot];
      known += this.covered[slot];
    }
    return known ? sum / known / slotS : 0;
  }

  // A part of the height, whose scale reaches to the highest stack of these parts of the rows, or to the process.
  panel(unit, parts, top, bottom, process) {
    let most = 0;
    for (const place of this.places) {
      const whole = (times) => parts.reduce((sum, part) => sum + this.usage(times[part], place), 0);
      const stack = this.rows.reduce((sum, row) => sum + whole(row.dense), 0);
      most = Math.max(most, stack, process ? whole(process) : 0);
    }
    return { unit, parts, top, bottom, most: Math.max(most * 1.05, 0.001) };
  }

  x(slot) {
    const [from, to] = this.window;
    return LEFT + ((slot - from) / (to - from)) * (this.width - LEFT);
  }

  y({ top, bottom, most }, usage) {
    return bottom - (usage / most) * (bottom - top);
  }

  slotAt(x) {
    const [from, to] = this.window;
    return from + ((x - LEFT) / (this.width - LEFT)) * (to - from);
  }

  drawStack(panel) {
    const paints = { user: (color) => color, system: (color) => this.hatched(color), waiting: (color) => this.dotted(color) };
    let base = new Float64Array(this.places.length);
    for (const row of this.rows) {
      for (const part of panel.parts) {
        const top = base.map((below, i) => below + this.usage(row.dense[part], this.places[i]));
        this.fill(panel, base, top, paints[part](row.color));
        base = top;
      }
    }
  }

  right(place) {
    return this.x(Math.min(place + this.step, this.window[1]));
  }

  fill(panel, base, top, paint) {
    const { context, places } = this;
    context.fillStyle = paint;
    context.beginPath();
    places.forEach((place, i) => {
      context.lineTo(this.x(place), this.y(panel, top[i]));
      context.lineTo(this.right(place), this.y(panel, top[i]));
    });
    for (let i = places.length - 1; i >= 0; i--) {
      context.lineTo(this.right(places[i]), this.y(panel, base[i]));
      context.lineTo(this.x(places[i]), this.y(panel, base[i]));
    }
    context.fill();
  }

  // A pattern of tiles in the color, which begin with a background of this strength.
  tiled(color, background, draw) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const context = tile.getContext("2d");
    context.fillStyle = context.strokeStyle = color;
    context.globalAlpha = background;
    context.fillRect(0, 0, 6, 6);
    draw(context);
    return this.context.createPattern(tile, "repeat");
  }

  hatched(color) {
    return this.tiled(color, 0.3, (context) => {
      context.globalAlpha = 1;
      context.lineWidth = 1.5;
      context.beginPath();
      for (const shift of [-6, 0, 6]) {
        context.moveTo(shift - 1, 7);
        context.lineTo(shift + 7, -1);
      }
      context.stroke();
    });
  }

  dotted(color) {
    return this.tiled(color, 0.12, (context) => {
      context.globalAlpha = 0.8;
      context.fillRect(1, 1, 1.5, 1.5);
      context.fillRect(4, 4, 1.5, 1.5);
    });
  }

  drawProcess() {
    if (!this.process) return;
    const { context } = this;
    context.strokeStyle = style("--ink");
    context.lineWidth = 1;
    context.beginPath();
    let isDrawing = false;
    for (const place of this.places) {
      const isKnown = this.covered.subarray(place, place + this.step).some((known) => known);
      const y = this.y(this.cpu, this.usage(this.process.user, place) + this.usage(this.process.system, place));
      if (isKnown) {
        context[isDrawing ? "lineTo" : "moveTo"](this.x(place), y);
        context.lineTo(this.right(place), y);
      }
      isDrawing = isKnown;
    }
    context.globalAlpha = 0.6;
    context.stroke();
    context.globalAlpha = 1;
  }

  drawGaps() {
    const { context, window: [from, to] } = this;
    context.fillStyle = style("--rule");
    for (let i = from; i < to; i++) {
      if (!this.covered[i]) context.fillRect(this.x(i), TOP, this.x(i + 1) - this.x(i) + 0.5, this.height - BOTTOM - TOP);
    }
    context.fillStyle = style("--quiet");
    for (const gap of this.gaps) this.strip(gap, this.height - BOTTOM + 1, GAP);
  }

  strip({ fromMs, toMs }, top, height) {
    const left = Math.max(LEFT, this.x(slotOf(fromMs)));
    const right = Math.min(this.width, this.x(slotOf(toMs)));
    if (right > left) this.context.fillRect(left, top, Math.max(1, right - left), height);
  }

  drawThrottling() {
    const { context } = this;
    context.save();
    context.fillStyle = style("--more");
    for (const time of this.throttling) {
      context.globalAlpha = 0.3 + 0.7 * (time.throttledPeriods / time.periods);
      this.strip(time, this.height - BOTTOM - THROTTLED, THROTTLED);
    }
    context.restore();
  }

  // Of a time in which nobody recorded most is left out; how long it was stands in what is left of it.
  drawLeftOut() {
    const { context, covered } = this;
    const middle = (TOP + this.height - BOTTOM) / 2;
    for (const [slot] of data.stretches.slice(1)) {
      let [first, end] = [slot, slot];
      while (first > 0 && !covered[first - 1]) first--;
      while (end < data.slots && !covered[end]) end++;
      if (slot <= this.window[0] || end > this.window[1]) continue;
      context.fillStyle = style("--ground");
      context.fillRect(this.x(slot), TOP, 2, this.height - BOTTOM - TOP);
      if (this.x(end) - this.x(slot) < 14) continue;
      context.save();
      context.translate((this.x(slot) + this.x(end)) / 2 + 1, middle);
      context.rotate(-Math.PI / 2);
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = style("--quiet");
      context.fillText(`${lengthText(msOf(end) - endOf(first))} not recorded`, 0, 0);
      context.restore();
    }
  }

  drawScale(panel) {
    const { context, width } = this;
    context.strokeStyle = style("--rule");
    context.fillStyle = style("--quiet");
    context.lineWidth = 1;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const step = tickStep(panel.most, Math.max(2, (panel.bottom - panel.top) / 45));
    for (let usage = 0; usage <= panel.most; usage += step) {
      const y = Math.round(this.y(panel, usage)) + 0.5;
      context.globalAlpha = usage === 0 ? 1 : 0.6;
      context.beginPath();
      context.moveTo(LEFT, y);
      context.lineTo(width, y);
      context.stroke();
      context.globalAlpha = 1;
      context.fillText(Number(usage.toPrecision(6)).toString(), LEFT - 8, y);
    }
    context.textAlign = "left";
    context.fillText(panel.unit, 0, panel.top - 12);
  }

  drawTimes() {
    const { context, width, height } = this;
    const [first, end] = this.window;
    const stepMs = STEPS_MS.find((ms) => ((end - first) * data.slotMs) / ms <= Math.max(2, (width - LEFT) / 110)) || 864e5;
    const from = msOf(first);
    const zoneMs = -offsetMs(from);
    context.textAlign = "left";
    context.fillText(zoneText(from), 0, height - BOTTOM / 2 + 4);
    context.textAlign = "center";
    let day = dateText(from).slice(5, 11);
    let room = LEFT + 30;
    data.stretches.forEach(([slot, beginMs], i) => {
      const lastMs = endOf(Math.min(end, i + 1 < data.stretches.length ? data.stretches[i + 1][0] : data.slots));
      const firstMs = Math.max(beginMs, from);
      for (let ms = Math.ceil((firstMs - zoneMs) / stepMs) * stepMs + zoneMs; slot < end && ms < lastMs; ms += stepMs) {
        const x = this.x(slotOf(ms));
        if (x < room || x > width - 30) continue;
        const itsDay = dateText(ms).slice(5, 11);
        context.fillText(itsDay === day || stepMs >= 864e5 ? timeText(ms, stepMs) : itsDay + timeText(ms, stepMs), x, height - BOTTOM / 2 + 4);
        day = itsDay;
        room = x + 90;
      }
    });
  }

  drawMarks() {
    for (const [name, mark] of Object.entries(this.marks)) {
      const { context } = this;
      const left = Math.max(LEFT, this.x(mark[0]));
      const right = Math.min(this.width, this.x(mark[1]));
      if (right <= left) continue;
      context.fillStyle = style(`--mark-${name.toLowerCase()}`);
      context.fillRect(left, 0, right - left, 4);
      context.textAlign = "left";
      context.fillText(name, left + 3 + (name === "B" ? 12 : 0), 14);
    }
  }

  // The range of a drag so far.
  drawSelection(left, right) {
    this.context.fillStyle = style("--link");
    this.context.globalAlpha = 0.15;
    this.context.fillRect(Math.min(left, right), TOP, Math.abs(right - left), this.height - BOTTOM - TOP);
    this.context.globalAlpha = 1;
  }
}

function tickStep(most, count) {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
}

// The time at which a slot begins.
function msOf(slot) {
  const [first, ms] = data.stretches.findLast(([first]) => first <= slot);
  return ms + (slot - first) * data.slotMs;
}

// The time at which the slot before this one ends.
function endOf(slot) {
  return slot > 0 ? msOf(slot - 1) + data.slotMs : msOf(0);
}

// The slot at a time, or the next one if that was left out.
function slotOf(time) {
  const at = Math.max(0, data.stretches.findLastIndex(([, ms]) => ms <= time));
  const [first, ms] = data.stretches[at];
  const slot = first + (time - ms) / data.slotMs;
  return at + 1 < data.stretches.length ? Math.min(slot, data.stretches[at + 1][0]) : slot;
}

function lengthText(ms) {
  const [unit, unitMs] = [["d", 864e5], ["h", 36e5], ["min", 6e4]].find(([, unitMs]) => ms >= 2 * unitMs) || ["s", 1000];
  return `${Math.round(ms / unitMs)} ${unit}`;
}

// Times are in UTC, as record keeps them and --in takes them, or in the zone of the reader's machine.
const clock = { isLocal: false };

function offsetMs(ms) {
  return clock.isLocal ? new Date(ms).getTimezoneOffset() * -60e3 : 0;
}

function zoneText(ms) {
  if (!clock.isLocal) return "UTC";
  const minutes = Math.abs(offsetMs(ms)) / 60e3;
  const digits = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
  return (offsetMs(ms) < 0 ? "-" : "+") + digits.join(":");
}

// As 2026-11-21 20:15:00.000.
function dateText(ms) {
  return new Date(ms + offsetMs(ms)).toISOString().replace("T", " ").slice(0, -1);
}

// As precise as steps of this length need.
function timeText(ms, stepMs) {
  if (stepMs >= 864e5) return dateText(ms).slice(0, 10);
  return dateText(ms).slice(11, stepMs >= 6e4 ? 16 : stepMs >= 1e3 ? 19 : stepMs >= 100 ? 21 : 22);
}
