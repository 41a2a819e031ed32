// An experiment while it runs: its months as they come, and what steers it.

import { t, language, element, post, get, follow, problem } from "./lib.js";
import { lines } from "./charts.js";

const root = document.getElementById("live");
const name = root.dataset.experiment;
const steers = root.dataset.steers === "true";
const base = `/experiments/${encodeURIComponent(name)}`;
const at = (id) => document.getElementById(id);

const redrawEvery = 250; // ms between two drawings of a chart, at least
const tellEvery = 12; // months between two that are read out

let state = null; // the last that the server told
let arms = [];
let indicators = []; // of the stream, in its order
let months = []; // numbers of those that are there
let series = []; // by indicator and arm: { mean, low, high }
let interventions = [];

// say shows what was done, and has it read out.
const say = (text) => { at("said").textContent = text; };

// ——— what the server tells

const selects = [...document.querySelectorAll("select[name=indicator]")];
let close = () => {};

// open follows the experiment with the indicators that are chosen.
function open() {
  close();
  indicators = [];
  const names = [...new Set(selects.map((s) => s.value))];
  close = follow(`${base}/events?${new URLSearchParams({ indicators: names.join(","), language })}`, {
    snapshot: begin, months: goOn, state: enter, interventions: (e) => plan(e.interventions), end: finish,
  }, refused);
}

// refused tries again, unless there is no such experiment any more, or nobody is signed in: then get sends to where one can.
function refused() {
  get(`${base}/state`).then(() => setTimeout(open, 2000), (error) => problem(at("wrong"), error));
}

// begin takes a snapshot: all there is, or after a break what has come since.
function begin(e) {
  if (e.from === 1 || indicators.length === 0) {
    [arms, indicators, months] = [e.arms, e.indicators, []];
    series = indicators.map(() => arms.map(() => ({ mean: [], low: [], high: [] })));
  }
  plan(e.interventions);
  enter(e.state);
  goOn(e);
}

// goOn appends months.
function goOn(e) {
  for (let month = e.from; month <= e.to; month++) months.push(month);
  (e.series ?? []).forEach((of, i) => of.forEach((band, a) => {
    for (const part of ["mean", "low", "high"]) series[i][a][part].push(...band[part]);
  }));
  draw();
}

let told = { status: "", month: 0 }; // what was read out last

// enter shows a state.
function enter(next) {
  state = next;
  at("state").textContent = state.text;
  const burnIn = at("burnin");
  at("burnin-label").hidden = state.burn_in_months === 0;
  burnIn.max = state.burn_in_months || 1;
  burnIn.value = state.burn_in;
  burnIn.textContent = `${state.burn_in} / ${state.burn_in_months}`;
  const bar = at("months");
  bar.max = state.months;
  bar.value = state.month;
  bar.textContent = `${state.month} / ${state.months}`;
  at("burnin-label").style.flexGrow = state.burn_in_months || 1;
  bar.parentElement.style.flexGrow = state.months;
  at("message").textContent = state.message;
  at("message").hidden = !state.message;
  if (state.run_status !== told.status || state.month >= told.month + tellEvery) {
    if (told.status) at("told").textContent = state.text;
    told = { status: state.run_status, month: state.month };
  }
  offer();
}

function finish(last) {
  close();
  close = () => {};
  enter(last);
  at("ended").hidden = state.month === 0;
}

// ——— charts

const cards = selects.map((select) => ({
  select, place: select.parentElement.querySelector(".live-chart"), chart: null, seen: false, stale: false, drawn: 0,
}));
let busy = false;
let rest = 0; // until when nothing is drawn

// draw brings all charts up to date, one after the other.
function draw() {
  cards.forEach((card) => { card.stale = true; });
  drawNext();
}

