// A small drawing of points over a number: dots, a line, intervals, zero, and where something changes. Colours come from xy.css, so that
// they follow the theme. What it shows stands in a table beside it; the drawing itself is one picture to a screen reader.

import { element, t } from "./lib.js";

document.head.append(element("link", { rel: "stylesheet", href: "/assets/xy.css" }));

const svg = (name, attributes, ...children) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
};

const minus = (text) => text.replace("-", "−");

// ticks are round numbers within a range.
function ticks(low, high, most = 6) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) list.push(k * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return list.map((x) => ({ at: x, text: minus(x.toFixed(decimals)) }));
}

// logTicks are 1, 2 and 5 times powers of ten.
function logTicks(low, high) {
  const list = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const m of [1, 2, 5]) {
      const x = m * 10 ** power;
      if (x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9)) list.push({ at: x, text: String(Number(x.toPrecision(3))) });
    }
  }
  return list.length > 1 ? list : ticks(low, high);
}

const height = 320, left = 62, right = 14, top = 26, bottom = 46;
const leastWidth = 260, mostWidth = 740;
const widths = new ResizeObserver((list) => list.forEach((e) => e.target.drawAgain?.()));

// xy draws into an element: { label, xLabel, yLabel, log, zero, dots: [{x, y}], line: [{x, y, low, high}], marks: [x] }.
// It is drawn again where the element gets another width.
export function xy(at, o) {
  let drawn = 0;
  at.drawAgain = () => {
    const width = Math.round(Math.min(mostWidth, Math.max(leastWidth, at.clientWidth)));
    if (width !== drawn) draw(at, o, width);
    drawn = width;
  };
  at.drawAgain();
  widths.observe(at);
}

function draw(at, o, width) {
  const finite = (list) => list.filter(Number.isFinite);
  const all = [...(o.dots ?? []), ...(o.line ?? [])];
  const xs = finite(all.map((p) => p.x));
  const ys = finite([...all.flatMap((p) => [p.y, p.low, p.high]), ...(o.zero ? [0] : [])]);
  if (xs.length === 0 || ys.length === 0) {
    at.replaceChildren(element("p", { class: "hint" }, t("There is nothing to draw.", "没有可绘制的内容。")));
    return;
  }
  const spread = (list, share) => {
    const low = Math.min(...list), high = Math.max(...list), room = (high - low || Math.abs(high) || 1) * share;
    return [low - room, high + room];
  };
  const scale = o.log ? Math.log : (x) => x;
  const [x0, x1] = spread(xs.map(scale), .03), [y0, y1] = spread(ys, .06);
  const px = (x) => left + ((scale(x) - x0) / (x1 - x0)) * (width - left - right);
  const py = (y) => height - bottom - ((y - y0) / (y1 - y0)) * (height - top - bottom);

  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": o.label });
  const add = (name, attributes, ...children) => picture.append(svg(name, attributes, ...children));
  for (const { at: y, text } of ticks(y0, y1)) {
    add("line", { class: "grid", x1: left, x2: width - right, y1: py(y), y2: py(y) });
    add("text", { class: "tick", x: left - 6, y: py(y) + 4, "text-anchor": "end" }, text);
  }
  for (const { at: x, text } of o.log ? logTicks(Math.min(...xs), Math.max(...xs)) : ticks(x0, x1, width / 90)) {
    add("line", { class: "axis", x1: px(x), x2: px(x), y1: height - bottom, y2: height - bottom + 5 });
    add("text", { class: "tick", x: px(x), y: height - bottom + 18, "text-anchor": "middle" }, text);
  }
  add("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom });
  if (o.zero) add("line", { class: "zero", x1: left, x2: width - right, y1: py(0), y2: py(0) });
  for (const x of o.marks ?? []) add("line", { class: "mark", x1: px(x), x2: px(x), y1: top, y2: height - bottom });
  add("text", { class: "unit", x: 4, y: 14 }, o.yLabel ?? "");
  add("text", { class: "unit", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, o.xLabel ?? "");
  for (const p of o.dots ?? []) {
    if (Number.isFinite(p.y)) add("circle", { class: "dot", cx: px(p.x), cy: py(p.y), r: 2.6 });
  }
  const line = (o.line ?? []).filter((p) => Number.isFinite(p.y));
  if (line.length > 1) add("polyline", { class: "line", points: line.map((p) => `${px(p.x)},${py(p.y)}`).join(" ") });
  for (const p of line) {
    if (Number.isFinite(p.low) && Number.isFinite(p.high)) {
      add("line", { class: "whisker", x1: px(p.x), x2: px(p.x), y1: py(p.low), y2: py(p.high) });
      for (const end of [p.low, p.high]) add("line", { class: "whisker", x1: px(p.x) - 4, x2: px(p.x) + 4, y1: py(end), y2: py(end) });
    }
    add("circle", { class: "point", cx: px(p.x), cy: py(p.y), r: 4 });
  }
  at.replaceChildren(picture);
}
