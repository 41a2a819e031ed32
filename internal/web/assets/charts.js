// Charts: lines over months with bands, and small lines without axes. Colours and dashes of an arm are those of the figures
// (internal/plot): arm 0 is the first of the legend, -1 is grey and -2 the colour of text, for what is no single arm's.

import uPlot from "./uplot/uPlot.js";
import { element, t } from "./lib.js";
import { value, difference, number, absent } from "./format.js";

for (const sheet of ["uplot/uPlot.css", "charts.css"]) { // pages in one file have them in it
  if (!document.getElementById(sheet)) document.head.append(element("link", { rel: "stylesheet", href: "/assets/" + sheet }));
}

const armColours = 6;
const dashes = [[], [8, 4], [2.5, 3], [12, 3, 2.5, 3]];
const bandAlpha = "34"; // of 255, in hexadecimal

const property = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const propertyOf = (arm) => (arm === -1 ? "--soft" : arm === -2 ? "--ink" : `--arm-${arm % armColours}`);
const dashOf = (arm) => dashes[Math.max(arm, 0) % dashes.length];

// colours are those of the theme, read once for each theme and not for each line that is drawn.
let colours = {};
const colour = (name) => (colours[name] ??= property(name));
addEventListener("themechange", () => { colours = {}; });

// lines draws series over months, with bands, into an element; update takes what changes of the options.
export function lines(at, options) {
  let chart = new Lines(at, options);
  return {
    update(changes) {
      options = { ...options, ...changes };
      if (!chart.take(options)) {
        const hidden = chart.hidden;
        chart.destroy();
        chart = new Lines(at, options, hidden);
      }
    },
    destroy: () => chart.destroy(),
  };
}

// shape is what a chart is built for: where it is the same, only numbers change.
const shape = (o) => JSON.stringify([
  o.label, o.unit, o.reading, !!o.difference, o.height, o.series.map((s) => [s.label, s.arm, !!s.low]), o.marks ?? [],
]);

class Lines {
  constructor(at, options, hidden = new Set()) {
    this.options = options;
    this.shape = shape(options);
    this.hidden = new Set([...hidden].filter((label) => options.series.some((s) => s.label === label)));
    this.chosen = null; // place of the month that the pointer or the keyboard chose; null = the last
    this.build(at);
    this.plot = new uPlot(this.settings(), this.data(), this.area);
    this.stop = new AbortController();
    addEventListener("themechange", () => queueMicrotask(() => this.plot.redraw(false)), { signal: this.stop.signal });
    this.area.addEventListener("keydown", (e) => this.key(e), { signal: this.stop.signal });
    this.resized = new ResizeObserver(() => {
      if (this.area.clientWidth > 0 && this.area.clientWidth !== this.plot.width) this.plot.setSize(this.dimensions());
    });
    this.resized.observe(this.area);
    this.tell();
  }

  destroy() {
    this.stop.abort();
    this.resized.disconnect();
    this.plot.destroy();
    this.root.remove();
  }

  // take shows other numbers, or says that the chart has to be built anew.
  take(options) {
    if (shape(options) !== this.shape) return false;
    const zoomed = this.zoomed();
    const { min, max } = this.plot.scales.x;
    this.options = options;
    this.plot.setData(this.data(), !zoomed);
    if (zoomed) this.plot.setScale("x", { min, max });
    if (this.chosen !== null && this.chosen >= options.x.length) this.chosen = null;
    this.tell();
    if (this.table.open) this.fillTable();
    return true;
  }