// drawNext draws the chart that has waited for longest, those in view first: each at most four times a second, and all together no more than a
// quarter of the time, so that the page answers whatever there is to draw.
function drawNext() {
  const next = cards.filter((card) => card.stale).sort((a, b) => b.seen - a.seen || a.drawn - b.drawn)[0];
  if (busy || !next) return;
  busy = true;
  setTimeout(() => requestAnimationFrame((now) => {
    next.stale = false;
    next.drawn = now;
    drawCard(next);
    setTimeout(() => { // by then it is on the screen
      rest = performance.now() + 3 * (performance.now() - now);
      busy = false;
      drawNext();
    });
  }), Math.max(0, next.drawn + redrawEvery - performance.now(), rest - performance.now()));
}

const inView = new IntersectionObserver((entries) => {
  for (const e of entries) cards.find((card) => card.place === e.target).seen = e.isIntersecting;
  drawNext();
}, { rootMargin: "300px" });
cards.forEach((card) => inView.observe(card.place));

function drawCard(card) {
  const k = indicators.findIndex((i) => i.name === card.select.value);
  if (k < 0) return;
  const { label, unit, reading } = indicators[k];
  const options = {
    label, unit, reading, height: 190, marks: marks(),
    x: [...months], // a copy: charts compare it with what they had
    series: arms.map((arm, a) => {
      const { mean, low, high } = series[k][a];
      return { label: arm, arm: a, values: mean, ...(state.replications > 1 ? { low, high } : {}) };
    }),
  };
  if (card.chart) card.chart.update(options);
  else card.chart = lines(card.place, options);
}

for (const select of selects) {
  select.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("indicators", selects.map((s) => s.value).join(","));
    history.replaceState(null, "", address);
    open();
  });
}

// ——— interventions

const acts = (v) => v.status !== "cancelled" && v.status !== "failed";
const beginsIn = (v) => v.began || v.month;

// marks are the months in which something begins; charts number them in this order, and so does the list.
const marks = () => interventions.filter(acts).map((v) => ({ month: beginsIn(v), text: `${v.arm}: ${v.what}` }));

function plan(list) {
  interventions = list;
  const numbers = [...new Set(list.filter(acts).map(beginsIn))].sort((a, b) => a - b);
  at("none").hidden = list.length > 0;
  at("planned").hidden = list.length === 0;
  const chosen = document.activeElement?.closest("#interventions")?.querySelector(":focus")?.dataset.id;
  at("interventions").replaceChildren(...[...list].sort((a, b) => beginsIn(a) - beginsIn(b)).map((v) => element("tr", {},
    element("td", { class: "n" }, acts(v) ? String(numbers.indexOf(beginsIn(v)) + 1) : ""),
    element("td", { dir: "auto" }, v.arm),
    element("td", { dir: "auto" }, v.what + (v.note ? ` – ${v.note}` : "")),
    element("td", {}, v.status_text),
    element("td", {}, inForce(v)),
    steers && element("td", {}, v.cancelable && element("button", {
      type: "button", "data-id": v.intervention_id, onclick: () => cancel(v),
      "aria-label": t(`Cancel: ${v.what}`, `取消：${v.what}`),
    }, t("Cancel", "取消"))))));
  if (chosen) at("interventions").querySelector(`[data-id="${CSS.escape(chosen)}"]`)?.focus();
  draw();
}

// inForce says in which months an intervention acts, and where that differs in how many replications.
function inForce(v) {
  if (!v.months_in_force) return v.began || !acts(v) ? "" : t(`from ${v.month}`, `自第 ${v.month} 个月`);
  if (v.replications_on >= v.replications) return v.months_in_force;
  return v.months_in_force + t(` in ${v.replications_on} of ${v.replications} replications`,
    `（${v.replications} 次重复中的 ${v.replications_on} 次）`);
}

async function cancel(v) {
  try {
    await post(`${base}/interventions/${encodeURIComponent(v.arm)}/${v.number}/cancel`);
    problem(at("wrong"), null);
    say(t(`Cancelled: ${v.what}`, `已取消：${v.what}`));
  } catch (error) {
    problem(at("wrong"), error);
  }
}

// ——— steering

