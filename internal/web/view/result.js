// Which view shows a result: that of what the result has. Hosts need not say which tool it is of.
import { element, t } from "../assets/lib.js";
import { read } from "./host.js";
import { progress } from "./progress.js";
import { question } from "./question.js";
import { series } from "./series.js";
import { analysis, comparison } from "./effects.js";

// show draws what was given of a call into an element, until the signal.
export function show(at, given, signal) {
  const say = (text, role) => at.append(element("p", { role }, text));
  if (given.cancelled !== undefined) {
    say(t("The call was cancelled.", "调用已取消。") + (given.cancelled ? ` ${given.cancelled}` : ""), "status");
    return;
  }
  if (!given.result) {
    say(t("Waiting for the result…", "正在等待结果……"), "status");
    return;
  }
  let data;
  try {
    data = read(given.result);
  } catch (error) {
    say(error.message, "alert");
    return;
  }
  const view = viewOf(data);
  if (view) view(at, { data, input: given.input ?? {}, signal });
  else say(t("This page cannot show this result.", "此页面无法显示该结果。"), "status");
}

function viewOf(data) {
  if (Array.isArray(data.questions)) return question;
  if (data.run_status !== undefined) return progress;
  if (data.treatment_effects) return analysis;
  if (data.rows) return comparison;
  if (data.series) return overTime;
  return null;
}

// overTime is the answer of get_all_economic_indicators.
function overTime(at, { data, signal }) {
  at.append(element("h1", {}, element("bdi", {}, data.experiment_name)));
  series(at, { experiment: data.experiment_name, arms: null, metric: null, first: data, signal });
}
