import { element, get, language, problem, t } from "./lib.js";
import { lines } from "./charts.js";
import { figure } from "./figures.js";
import { amount, number, share } from "./format.js";

const page = document.getElementById("experiment");
const { name, arms, month, first } = page.dataset;
const path = `/experiments/${name}`;
const severalArms = Number(arms) > 1;

// What was found may take longer than the page: it is asked for, and its parts are then taken from the page itself.
async function rest() {
  try {
    await get(`${path}/answer`, { language });
    const window = new URLSearchParams(location.search);
    if (window.has("from") && window.has("to")) await get(`${path}/effects`, { language, window: [window.get("from"), window.get("to")] });
    const response = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
    const made = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of document.querySelectorAll("section[data-again]")) {
      const other = made.getElementById(part.id);
      if (other && !other.querySelector("[data-waits]")) part.replaceWith(document.adoptNode(other));
    }
  } catch (error) {
    for (const waiting of document.querySelectorAll("[data-waits]")) waiting.textContent = error.message;
  }
}

function figures() {
  for (const at of document.querySelectorAll("[data-figure]")) {
    figure(at, `${path}/figures/${at.dataset.figure}?language=${language}`, at.dataset.caption).catch((error) => at.replaceChildren(element("p", { class: "hint" }, error.message)));
  }
}

// Interventions and amendments as marks on the axis of months.
const marks = [...document.querySelectorAll("[data-mark]")]
  .map((e) => ({ month: Number(e.dataset.mark), text: e.dataset.text })).filter((m) => m.month > 0);

const form = document.getElementById("choose");
const field = document.getElementById("indicator");
const choices = [...document.querySelectorAll("#indicators option")].map((o) => ({ name: o.dataset.name, label: o.value }));

// chosen is the indicator of a text: its label or identifier, else the first that has the text in it.
function chosen(text) {
  const word = text.trim().toLowerCase();
  const is = (c) => c.label.toLowerCase() === word || c.name === word;
  return choices.find(is) ?? (word && choices.find((c) => c.label.toLowerCase().includes(word) || c.name.includes(word)));
}

const charts = { lines: null, path: null };

function draw(which, options) {
  const at = document.getElementById(which);
  if (charts[which]) charts[which].update(options);
  else charts[which] = lines(at, options);
}

async function show(choice) {
  field.value = choice.label;
  const wrong = document.getElementById("wrongindicator");
  problem(wrong, null);
  let series;
  try {
    series = await get(`${path}/series`, { metric: choice.name, language });
    draw("lines", {
      label: series.label, unit: series.unit, reading: series.reading, x: series.months, marks,
      series: series.arms.map((a, k) => ({ label: a.name, arm: k, values: a.values, low: a.low, high: a.high })),
    });
  } catch (error) {
    problem(wrong, error);
    return;
  }
  if (!severalArms) return;
  const wrongPath = document.getElementById("wrongpath");
  document.getElementById("pathof").textContent = choice.label;
  problem(wrongPath, null);
  try {
    const effect = await get(`${path}/path`, { metric: choice.name, language });
    draw("path", {
      label: t(`${effect.label}: difference to ${effect.control}`, `${effect.label}：与${effect.control}之差`), unit: effect.unit,
      reading: series.reading, difference: true, x: effect.arms[0].months, marks,
      series: effect.arms.map((a, k) => ({ label: `${a.arm} − ${effect.control}`, arm: k + 1, values: a.difference, low: a.ci_low, high: a.ci_high })),
    });
  } catch (error) {
    problem(wrongPath, error);
  }
}

function pick(text) {
  const choice = chosen(text);
  if (choice) {
    show(choice);
    const address = new URL(location);
    address.searchParams.set("indicator", choice.name);
    history.replaceState(null, "", address);
  } else {
    problem(document.getElementById("wrongindicator"), new Error(t(`No indicator is called “${text}”.`, `没有名为“${text}”的指标。`)));
  }
}

