// Charts over time, as SVG. Each takes series of [{name, colour, values}], and the times of the values.

import {el, legend, svg} from "./dom.js";

const kWidth = 640;
const kHeight = 190;
const kLeft = 44;
const kBottom = 20;
const kTop = 8;

/// A round number at or above: 1, 2, 2.5 or 5 times a power of ten.
function roundUp(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= value * 0.999);
}

export function format(value) {
  if (value === null || value === undefined) return "-";
  if (Math.abs(value) >= 10000) return `${Math.round(value / 1000)}k`;
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 1 : 0);
}

/// The last value, for a legend; nothing for what is not there any more.
const valueNow = (values, unit) => (values.at(-1) === null ? "" : ` ${format(values.at(-1))}${unit ?? ""}`);

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], {hourCycle: "h23"});

function frame(times, most, unit) {
  const first = times[0];
  const span = Math.max(times.at(-1) - first, 1);
  const x = (time) => kLeft + ((time - first) / span) * (kWidth - kLeft - 4);
  const y = (value) => kTop + (1 - value / most) * (kHeight - kTop - kBottom);
  const lines = [0, 0.5, 1].map((part) => [
    svg("line", {class: "grid", x1: kLeft, x2: kWidth - 4, y1: y(part * most), y2: y(part * most)}),
    svg("text", {x: kLeft - 6, y: y(part * most) + 4, "text-anchor": "end"}, format(part * most) + (unit ?? "")),
  ]);
  const labels = [
    svg("text", {x: kLeft, y: kHeight - 4}, clock(first)),
    svg("text", {x: kWidth - 4, y: kHeight - 4, "text-anchor": "end"}, clock(times.at(-1))),
  ];
  return {x, y, back: [...lines, ...labels]};
}

/// A line that stays until the next value.
function steps(times, values, x, y) {
  let path = "";
  let before = null;
  values.forEach((value, i) => {
    if (value === null || value === undefined) return (before = null);
    const at = `${x(times[i]).toFixed(1)}`;
    path += before === null ? `M${at} ${y(value).toFixed(1)}` : `H${at}V${y(value).toFixed(1)}`;
    before = value;
  });
  return path;
}

function area(times, low, high, x, y) {
  const up = steps(times, high, x, y);
  let down = "";
  for (let i = times.length - 1; i >= 0; --i) {
    down += `${i === times.length - 1 ? "L" : "V"}${i === times.length - 1 ? `${x(times[i]).toFixed(1)} ` : ""}${y(low[i]).toFixed(1)}`;
    if (i > 0) down += `H${x(times[i]).toFixed(1)}`;
  }
  return `${up}${down}Z`;
}

function drawn(label, parts) {
  return svg("svg", {class: "chart", viewBox: `0 0 ${kWidth} ${kHeight}`, role: "img", "aria-label": label}, parts);
}

const waiting = () => el("p", {class: "empty"}, "There is something to draw once two samples are taken: a few seconds.");

/// Areas on top of each other; `capacity`: values of a line above them, or none.
export function stacked(label, times, series, capacity) {
  if (times.length < 2) return [waiting()];
  const sums = times.map((_, i) => series.reduce((sum, one) => sum + (one.values[i] ?? 0), 0));
  const most = roundUp(Math.max(...sums, ...(capacity ?? [0])));
  const {x, y, back} = frame(times, most);
  let low = times.map(() => 0);
  const areas = series.map((one) => {
    const high = low.map((value, i) => value + (one.values[i] ?? 0));
    const path = svg("path", {d: area(times, low, high, x, y), fill: one.colour, "fill-opacity": 0.85},
      svg("title", {}, one.name));
    low = high;
    return path;
  });
  const line = capacity && svg("path", {class: "capacity", d: steps(times, capacity, x, y)});
  const entries = series.map((one) => ({colour: one.colour, text: one.name + valueNow(one.values)}));
  if (capacity) entries.push({colour: "var(--ink)", look: "dashed", text: `all slots ${format(capacity.at(-1))}`});
  return [drawn(label, [...back, ...areas, line]), legend(entries)];
}

/// Lines; those with `dashed` are beside another of the same colour, and are not in the legend.
export function lines(label, times, series, unit, top) {
  if (times.length < 2) return [waiting()];
  const values = series.flatMap((one) => one.values).filter((value) => value !== null && value !== undefined);
  const most = top ?? roundUp(Math.max(...values, 0));
  const {x, y, back} = frame(times, most, unit);
  const paths = series.map((one) =>
    svg("path", {d: steps(times, one.values, x, y), fill: "none", stroke: one.colour, "stroke-width": one.dashed ? 1.4 : 2,
                 "stroke-dasharray": one.dashed ? "5 4" : null}, svg("title", {}, one.name)));
  const shown = series.filter((one) => !one.dashed);
  const entries = shown.map((one) => ({colour: one.colour, text: one.name + valueNow(one.values, unit)}));
  if (shown.length < series.length) entries.push({colour: "var(--soft)", look: "dashed", text: "fair share"});
  return [drawn(label, [...back, ...paths]), legend(entries)];
}
