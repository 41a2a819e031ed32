// How far an experiment is, while it runs, and its indicators: start_simulation and get_simulation_status.
import { element, t } from "../assets/lib.js";
import { number, value } from "../assets/format.js";
import { call, mayCall } from "./host.js";
import { indicator, label } from "./indicators.js";
import { armsOf, series } from "./series.js";

// waited is how many seconds the server waits for the end before it says how far an experiment is: one call in so many seconds.
const waited = 2;

const states = {
  queued: () => t("waiting for its turn", "排队中"), burn_in: () => t("burn-in", "预热中"), running: () => t("running", "运行中"),
  paused: () => t("paused", "已暂停"), stopped: () => t("stopped", "已停止"), interrupted: () => t("interrupted", "已中断"),
  completed: () => t("completed", "已完成"), failed: () => t("failed", "失败"),
};

const ended = ["stopped", "interrupted", "completed", "failed"];

const headline = ["real_gdp", "unemployment_rate", "inflation", "cpi", "income_gini", "deficit_to_gdp"];

// progress shows an answer of either, and follows the experiment until it ends or the signal.
export function progress(at, { data, signal }) {
  const name = data.experiment_name;
  const bar = element("progress", { max: 1, "aria-label": t("Progress", "进度") });
  const state = element("p", { role: "status" });
  const latest = element("dl", { class: "latest" });
  const wrong = element("p", { role: "alert", hidden: true });
  const chart = element("div");
  at.append(element("h1", {}, element("bdi", {}, name)));
  if (data.read_back) at.append(element("p", { dir: "auto" }, data.read_back));
  for (const text of data.warnings ?? []) at.append(element("p", { class: "hint", dir: "auto" }, text));
  at.append(bar, state, wrong, latest, chart);
  let over; // the indicators over time
  let drawn = 0; // months of it
  const show = (s) => {
    bar.value = s.progress ?? 0;
    const months = s.total_months ?? s.months;
    const parts = [
      (states[s.run_status] ?? (() => s.run_status))(), t(`month ${s.month} of ${months}`, `第 ${s.month} 个月，共 ${months} 个月`),
    ];
    if (s.running && typeof s.eta_seconds === "number") {
      parts.push(t(`about ${number(s.eta_seconds, 0)} s left`, `约剩 ${number(s.eta_seconds, 0)} 秒`));
    }
    state.textContent = parts.join(t(", ", "，"));
    const said = s.error || s.note || "";
    wrong.textContent = said;
    wrong.hidden = said === "";
    const there = headline.filter((m) => typeof s.latest?.[m] === "number");
    latest.replaceChildren(...there.map((m) => element("div", {},
      element("dt", {}, label(m)), element("dd", {}, value(indicator(m).reading, s.latest[m])))));
  };
  const draw = async (s) => {
    if (!mayCall() || s.month <= drawn) return;
    drawn = s.month;
    over ??= series(chart, { experiment: name, arms: data.arms ?? await armsOf(name), metric: null, signal });
    await over.refresh();
  };
  const follow = async () => {
    for (let s = data; !signal.aborted; ) {
      show(s);
      await draw(s);
      if (ended.includes(s.run_status) && s.latest) return;
      if (!s.running && s.latest) await later(signal); // somebody may resume it
      if (document.hidden) await visible(signal);
      if (signal.aborted) return;
      s = await call("get_simulation_status", { experiment_name: name, wait_seconds: s.latest && s.running ? waited : 0 });
    }
  };
  if (!mayCall()) show(data);
  else follow().catch((error) => { wrong.textContent = error.message; wrong.hidden = false; });
}

// later waits as long as the server would.
const later = (signal) => new Promise((done) => {
  setTimeout(done, 1000 * waited);
  signal.addEventListener("abort", done);
});

// visible waits until the page is looked at.
const visible = (signal) => new Promise((done) => {
  document.addEventListener("visibilitychange", done, { once: true });
  signal.addEventListener("abort", done);
});
