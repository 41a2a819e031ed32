import { get, language, t } from "./lib.js";
import { lines } from "./charts.js";
import { xy } from "./xy.js";

// The chosen experiments and arms, as the address has them.
const chosen = new URLSearchParams(location.search);
const given = (name) => chosen.getAll(name).filter((v) => v !== "");

const form = document.getElementById("choice");
const add = document.getElementById("add");
let asked = 0;
add.addEventListener("input", async () => {
  const mine = ++asked;
  await new Promise((after) => setTimeout(after, 200));
  if (mine !== asked) return;
  try {
    const found = await get("/experiments", { limit: 20, search: add.value });
    if (mine !== asked) return;
    document.getElementById("found").replaceChildren(...found.experiments.map((x) => Object.assign(document.createElement("option"), {
      value: x.experiment_name, label: x.question,
    })));
  } catch { /* what was typed can be sent all the same */ }
});

// What is left empty is no part of the address.
form.addEventListener("submit", () => {
  for (const input of form.querySelectorAll("input:not([type=checkbox])")) input.disabled = input.value.trim() === "";
  setTimeout(() => { for (const input of form.querySelectorAll("input")) input.disabled = false; });
});
form.addEventListener("change", (e) => {
  if (e.target.id === "metric" && "goesOn" in form.dataset) swap(e.target);
  else if (e.target.matches("#metric, [type=checkbox]")) form.requestSubmit();
});

// swap shows another indicator in the chart alone: to judge an experiment that goes on again would be counted.
function swap(select) {
  const label = select.selectedOptions[0].textContent;
  Object.assign(section.dataset, { metric: select.value, label });
  const title = section.querySelector("h2");
  title.textContent = label + title.dataset.after;
  document.getElementById("judgetoo")?.remove(); // it is about the other indicator
  over(section);
  const change = (address) => {
    const other = new URL(address, location);
    other.searchParams.set("metric", select.value);
    return other.href;
  };
  history.replaceState(null, "", change(location));
  for (const link of document.querySelectorAll('main a[href^="/compare?"]')) link.href = change(link.href);
}

let chart;
async function over(section) {
  const said = section.querySelector(".status");
  try {
    const found = await get("/compare/series", { experiment: given("experiment"), arm: given("arm"), metric: section.dataset.metric, language });
    const options = {
      label: section.dataset.label, unit: found.unit, reading: found.reading, difference: false, x: found.months, marks: found.marks,
      series: found.series.map((s) => ({ label: s.label, arm: s.number, values: s.mean, low: s.ci_low, high: s.ci_high })),
    };
    if (section.dataset.metric !== found.metric) return; // another one was chosen meanwhile
    if (chart) chart.update(options);
    else chart = lines(section.querySelector(".chart"), options);
    said.textContent = t("Lines: means over replications; bands: their 95 % intervals. Arms share their random draws: how surely they differ is told by the table.",
      "线为各次重复的均值，带为其95 %区间。各组共享随机抽取：差异的精度见下表。");
  } catch (error) {
    said.textContent = error.message;
  }
}

const section = document.getElementById("over");
if (section) over(section);

const number = (text) => (text === "NaN" ? NaN : Number(text));
for (const figure of document.querySelectorAll(".doses")) {
  const line = [...figure.querySelectorAll("tbody tr")].map((row) => ({
    x: number(row.dataset.x), y: number(row.dataset.y), low: number(row.dataset.low), high: number(row.dataset.high),
  }));
  line.push({ x: Number(figure.dataset.control), y: 0 });
  line.sort((a, b) => a.x - b.x);
  xy(figure.querySelector(".xy"), {
    label: figure.querySelector("figcaption").textContent, xLabel: figure.dataset.xlabel, yLabel: figure.dataset.ylabel, zero: true, line,
  });
}
