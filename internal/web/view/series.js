// An indicator over time: the arms of an experiment with their intervals, which the host asks the server for.
import { element, t } from "../assets/lib.js";
import { lines } from "../assets/charts.js";
import { call, mayCall } from "./host.js";
import { busy, choice, indicator, labelled, monthField } from "./indicators.js";

// armsOf are the arms of an experiment, the control first.
export const armsOf = async (experiment) =>
  (await call("get_experiment_summary", { experiment_name: experiment })).arms.map((a) => a.arm);

// usual are the indicators that are shown first, where a result has them.
const usual = ["real_gdp", "unemployment_rate", "cpi"];

// series shows an indicator of an experiment, and a form to ask for another or other months. first is an answer of
// get_all_economic_indicators to begin with; without it the host is asked. refresh() asks again.
export function series(at, { experiment, arms, metric, first, signal }) {
  const names = first && !mayCall() ? Object.keys(first.series) : undefined;
  metric ??= first ? usual.find((name) => first.series[name]) ?? Object.keys(first.series)[0] : usual[0];
  const months = first?.months ?? [];
  const what = choice(metric, names);
  const from = monthField(months[0] ?? 1);
  const to = monthField("");
  Object.assign(to, { required: false, placeholder: months.at(-1) ?? "" });
  const form = element("form", { class: "row" }, labelled(t("Indicator", "指标"), what));
  if (mayCall()) {
    form.append(labelled(t("from month", "从第几个月"), from), labelled(t("to month", "到第几个月"), to),
      element("button", {}, t("Show", "显示")));
  }
  const area = element("div");
  let chart;
  const draw = (options) => {
    if (chart) chart.update(options);
    else chart = lines(area, options);
  };
  const drawFirst = () => draw({
    ...indicator(what.value), x: first.months,
    series: [{ label: first.arm, arm: ["control", "main"].includes(first.arm) ? 0 : 1, values: first.series[what.value] }],
  });
  let turns = 0; // a newer question makes older answers void
  const ask = async () => {
    if (!mayCall()) {
      drawFirst();
      return;
    }
    const turn = ++turns;
    const asked = what.value;
    arms ??= await armsOf(experiment);
    const range = { from_month: Number(from.value) || 1, to_month: Number(to.value) || 0 };
    const answers = [];
    for (const arm of arms) {
      answers.push(await call("get_experiment_timeseries", { experiment_name: experiment, metric: asked, arm, ...range }));
      if (signal.aborted || turn !== turns) return;
    }
    to.placeholder = answers[0].months.at(-1) ?? "";
    const known = (list) => (list?.some((x) => x !== null) ? list : undefined);
    const least = Math.min(...answers.map((a) => a.months.length)); // an arm may be a month ahead while they run
    draw({
      ...indicator(asked), x: answers[0].months.slice(0, least),
      series: answers.map((a, k) => ({
        label: a.arm, arm: k, values: a.data.slice(0, least),
        low: known(a.lower)?.slice(0, least), high: known(a.upper)?.slice(0, least),
      })),
    });
  };
  const act = busy(form, ask);
  what.addEventListener("change", act);
  at.append(element("section", { "aria-label": t("Over time", "随时间变化") }, form, area,
    element("p", { class: "hint" }, t("Means over replications; bands are 95 % intervals.", "各次重复的均值；色带为 95% 区间。"))));
  signal.addEventListener("abort", () => chart?.destroy());
  if (first) drawFirst();
  return { refresh: act };
}