  build(at) {
    const o = this.options;
    this.reset = element("button", { type: "button", hidden: true, onclick: () => this.zoom() }, t("Whole period", "整个时期"));
    this.area = element("div", {
      class: "lines-area", tabindex: 0, role: "slider", "aria-label": o.label, "aria-orientation": "horizontal",
      title: t("Drag to zoom; arrow keys choose a month", "拖动可放大；方向键选择月份"),
    });
    this.month = element("p", { class: "lines-month" });
    this.values = o.series.map(() => element("span", { class: "v" }));
    this.legend = element("ul", { class: "lines-legend" }, ...o.series.map((s, k) => element("li", {}, this.button(s, k), this.values[k])));
    this.table = element("details", { ontoggle: () => { if (this.table.open) this.fillTable(); } },
      element("summary", {}, t("Numbers", "数值")), element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": o.label }));
    this.root = element("div", { class: "lines" },
      element("div", { class: "lines-unit" }, element("span", {}, this.unit()), this.reset),
      this.area, this.month, this.legend, this.markList(), this.table);
    at.append(this.root);
  }

  // unit is what stands above the axis: of shares percent, of their differences percentage points.
  unit() {
    const { unit = "", reading, difference: of } = this.options;
    if (reading !== "share") return unit;
    const percent = of ? t("percentage points", "百分点") : "%";
    if (/^share\b/.test(unit)) return unit.replace("share", percent); // "share of GDP" is "% of GDP"
    if (unit.startsWith("比率")) return unit.replace("比率", percent);
    return unit ? t(`${percent} (${unit})`, `${percent}（${unit}）`) : percent;
  }

  button(s, k) {
    const b = element("button", {
      type: "button", "aria-pressed": String(!this.hidden.has(s.label)),
      onclick: () => {
        const show = this.hidden.has(s.label);
        if (show) this.hidden.delete(s.label); else this.hidden.add(s.label);
        b.setAttribute("aria-pressed", String(show));
        this.plot.setSeries(k + 1, { show });
        this.tell();
      },
    }, sample(s.arm), element("bdi", {}, s.label));
    return b;
  }

  // markList says what the numbers above vertical lines mean.
  markList() {
    this.marks = Object.values(Object.groupBy(this.options.marks ?? [], (m) => m.month)).sort((a, b) => a[0].month - b[0].month);
    if (this.marks.length === 0) return null;
    return element("ol", { class: "lines-marks" }, ...this.marks.map((same) => element("li", { dir: "auto" },
      t(`Month ${same[0].month}: `, `第 ${same[0].month} 个月：`) + same.map((m) => m.text).join(t("; ", "；")))));
  }

  dimensions() {
    const width = Math.max(this.area.clientWidth, 200);
    return { width, height: this.options.height ?? Math.round(Math.min(Math.max(width * 0.45, 220), 340)) };
  }

  // data are the columns of uPlot: months, and the lines. Bands are drawn by drawBands, below all lines, as uPlot's own are not.
  data() { return [this.options.x, ...this.options.series.map((s) => s.values)]; }

  settings() {
    const { series, reading, difference: of } = this.options;
    const list = series.map((s) => {
      const stroke = () => colour(propertyOf(s.arm));
      return {
        label: s.label, show: !this.hidden.has(s.label), stroke, width: 2, dash: dashOf(s.arm),
        points: { show: (u) => u.data[0].length < 2, fill: stroke },
      };
    });
    const axis = {
      stroke: () => colour("--soft"), font: "12px system-ui, sans-serif", ticks: { show: false },
      grid: { stroke: () => colour("--rule"), width: 1 },
    };
    return {
      ...this.dimensions(), series: [{}, ...list], legend: { show: false }, padding: [16, 14, 0, 0],
      scales: { x: { time: false }, y: { range: (u, low, high) => this.range(u, low, high) } },
      cursor: {
        y: false, points: { size: 7, width: 0 }, drag: { x: true, y: false },
        bind: { dblclick: () => () => { this.zoom(); return null; } },
      },
      axes: [
        { ...axis, incrs: [1, 2, 3, 6, 12, 24, 36, 60, 120, 240, 600], space: 40, size: 28,
          values: (_, splits) => splits.map((m) => (Number.isInteger(m) ? String(m) : "")) },
        { ...axis, size: (u, texts) => 14 + Math.max(0, ...(texts ?? []).map((text) => measure(u.ctx, text))),
          values: (_, splits) => ticks(splits, reading, of) },
      ],
      hooks: {
        drawAxes: [(u) => this.drawBands(u)],
        draw: [(u) => this.drawMarks(u)],
        setCursor: [(u) => { this.chosen = u.cursor.idx ?? null; this.tell(); }],
        setScale: [(u, key) => { if (key === "x") this.reset.hidden = !this.zoomed(u); }],
      },
    };
  }

  // banded are the series whose bands are seen.
  banded() { return this.options.series.filter((s) => s.low && s.high && !this.hidden.has(s.label)); }

  // range is that of the axis of values: of the lines, and of their bands in the months that are shown.
  range(u, low, high) {
    const { x } = this.options;
    const min = u.scales.x.min ?? -Infinity, max = u.scales.x.max ?? Infinity; // not known when the chart begins
    low ??= Infinity;
    high ??= -Infinity;
    for (const s of this.banded()) {
      for (let k = 0; k < x.length; k++) {
        if (x[k] < min || x[k] > max || s.low[k] == null || s.high[k] == null) continue;
        if (s.low[k] < low) low = s.low[k];
        if (s.high[k] > high) high = s.high[k];
      }
    }
    if (low > high) return [null, null];
    const room = 0.06 * (high - low) || 0.1 * Math.abs(low) || 1;
    return [low - room, high + room];
  }

  // drawBands fills the area between the bounds of each series, below all lines.
  drawBands(u) {
    const { x } = this.options;
    const { ctx, bbox } = u;
    const { min, max } = u.scales.x;
    const { min: least, max: most } = u.scales.y;
    if (!(max > min && most > least)) return;
    const across = (m) => bbox.left + (bbox.width * (m - min)) / (max - min);
    const up = (v) => bbox.top + bbox.height * (1 - (v - least) / (most - least));
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    const inside = (k) => k < x.length && x[Math.max(k - 1, 0)] <= max; // or the first month beyond
    const first = Math.max(x.findIndex((m) => m >= min) - 1, 0);
    for (const { low, high, arm } of this.banded()) {
      const known = (k) => low[k] != null && high[k] != null;
      ctx.fillStyle = colour(propertyOf(arm)) + bandAlpha;
      ctx.beginPath();
      for (let from = first; inside(from); from++) {
        if (!known(from)) continue;
        let to = from; // the last month before a gap
        while (inside(to + 1) && known(to + 1)) to++;
        ctx.moveTo(across(x[from]), up(low[from]));
        for (let k = from; k <= to; k++) ctx.lineTo(across(x[k]), up(high[k]));
        for (let k = to; k > from; k--) ctx.lineTo(across(x[k]), up(low[k]));
        from = to;
      }
      ctx.fill();
    }
    ctx.restore();
  }

  // drawMarks draws a vertical line with its number at each mark, and the line of no difference.
  drawMarks(u) {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.lineWidth = ratio;
    ctx.strokeStyle = ctx.fillStyle = colour("--ink");
    if (this.options.difference && u.scales.y.min < 0 && u.scales.y.max > 0) {
      const y = Math.round(u.valToPos(0, "y", true));
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.setLineDash([3 * ratio, 3 * ratio]);
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "bottom";
    this.marks.forEach((same, k) => {
      const x = Math.round(u.valToPos(same[0].month, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) return;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillText(String(k + 1), x, bbox.top - ratio);
    });
    ctx.restore();
  }

  // tell writes the values of the chosen month, else of the last.
  tell() {
    const { x, series, reading, difference: of } = this.options;
    const k = this.chosen ?? x.length - 1;
    const write = of ? difference : value;
    const said = [];
    series.forEach((s, i) => {
      const bounds = s.low && s.low[k] != null && s.high[k] != null ? t(` (${write(reading, s.low[k])} to ${write(reading, s.high[k])})`,
        `（${write(reading, s.low[k])} 至 ${write(reading, s.high[k])}）`) : "";
      const text = s.values[k] == null ? absent : write(reading, s.values[k]) + bounds;
      this.values[i].textContent = this.hidden.has(s.label) ? "" : text;
      if (!this.hidden.has(s.label)) said.push(`${s.label} ${text}`);
    });
    this.month.textContent = x.length === 0 ? t("No month yet", "尚无月份") : t(`Month ${x[k]}`, `第 ${x[k]} 个月`);
    this.area.setAttribute("aria-valuemin", x[0] ?? 0);
    this.area.setAttribute("aria-valuemax", x.at(-1) ?? 0);
    this.area.setAttribute("aria-valuenow", x[k] ?? 0);
    this.area.setAttribute("aria-valuetext", [this.month.textContent, ...said].join(t(", ", "，")));
  }

  // key chooses a month, and zooms with + and −.
  key(e) {
    const { x } = this.options;
    const k = this.chosen ?? x.length - 1;
    const to = { ArrowLeft: k - 1, ArrowDown: k - 1, ArrowRight: k + 1, ArrowUp: k + 1, PageDown: k - 12, PageUp: k + 12, Home: 0, End: x.length - 1 }[e.key];
    if (x.length === 0 || e.ctrlKey || e.altKey || e.metaKey) return;
    if (to !== undefined) this.choose(Math.min(Math.max(to, 0), x.length - 1));
    else if (["Escape", "+", "=", "-"].includes(e.key)) {
      if (e.key === "Escape") this.zoom();
      else this.zoomAround(x[k], e.key === "-" ? 2 : 0.5);
      this.choose(k); // the same month, wherever it is now
    } else return;
    e.preventDefault();
  }

  choose(k) {
    const month = this.options.x[k];
    // Scales are set in a microtask, before which the cursor would be put by the old ones.
    queueMicrotask(() => {
      const { min, max } = this.plot.scales.x;
      if (month < min || month > max) { // the window follows
        const by = month < min ? month - min : month - max;
        this.zoom(min + by, max + by);
      }
      queueMicrotask(() => this.plot.setCursor({ left: this.plot.valToPos(month, "x"), top: 10 }));
    });
  }

  zoomed(u = this.plot) {
    const { x } = this.options;
    return u && x.length > 1 && (u.scales.x.min > x[0] || u.scales.x.max < x.at(-1));
  }

  // zoom shows a range of months, without one all of them.
  zoom(min = this.options.x[0], max = this.options.x.at(-1)) {
    this.plot.setScale("x", { min, max });
  }

  zoomAround(month, factor) {
    const { x } = this.options;
    const { min, max } = this.plot.scales.x;
    const half = Math.max((max - min) * factor, 2) / 2;
    this.zoom(Math.max(x[0], month - half), Math.min(x.at(-1), month + half));
  }

  fillTable() {
    const { x, series, reading, difference: of } = this.options;
    const write = of ? difference : value;
    const cell = (s, k) => (s.values[k] == null ? absent : write(reading, s.values[k]) +
      (s.low?.[k] == null ? "" : ` [${write(reading, s.low[k])}, ${write(reading, s.high[k])}]`));
    this.table.lastElementChild.replaceChildren(element("table", {},
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, t("Month", "月份")),
        ...series.map((s) => element("th", { scope: "col", dir: "auto" }, s.label)))),
      element("tbody", {}, ...x.map((month, k) => element("tr", {}, element("th", { scope: "row" }, String(month)),
        ...series.map((s) => element("td", { class: "n" }, cell(s, k))))))));
  }
}