const still = () => state.run_status === "paused" || state.run_status === "interrupted";
const resumable = () => still() || (!ended() && at("pauseat").value !== "");
const ended = () => ["stopped", "completed", "failed"].includes(state.run_status);

// offer shows what can be done now. A button that cannot be used keeps the focus, so that the next step is one key away.
function offer() {
  if (!steers) return;
  if (Number(at("pauseat").value) <= state.month) at("pauseat").value = ""; // it was reached
  at("steering").hidden = !state.steerable;
  at("elsewhere").hidden = state.steerable || ended();
  const can = { pause: !still() && !ended(), step: still(), resume: resumable(), stop: !ended() };
  for (const [id, is] of Object.entries(can)) at(id).setAttribute("aria-disabled", String(!is));
  const injecting = at("injecting");
  if (!injecting) return;
  injecting.hidden = !state.steerable || state.run_status === "interrupted" || state.month >= state.months;
  const month = at("target_month");
  month.min = Math.min(state.month + 1, state.months);
  if (!month.dataset.touched) month.value = month.min;
}

// ask has the server do something, and says what is wrong where it cannot.
async function ask(act, body) {
  try {
    enter({ ...(await post(`${base}/${act}`, body)), text: state.text });
    problem(at("wrong"), null);
  } catch (error) {
    problem(at("wrong"), error);
  }
}

function steering() {
  const acts = {
    pause: () => ask("pause"),
    step: () => ask("step"),
    resume: () => ask("resume", at("pauseat").value ? { pause_at_month: Number(at("pauseat").value) } : {}),
    stop: () => at("stopping").showModal(),
  };
  for (const [id, act] of Object.entries(acts)) {
    at(id).addEventListener("click", () => { if (state && at(id).getAttribute("aria-disabled") !== "true") act(); });
  }
  at("pauseat").addEventListener("input", () => { if (state) offer(); });
  at("stopping").addEventListener("close", () => {
    if (at("stopping").returnValue === "stop") ask("stop");
    at("stopping").returnValue = "";
  });
}

// ——— the form of interventions, made of what the server says there is

const shown = (x) => Number(x.toFixed(6)); // 7 and not 7.000000000000001
const percent = (x) => `${shown(100 * x)} %`;

// numberField is an input of a number, with its range and unit, and in percent what is a share.
function numberField(id, label, { min, max, unit, percent: inPercent, type, value, help }) {
  const said = element("output", { for: id });
  const input = element("input", {
    id, name: id, type: "number", min, max, step: type === "integer" ? 1 : "any", value, required: true, inputmode: "decimal",
    "aria-describedby": `${id}-help`,
    oninput: () => { said.textContent = inPercent && input.value !== "" ? ` = ${percent(Number(input.value))}` : ""; },
  });
  input.dispatchEvent(new Event("input"));
  const range = (scale) => t(`${shown(scale * min)} to ${shown(scale * max)}`, `${shown(scale * min)} 至 ${shown(scale * max)}`);
  return field(id, label, input, inPercent ? `${range(1)} = ${range(100)} ${unit}` : `${range(1)}, ${unit}`, help, said);
}

function choiceField(id, label, choices, value, help) {
  const input = element("select", { id, name: id, "aria-describedby": `${id}-help` },
    ...choices.map(([of, text]) => element("option", { value: of, selected: of === value }, text)));
  return field(id, label, input, "", help);
}

function field(id, label, input, range, help, said) {
  return element("div", { class: "field" }, element("label", { for: id }, label), input, said,
    element("p", { class: "hint", id: `${id}-help` }, [help, range && t(`Range: ${range}`, `范围：${range}`)].filter(Boolean).join(" ")));
}

