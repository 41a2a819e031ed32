// Differences from the control: the answers of compare_experiments and analyze_experiment.
import { element, language, t } from "../assets/lib.js";
import { lines } from "../assets/charts.js";
import { absent, difference, number } from "../assets/format.js";
import { call, mayCall } from "./host.js";
import { busy, choice, group, indicator, label, labelled, monthField } from "./indicators.js";
import { series } from "./series.js";

const verdicts = {
  supported: () => t("difference found", "发现差异"),
  contradicted: () => t("difference found, against the expectation", "发现差异，与预期相反"),
  equivalent_to_zero: () => t("no difference that matters", "无值得关注的差异"),
  inconclusive: () => t("not known", "尚不确定"),
  not_judged: () => t("not judged", "未作判断"),
};

const svgSpace = "http://www.w3.org/2000/svg";

// interval draws an interval beside the line of no difference. The numbers stand in the next cell.
function interval(row) {
  const most = 1.08 * Math.max(...[row.ci_low, row.ci_high, row.difference].map((v) => Math.abs(v ?? 0)), 1e-300);
  const x = (v) => 60 + (58 * v) / most;
  const make = (name, attributes) => {
    const e = document.createElementNS(svgSpace, name);
    for (const [key, v] of Object.entries(attributes)) e.setAttribute(key, v);
    return e;
  };
  const picture = make("svg", { viewBox: "0 0 120 20", class: "interval", "aria-hidden": "true" });
  picture.append(make("line", { x1: 60, x2: 60, y1: 1, y2: 19, class: "zero" }));
  if (row.ci_low !== null && row.ci_high !== null) {
    picture.append(make("line", { x1: x(row.ci_low), x2: x(row.ci_high), y1: 10, y2: 10, class: "range" }));
  }
  if (row.difference !== null) picture.append(make("circle", { cx: x(row.difference), cy: 10, r: 4, class: "point" }));
  return picture;
}

// table is a table of effects.
function table(rows, confidence) {
  const percent = String(Number((100 * confidence).toFixed(2)));
  const cells = (row) => {
    const { reading } = indicator(row.metric);
    const size = difference(reading, row.difference);
    const relative = typeof row.percent === "number" ? `${row.percent > 0 ? "+" : ""}${number(row.percent)} %` : "";
    const range = row.ci_low === null ? absent : t(`${difference(reading, row.ci_low)} to ${difference(reading, row.ci_high)}`,
      `${difference(reading, row.ci_low)} 至 ${difference(reading, row.ci_high)}`);
    const p = row.p_adjusted === null ? absent : row.p_adjusted < 0.001 ? "< 0.001" : number(row.p_adjusted, 3);
    return element("tr", {},
      element("th", { scope: "row" }, label(row.metric), element("br"), element("span", { class: "hint" }, element("bdi", {}, row.arm),
        t(`, months ${row.from_month}–${row.to_month}`, `，第 ${row.from_month}–${row.to_month} 个月`))),
      element("td", { class: "n" }, size, element("br"), element("span", { class: "hint" }, relative)),
      element("td", {}, (verdicts[row.verdict] ?? (() => row.verdict))(), row.exploratory ? t(" (exploratory)", "（探索性）") : null),
      element("td", {}, interval(row)),
      element("td", { class: "n" }, range), element("td", { class: "n" }, p));
  };
  const head = [
    t("Outcome", "结果变量"), t("Difference", "差异"), t("Verdict", "判断"), t("Around zero", "相对于零"),
    t(`${percent} % interval`, `${percent}% 区间`), t("p, adjusted", "校正后 p 值"),
  ];
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Effects", "效应") },
    element("table", { class: "effects" },
      element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map(cells))));
}

const paragraphs = (texts) => texts.map((text) => element("p", { class: "hint", dir: "auto" }, text));

// notes are warnings and the like, folded.
function notes(title, texts) {
  return texts.length === 0 ? null : element("details", {}, element("summary", {}, `${title} (${texts.length})`), ...paragraphs(texts));
}