// Firms: a table of an arm each, side by side by rows.
const columns = [
  ["firms", t("firms", "企业数"), (x) => number(x, 1)], ["entries", t("entries", "新设"), (x) => number(x, 1)],
  ["exits", t("exits", "退出"), (x) => number(x, 1)], ["bankruptcies", t("bankruptcies", "破产"), (x) => number(x, 1)],
  ["employees", t("employees", "雇员"), (x) => number(x, 0)], ["mean_size", t("mean size", "平均规模"), (x) => number(x, 1)],
  ["revenue", t("revenue", "营业额"), amount], ["market_share", t("market share", "市场份额"), (x) => share(x, 1)],
  ["hhi", t("concentration (HHI)", "集中度（HHI）"), (x) => number(x, 3)], ["mark_up", t("mark-up", "加成率"), (x) => share(x, 1)],
  ["productivity", t("productivity", "生产率"), (x) => number(x)], ["vacancies", t("vacancies", "空缺"), (x) => number(x, 1)],
  ["innovation_events", t("innovations", "创新"), (x) => number(x, 1)], ["ai_adopters", t("with AI", "采用AI"), (x) => number(x, 1)],
];
const sizes = ["0", "1–4", "5–9", "10–19", "20–49", "50–249", "250+"];

async function firms() {
  const wrong = document.getElementById("wrongfirms");
  const at = document.getElementById("firmstable");
  problem(wrong, null);
  at.setAttribute("aria-busy", "true");
  try {
    const by = document.getElementById("by").value;
    const of = document.getElementById("firmsmonth").value;
    const list = await Promise.all(armNames().map((arm) => get(`${path}/firms`, { arm, by, month: of })));
    at.replaceChildren(...tablesOf(list, by));
  } catch (error) {
    problem(wrong, error);
  } finally {
    at.removeAttribute("aria-busy");
  }
}

const armNames = () => JSON.parse(page.dataset.names);

function tablesOf(list, by) {
  const shown = columns.filter(([key]) => list.some((a) => a.groups.some((g) => g[key].mean !== null)));
  const rows = list.flatMap((a) => a.groups.map((g) => ({ arm: a.arm, ...g })));
  const head = (texts) => element("thead", {}, element("tr", {}, ...texts.map((text, k) => element("th", { scope: "col", class: k > (by ? 1 : 0) ? "n" : null }, text))));
  const titles = [t("arm", "实验组"), ...(by ? [by === "size" ? t("employees", "雇员数") : t("industry", "行业")] : [])];
  const row = (r, cells) => element("tr", {}, element("th", { scope: "row" }, r.arm), by && element("td", {}, r.group), ...cells.map((c) => element("td", { class: "n" }, c)));
  const table = (caption, texts, body) => element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element("table", {}, element("caption", {}, caption), head([...titles, ...texts]), element("tbody", {}, ...body)));
  const when = t(`Month ${list[0].month}`, `第${list[0].month}个月`);
  const made = [table(when, shown.map(([, title]) => title), rows.map((r) => row(r, shown.map(([key, , text]) => text(r[key].mean)))))];
  if (by !== "size" && rows.some((r) => r.sizes.some((s) => s.mean !== null))) {
    made.push(table(t(`${when}: firms by number of employees`, `${when}：按雇员数的企业数`), sizes, rows.map((r) => row(r, r.sizes.map((s) => number(s.mean, 1))))));
  }
  if (list.some((a) => a.partial)) made.push(element("p", { class: "hint" }, t("Of this month only some numbers were kept.", "该月仅保存了部分数据。")));
  return made;
}

if (document.querySelector("[data-waits]")) rest().then(figures);
else figures();
if (Number(month) > 0) {
  form.addEventListener("submit", (e) => { e.preventDefault(); pick(field.value); });
  field.addEventListener("change", () => { if (choices.some((c) => c.label === field.value)) pick(field.value); });
  field.addEventListener("focus", () => field.select());
  const asked = new URLSearchParams(location.search).get("indicator");
  show((asked && chosen(asked)) || choices.find((c) => c.name === first) || choices[0]);
  const firmsForm = document.getElementById("firmsform");
  firmsForm.addEventListener("submit", (e) => { e.preventDefault(); firms(); });
  firms();
}