function injecting(levers) {
  const form = at("inject");
  const fields = at("fields");
  const split = () => { const [type, ...rest] = form.elements.what.value.split(" "); return [type, rest.join(" ")]; };

  const show = () => {
    const [type, id] = split();
    if (type === "parameter_change") {
      const p = levers.parameters.find((row) => row.name === id);
      const now = p.values[levers.arms.indexOf(form.elements.arm.value)];
      const label = t("New value", "新值");
      const help = `${p.help} ${t("Now", "当前")}: ${now === "" ? "–" : now}.`;
      const of = {
        boolean: () => choiceField("value", label, [["true", t("on", "开")], ["false", t("off", "关")]], String(!now), help),
        choice: () => choiceField("value", label, p.choices.map((c) => [c, c]), now, help),
        schedule: () => field("value", label, element("input", {
          id: "value", name: "value", value: now, autocomplete: "off", "aria-describedby": "value-help",
        }), p.range, help),
      };
      fields.replaceChildren((of[p.type] ?? (() => numberField("value", label, { ...p, value: now, help })))());
      return;
    }
    if (type === "injection") {
      fields.replaceChildren(numberField("amount", t("Amount", "金额"), {
        min: 0, max: 1e6, unit: t("currency units a head and month", "货币单位，每人每月"),
      }));
      return;
    }
    const p = levers[type === "policy" ? "policies" : "shocks"].find((row) => row.id === id);
    const list = [numberField(type === "policy" ? "level" : "size", type === "policy" ? t("Level", "力度") : t("Size", "幅度"), p)];
    if (type === "shock" && !p.one_month) {
      list.push(numberField("persistence", t("Persistence", "持续性"), {
        min: 0, max: 1, unit: t("% left in each month after", "%（其后每月保留）"), percent: true, value: 0.9,
      }));
    }
    if (p.industry) {
      list.push(choiceField("industry", t("Industry", "行业"), levers.industries.map((i) => [i.id, `${i.id} ${i.label}`])));
    }
    fields.replaceChildren(...list);
  };

  const described = () => {
    const [type, id] = split();
    const [body, value] = [{}, (key) => form.elements[key]?.value.trim() ?? ""];
    for (const key of ["level", "size", "persistence", "amount", "target_month", "duration_months", "ramp_months"]) {
      if (value(key) !== "") body[key] = Number(value(key));
    }
    for (const key of ["industry", "when", "until", "description"]) if (value(key) !== "") body[key] = value(key);
    Object.assign(body, { arm: value("arm"), intervention_type: type });
    if (type !== "parameter_change") body[{ policy: "policy", shock: "shock", injection: "group" }[type]] = id;
    else {
      const read = { boolean: (x) => x === "true", number: Number, integer: Number }[levers.parameters.find((row) => row.name === id).type];
      body.parameters = { [id]: read ? read(value("value")) : value("value") };
    }
    return body;
  };

  // wrong says beside its field what is wrong, else below the form.
  const wrong = (error) => {
    form.querySelectorAll(".error").forEach((e) => e.remove());
    form.querySelectorAll("[aria-invalid]").forEach((e) => e.removeAttribute("aria-invalid"));
    problem(at("refused"), null);
    if (!error) return;
    const key = (error.field ?? "").split(".").at(-1);
    const named = { [split()[1]]: "value", parameters: "value", intervention_type: "what", policy: "what", shock: "what", group: "what" };
    const input = key && form.elements[named[key] ?? key];
    if (!input) { problem(at("refused"), error); return; }
    input.setAttribute("aria-invalid", "true");
    input.closest(".field").append(element("p", { class: "error", role: "alert" }, error.message));
    input.closest("details")?.setAttribute("open", "");
    input.focus();
  };

  form.elements.what.addEventListener("change", show);
  form.elements.arm.addEventListener("change", show);
  form.elements.target_month.addEventListener("input", (e) => { e.target.dataset.touched = "yes"; });
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    try {
      const done = await post(`${base}/interventions`, described());
      wrong(null);
      say([t(`Planned in ${done.arm}.`, `已在 ${done.arm} 组中计划。`), ...done.warnings].join(" "));
      delete form.elements.target_month.dataset.touched;
      offer();
    } catch (error) {
      wrong(error);
    }
  });
  show();
}

open();
if (steers) steering();
if (at("inject")) get(`${base}/levers`, { language }).then(injecting, (error) => problem(at("refused"), error));
