// What was understood of a question, or what is asked back: analyze_question.
import { element, t } from "../assets/lib.js";
import { number } from "../assets/format.js";
import { call, mayCall, tell } from "./host.js";
import { busy } from "./indicators.js";
import { progress } from "./progress.js";

// marked is the question with what was used of it marked. Places count characters of Unicode.
function marked(text, used) {
  const characters = [...text];
  const parts = [];
  let at = 0;
  for (const { from, to, as } of [...used].sort((a, b) => a.from - b.from)) {
    if (from < at || to > characters.length) continue;
    parts.push(characters.slice(at, from).join(""), element("mark", { title: as }, characters.slice(from, to).join("")));
    at = to;
  }
  return element("blockquote", { dir: "auto" }, ...parts, characters.slice(at).join(""));
}

const listed = (title, texts) => (texts.length === 0 ? [] : [
  element("h2", {}, title), element("ul", {}, ...texts.map((text) => element("li", { dir: "auto" }, text))),
]);

// question shows the answer, and runs the inquiry that a person chooses.
export function question(at, { data, input, signal }) {
  at.append(element("h1", {}, {
    ready: t("Ready to run", "可以运行"), needs_clarification: t("Which one is meant?", "指的是哪一种？"),
    out_of_scope: t("Out of scope", "超出范围"),
  }[data.status] ?? data.status));
  if (input.question) at.append(marked(input.question, data.used));
  if (data.status === "ready") at.append(element("p", { dir: "auto" }, data.read_back));
  if (data.model_note) at.append(element("p", { class: "hint", dir: "auto" }, data.model_note));
  at.append(...listed(t("Assumed", "假设"), data.assumed),
    ...listed(t("Left out of the reading", "未采用的词句"), data.left_over.map((l) => `${l.text}: ${l.why}`)),
    ...listed(t("What can do nothing", "不起作用的内容"), data.warnings), ...listed(t("What can be asked instead", "可以改问"), data.nearest));
  const choices = data.status === "ready" ? [] : data.questions.flatMap((q) => q.choices);
  const form = element("form");
  if (data.status === "needs_clarification") {
    let k = 0;
    for (const q of data.questions) {
      form.append(element("h2", { dir: "auto" }, q.ask), ...q.choices.map((c) => element("p", {}, element("label", {},
        element("input", { type: "radio", name: "choice", value: k++, required: true }), " ", c.said))));
    }
  }
  const inquiry = () => (data.status === "ready" ? data.inquiry : choices[Number(new FormData(form).get("choice"))].inquiry);
  if (!mayCall() || (data.status !== "ready" && choices.length === 0)) {
    at.append(form);
    return;
  }
  const seconds = number(data.estimated_seconds, 0);
  form.append(element("p", {}, element("button", { class: "primary" }, t("Run this experiment", "运行此实验")), " ",
    data.status === "ready" ? element("span", { class: "hint" }, t(`about ${seconds} s`, `约 ${seconds} 秒`)) : null));
  const run = element("section");
  busy(form, async () => {
    const started = await call("start_simulation", { inquiry: inquiry() });
    tell(`On the page of analyze_question the user started the experiment ${started.experiment_name}.`);
    form.hidden = true;
    progress(run, { data: started, signal });
  });
  at.append(form, run);
}