const svgSpace = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const e = document.createElementNS(svgSpace, name);
  for (const [key, v] of Object.entries(attributes)) e.setAttribute(key, v);
  e.append(...children);
  return e;
}

// sample is the piece of line that a legend shows.
export function sample(arm) {
  const line = svg("line", { x1: 1, y1: 7, x2: 34, y2: 7, "stroke-width": 2.5, "stroke-dasharray": dashOf(arm).join(" ") || "none" });
  line.style.stroke = `var(${propertyOf(arm)})`;
  return svg("svg", { viewBox: "0 0 35 14", "aria-hidden": "true" }, line);
}

// measure is how wide a text of an axis is, in pixels of the page.
function measure(ctx, text) {
  ctx.save();
  ctx.font = "12px system-ui, sans-serif";
  const width = Math.ceil(ctx.measureText(text).width);
  ctx.restore();
  return width;
}

const divisors = [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e4, " k"]];

// ticks are the texts of an axis: with as many decimals as its steps need, and one unit for all.
function ticks(splits, reading, of) {
  const known = splits.filter((v) => v != null);
  const largest = Math.max(...known.map(Math.abs), 0);
  const [from, name] = reading === "share" ? [0.01, ""] : divisors.find(([least]) => largest >= least) ?? [1, ""];
  const size = from === 1e4 ? 1e3 : from;
  const step = known.length > 1 ? (known[1] - known[0]) / size : 1;
  let decimals = 0;
  while (decimals < 9 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 * step * 10 ** decimals) decimals++;
  return splits.map((v) => (v == null ? "" : (of && v > 0 ? "+" : "") + number(v / size, decimals) + name));
}

