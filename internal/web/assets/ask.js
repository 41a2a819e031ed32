// The page of a question: it is read as it is typed; values are moved and choices taken; then it is run.
import { element, language, mayWrite, post, t } from "./lib.js";
import { levers } from "./ask-levers.js";

const form = document.getElementById("ask");
const reading = document.getElementById("reading");
const { question, base, households, months, replications } = form.elements;
const sizes = { households, months, replications };
const pause = 300; // milliseconds without a key after which a question is read

const examples = [...reading.querySelectorAll("#examples")]; // as long as nothing is asked
let turn = 0; // of requests: answers to earlier ones are stale
let current = null; // the proposal that is shown
let byHand = false; // it is no longer that of the question alone: a choice was taken, or a value moved

// say puts what is wrong beside the field that it concerns.
const fields = { question, base, ...sizes };
const about = {
  base: "base", preset: "base", background: "base",
  households: "households", num_households: "households", households_per_firm: "households",
  months: "months", num_iterations: "months", window: "months", replications: "replications",
};
function wrong(error) {
  for (const [name, field] of Object.entries(fields)) {
    document.getElementById("wrong-" + name).textContent = "";
    field.removeAttribute("aria-invalid");
  }
  if (!error) return;
  const last = (error.field ?? "").split(/[.[]/).findLast((word) => about[word]);
  const name = about[last] ?? "question";
  document.getElementById("wrong-" + name).textContent = error.message;
  fields[name].setAttribute("aria-invalid", "true");
}

// latest has the answer of the newest request only; where the server is lost, it asks again until it is back.
async function latest(path, body) {
  const mine = ++turn;
  reading.setAttribute("aria-busy", "true");
  for (let wait = 500; ; wait = Math.min(2 * wait, 10000)) {
    try {
      const answer = await post(path, body);
      if (mine !== turn) return null;
      reading.removeAttribute("aria-busy");
      return answer;
    } catch (error) {
      if (mine !== turn) return null;
      if (error.status) {
        reading.removeAttribute("aria-busy");
        throw error;
      }
      await new Promise((after) => setTimeout(after, wait));
      if (mine !== turn) return null;
    }
  }
}

// most is the largest number of each size.
const most = { households: 1e8, months: 6000, replications: 1000 };

// options are what the form says beside the question; a size that is none is refused here, in the language of the page.
function options() {
  const said = {};
  if (base.value) said.base = base.value;
  for (const [field, input] of Object.entries(sizes)) {
    const text = input.value.trim();
    if (!text) continue;
    const auto = field === "replications" && text === "auto";
    if (!auto && !(/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most[field])) {
      const message = t("a whole number from 1 to ", "请输入整数：1 至 ") + most[field].toLocaleString("en");
      throw Object.assign(new Error(field === "replications" ? message + t(", or auto", "，或 auto") : message), { field });
    }
    said[field] = auto ? text : Number(text);
  }
  return said;
}

// remember keeps the question in the address, with the number of a choice that was taken: it can be sent on, is there after a sign-in,
// and in the other language.
const other = document.querySelector(".tools a[hreflang]");
function remember(choice) {
  const query = new URLSearchParams();
  for (const [name, field] of Object.entries(fields)) if (field.value.trim()) query.set(name, field.value.trim());
  if (choice) query.set("choice", choice);
  if (query.toString().length > 6000) return;
  history.replaceState(null, "", query.size ? "/?" + query : "/");
  query.set("lang", language === "zh" ? "en" : "zh");
  other.href = "/?" + query;
}

async function read() {
  remember();
  if (!question.value.trim()) {
    unsettle();
    wrong(null);
    reading.replaceChildren(...examples);
    return;
  }
  try {
    const answer = await latest("/ask/read", { question: question.value, language, ...options() });
    if (!answer) return;
    wrong(null);
    byHand = false;
    showReading(answer);
  } catch (error) {
    wrong(error);
    current = null;
    readyToRun();
  }
}

// plan shows what an inquiry that was changed becomes; where it cannot be, told() says so beside what was changed.
async function plan(inquiry, told, fresh) {
  current = null;
  readyToRun();
  try {
    const answer = await latest("/ask/plan", { inquiry, language });
    if (!answer) return;
    wrong(null);
    told(null);
    byHand = true;
    settled("ready");
    showProposal(answer, fresh);
  } catch (error) {
    told(error);
  }
}

const statuses = {
  ready: t("Understood. It can be run as it is, or changed first.", "已读懂。可直接运行，也可先调整。"),
  needs_clarification: t("This can be read in more than one way. Choose what is meant, or ask in other words.", "这个问题有不止一种理解。请选择，或换一种说法。"),
  out_of_scope: t("This is beyond what the model can say. Nothing was simulated.", "这超出了模型所能回答的范围。未进行任何模拟。"),
};

const section = (id, title, ...children) => element("section", { id }, element("h2", {}, title), ...children);
const list = (texts, make = (text) => text) => element("ul", {}, ...texts.map((text) => element("li", { dir: "auto" }, make(text))));
const link = (text) => element("a", { href: "/?" + new URLSearchParams({ question: text }) }, text);

// status says what became of the question; it is one element, so that a screen reader tells of changes.
const status = element("p", { id: "status", class: "status", role: "status" });
const understood = element("div");
const asked = element("div");
const experiment = element("div");

function settled(as) {
  status.dataset.status = as;
  if (status.textContent !== statuses[as]) status.textContent = statuses[as];
}

function showReading(answer) {
  const first = !status.isConnected;
  settled(answer.status);
  understood.replaceChildren(...parts(answer.parts));
  asked.replaceChildren(...choices(answer.asked_back));
  if (answer.nearest.length) understood.append(section("nearest", t("What can be asked", "可以这样问"), list(answer.nearest, link)));
  if (first) reading.replaceChildren(status, understood, asked, experiment);
  if (answer.proposal) showProposal(answer.proposal, true);
  else {
    current = null;
    experiment.replaceChildren();
  }
}

// parts are the words of the question, each with what it became.
function parts(all) {
  if (!all.some((p) => p.kind !== "plain")) return [];
  const said = element("p", { class: "said", dir: "auto" });
  const notes = element("ul", { class: "notes" });
  all.forEach((p, k) => {
    if (p.kind === "plain") {
      said.append(p.text);
      return;
    }
    const left = p.kind === "left_over";
    const id = "note-" + k;
    said.append(element("a", { class: "mark " + p.kind, href: "#" + id, "data-note": p.note }, p.text,
      left && element("sup", { "aria-hidden": "true" }, "?")));
    notes.append(element("li", { id, class: left ? "left_over" : null }, element("q", { dir: "auto" }, p.text),
      left ? " " + t("not used", "未采用") + ": " + p.note : " → " + p.note));
  });
  said.addEventListener("click", (e) => {
    const mark = e.target.closest("a.mark");
    if (!mark) return;
    e.preventDefault();
    for (const note of notes.children) note.classList.toggle("shown", "#" + note.id === mark.hash);
    notes.querySelector(mark.hash).scrollIntoView({ block: "nearest" });
  });
  return [section("understood", t("How each word was read", "逐词解读"), said, notes)];
}

// choices are what is asked back. One choice settles the question: what else is open is as first proposed.
function choices(questions) {
  if (!questions.length) return [];
  const told = element("p", { class: "wrong", role: "alert" });
  const say = (error) => { told.textContent = error ? error.message : ""; };
  const several = questions.filter((q) => q.choices.length).length > 1;
  let number = 0;
  const sets = questions.map((q) => element("fieldset", {}, element("legend", { dir: "auto" }, q.ask),
    element("ul", { class: "choices" }, ...q.choices.map((c) => {
      const choice = ++number;
      return element("li", {}, element("label", { dir: "auto" },
        element("input", { type: "radio", name: "choice", onchange: () => take(c.inquiry, say, choice) }), c.said));
    }))));
  return [section("asked", t("What is meant?", "您指的是？"), ...sets, several && element("p", { class: "hint" },
    t("One choice is taken; the other questions are then answered as first proposed, and the experiment below says how.",
      "只采用一项选择；其余问题按首选项处理，下方的实验会写明。")), told)];
}

const row = (head, ...cells) => element("tr", {}, element("th", { scope: "row" }, head), ...cells.map((c) => element("td", {}, c)));
const scrolls = (label) => ({ class: "scroll", tabindex: "0", role: "region", "aria-label": label });
const table = (label, heads, rows) => element("div", scrolls(label), element("table", {},
  element("thead", {}, element("tr", {}, ...heads.map((h) => element("th", { scope: "col" }, h)))), element("tbody", {}, ...rows)));

// parts of the proposal that are drawn anew while sliders move; the sliders stay.
const before = element("div");
const moving = element("div");
const after = element("div");
const takes = element("div");
const labelled = (label, text) => text && element("p", {}, element("strong", {}, label), ": " + text);

function showProposal(p, fresh) {
  current = p;
  draft = p.inquiry;
  before.replaceChildren(element("p", { id: "read-back", dir: "auto" }, p.read_back));
  if (p.assumed.length) before.append(element("h3", {}, t("Assumed", "所作假定")), list(p.assumed));
  before.append(...p.warnings.map((w) => element("p", { class: "warning" }, "⚠ " + w)));
  if (p.changes.length) before.append(element("h3", {}, t("The arms side by side", "各组对照")),
    table(t("The arms side by side", "各组对照"), [t("What", "内容"), ...p.arms], p.changes.map((c) => row(c.label, ...c.cells))));
  if (fresh) moving.replaceChildren(...levers(p, moveTo, () => structuredClone(draft)));
  households.placeholder = p.size.households;
  months.placeholder = p.size.months;
  replications.placeholder = p.size.auto ? "auto" : p.size.replications;
  takes.replaceChildren(list(p.size.lines));
  after.replaceChildren(
    element("h3", {}, t("What it is judged by", "判断依据")),
    table(t("What it is judged by", "判断依据"), [t("Outcome", "指标"), t("Expected", "预期"), t("Mean of months", "均值所取月份")],
      p.outcomes.map((o) => row(o.label, o.expected_text, o.months_text))),
    ...[labelled(t("Power", "功效"), p.power), labelled(t("Hypothesis", "假设"), p.hypothesis)].filter(Boolean),
    element("details", {}, element("summary", {}, t("The inquiry as JSON, for econ-mcp ask FILE", "JSON 形式的提问，可用于 econ-mcp ask 文件")),
      element("pre", { tabindex: "0" }, JSON.stringify(p.inquiry, null, 2))),
    element("p", { class: "hint" }, t("Hash of the plan", "计划哈希") + ": ", element("code", {}, p.plan_hash)),
  );
  if (!experiment.firstChild) {
    experiment.append(section("plan", t("The experiment", "实验"), element("div", { class: "beside" }, before, moving,
      element("aside", { class: "takes", "aria-label": t("What it takes", "所需资源") },
        element("h3", {}, t("What it takes", "所需资源")), takes, runner), after)));
  }
  readyToRun();
}
let draft = null; // the inquiry with all that was moved, also what is not planned yet

function moveTo(inquiry, told) {
  if (!inquiry) {
    unsettle();
    return;
  }
  draft = inquiry;
  later(() => plan(inquiry, told, false));
}

// runner starts what is shown. Who may only read is told so.
const name = element("input", { id: "name", maxlength: "100", autocomplete: "off", "aria-describedby": "wrong-name" });
const failed = element("p", { class: "wrong", id: "wrong-name", role: "alert" });
const button = element("button", { type: "submit", class: "primary" }, t("Run the experiment", "运行实验"));
const runner = mayWrite
  ? element("form", { class: "run", onsubmit: run },
    element("label", { for: "name" }, t("Name of the experiment, if you want one", "实验名称（可选）")),
    name, button, failed)
  : element("p", { class: "hint" }, t("You may only read here: running takes a token of the role full.", "您只有只读权限：运行实验需要 full 角色的令牌。"));

function readyToRun() {
  button.disabled = !current;
  if (current) name.placeholder = current.recommended_name;
}

async function run(e) {
  e.preventDefault();
  if (!current) return;
  const called = name.value.trim();
  failed.textContent = called && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(called)
    ? t("letters, digits, dots, hyphens and underscores, beginning with a letter or a digit", "由字母、数字、点、连字符和下划线组成，以字母或数字开头") : "";
  if (failed.textContent) return;
  button.disabled = true;
  try {
    const body = { inquiry: current.inquiry, language, plan_hash: current.plan_hash };
    if (called) body.experiment_name = called;
    const started = await post("/experiments", body);
    location.assign(`/experiments/${encodeURIComponent(started.experiment_name)}/live`);
  } catch (error) {
    failed.textContent = error.message;
    readyToRun();
  }
}

// sized is an inquiry with what was typed beside the question.
const typed = new Set();
function sized(inquiry) {
  const said = options();
  const background = (inquiry.background ??= {});
  const set = (background.set ??= {});
  if (said.base) background.preset = said.base;
  for (const field of typed) {
    const [into, key] = field === "households" ? [set, "num_households"] : [inquiry.design, field];
    if (said[field] === undefined) delete into[key];
    else into[key] = said[field];
  }
  if (inquiry.design.replications !== "auto") {
    delete inquiry.design.half_width;
    delete inquiry.design.max_replications;
  }
  return inquiry;
}

// take has a choice planned, with sizes that were typed since it was offered.
function take(inquiry, told, choice) {
  unsettle();
  remember(choice);
  let chosen;
  try {
    chosen = sized(structuredClone(inquiry));
  } catch (error) {
    return wrong(error);
  }
  return plan(chosen, told, true);
}

// resized is a size that was typed: it goes into the inquiry where that was changed by hand, else the question is read with it.
function resized() {
  if (!byHand || !draft) return read();
  remember();
  let inquiry;
  try {
    inquiry = sized(structuredClone(draft));
  } catch (error) {
    return wrong(error);
  }
  return plan(inquiry, wrong, false);
}

let timer = 0;
function unsettle() {
  clearTimeout(timer);
  turn++; // what is under way is no longer what is meant
  current = null;
  readyToRun();
  reading.removeAttribute("aria-busy");
}
function later(work) {
  unsettle();
  timer = setTimeout(work, pause);
}
const composed = (work) => (e) => { if (!e.isComposing) later(work); };
for (const kind of ["input", "compositionend"]) question.addEventListener(kind, composed(read));
base.addEventListener("change", read);
for (const [field, input] of Object.entries(sizes)) {
  if (input.value) typed.add(field);
  input.addEventListener("input", () => typed.add(field));
  input.addEventListener("input", composed(resized));
}
form.addEventListener("submit", (e) => {
  e.preventDefault();
  clearTimeout(timer);
  read();
});
question.addEventListener("keydown", (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) form.requestSubmit(); });

const choice = Number(new URLSearchParams(location.search).get("choice"));
if (question.value.trim()) {
  await read();
  reading.querySelectorAll("#asked input[type=radio]")[choice - 1]?.click();
}