// another is a form to compare by another indicator or in other months. It is counted as a question of its own.
function another(at, { experiments, row, control, signal }) {
  if (!mayCall() || experiments.length === 0) return;
  const what = choice(row?.metric);
  const from = monthField(row?.from_month ?? 1);
  const to = monthField(row?.to_month ?? 12);
  const answer = element("div", { "aria-live": "polite" });
  const form = element("form", { class: "row" }, labelled(t("Indicator", "指标"), what), labelled(t("from month", "从第几个月"), from),
    labelled(t("to month", "到第几个月"), to), element("button", {}, t("Compare", "比较")));
  busy(form, async () => {
    const data = await call("compare_experiments", {
      experiment_names: experiments, metrics: [what.value], window: [Number(from.value), Number(to.value)], language,
    });
    if (signal.aborted) return;
    answer.replaceChildren();
    compared(answer, data, signal);
  });
  at.append(element("section", {}, element("h2", {}, t("Another outcome or window", "其他结果变量或时段")), form,
    element("p", { class: "hint" }, t("What the plan does not name is exploratory, and is counted: later claims become more careful.",
      "计划之外的比较属于探索性分析，并会计数，之后的结论将因此更为谨慎。")), answer));
}

// compared draws the paths, the table and the notes of a comparison.
function compared(at, data, signal) {
  const paths = data.dynamic_effects ?? [];
  for (const metric of new Set(paths.map((p) => p.metric))) {
    const those = paths.filter((p) => p.metric === metric);
    const area = element("div");
    at.append(element("h2", {}, t(`${label(metric)}: difference over time`, `${label(metric)}：差异随时间的变化`)), area);
    const chart = lines(area, {
      ...indicator(metric), difference: true, x: those[0].months,
      series: those.map((p, k) => ({ label: p.arm, arm: k + 1, values: p.difference, low: p.ci_low, high: p.ci_high })),
    });
    signal.addEventListener("abort", () => chart.destroy());
  }
  if (data.rows.length > 0) at.append(table(data.rows, data.confidence));
  else if (data.text) at.append(element("pre", { class: "scroll", tabindex: 0 }, data.text));
  if (data.rows_left_out) {
    at.append(...paragraphs([t(`${data.rows_left_out} more rows: detail "full" has them.`, `另有 ${data.rows_left_out} 行，见 detail "full"。`)]));
  }
  at.append(notes(t("Notes", "说明"), data.warnings ?? []) ?? "");
}

// comparison is the answer of compare_experiments.
export function comparison(at, { data, input, signal }) {
  const experiments = input.experiment_names ?? [];
  at.append(element("h1", {}, t("Differences from ", "与对照之差："), element("bdi", {}, data.control)),
    element("p", { class: "hint", dir: "auto" }, experiments.join(t(", ", "、"))));
  compared(at, data, signal);
  another(at, { experiments, row: data.rows[0], signal });
  if (experiments.length === 1 && mayCall()) levels(at, experiments[0], data.rows[0]?.metric, signal);
}

// levels are the levels of the arms, when they are asked for.
function levels(at, experiment, metric, signal) {
  const place = element("section", {}, element("h2", {}, t("Levels of the arms", "各组水平")));
  const open = element("button", { type: "button", onclick: () => {
    open.remove();
    series(place, { experiment, arms: null, metric, signal }).refresh();
  } }, t("Show over time", "显示随时间的变化"));
  place.append(open);
  at.append(place);
}

// analysis is the answer of analyze_experiment.
export function analysis(at, { data, signal }) {
  const { winners, losers } = data.distribution_effects;
  at.append(element("h1", {}, element("bdi", {}, data.experiment_name)),
    element("p", { dir: "auto" }, data.conclusion));
  if (data.treatment_effects.length > 0) at.append(table(data.treatment_effects, data.confidence));
  if (winners.length + losers.length > 0) {
    const list = (names) => names.map(group).join(t(", ", "、")) || t("none", "无");
    at.append(element("p", {}, t("Gain: ", "受益："), list(winners), t(". Lose: ", "。受损："), list(losers), t(".", "。")));
  }
  at.append(notes(t("Notes", "说明"), data.diagnostics.warnings) ?? "");
  const first = data.treatment_effects[0];
  if (mayCall()) levels(at, data.experiment_name, first?.metric, signal);
  if (data.control) another(at, { experiments: [data.experiment_name], row: first, signal });
}