// spark draws a small line without axes: values, null for a gap; with low and high a band, with zero the line of no difference.
export function spark(at, values, { label, low, high, zero = false } = {}) {
  const there = [...values, ...(low ?? []), ...(high ?? []), ...(zero ? [0] : [])].filter((v) => v != null);
  const picture = svg("svg", { class: "spark", viewBox: "0 0 100 24", preserveAspectRatio: "none", role: "img", "aria-label": label ?? "" });
  if (there.length > 0) {
    const least = Math.min(...there);
    const span = Math.max(...there) - least || 1;
    const x = (k) => ((100 * k) / Math.max(values.length - 1, 1)).toFixed(2);
    const y = (v) => (22 - (20 * (v - least)) / span).toFixed(2);
    if (low && high) {
      const known = values.map((_, k) => k).filter((k) => low[k] != null && high[k] != null);
      const edge = [...known.map((k) => `${x(k)},${y(high[k])}`), ...known.reverse().map((k) => `${x(k)},${y(low[k])}`)];
      picture.append(svg("polygon", { class: "band", points: edge.join(" ") }));
    }
    if (zero) picture.append(svg("line", { class: "zero", x1: 0, x2: 100, y1: y(0), y2: y(0) }));
    let path = "";
    values.forEach((v, k) => { if (v != null) path += `${k > 0 && values[k - 1] != null ? "L" : "M"}${x(k)} ${y(v)}`; });
    picture.append(svg("path", { class: "line", d: path }));
  }
  at.append(picture);
  return picture;
}
