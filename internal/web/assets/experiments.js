// The list of experiments: what they found is asked for when a row comes into view, some rows at a time.

import { element, get, language, t } from "./lib.js";
import { spark } from "./charts.js";

const most = 10; // names in a call

const classes = { supported: "found", contradicted: "against" };

function show(cell, row) {
  const say = (text) => cell.replaceChildren(element("p", { class: "hint" }, text));
  switch (row?.state) {
    case "shown": break;
    case "unread": return say(t("Nobody has read its results yet.", "尚无人查看过其结果。"));
    case "unfinished": return say(t("Its plan is not finished.", "计划尚未完成。"));
    default: return say(t("It compares nothing.", "没有可比较的组。"));
  }
  const among = row.arms > 1 ? t(`, in ${row.arm}, one of ${row.arms} arms`, `，${row.arm}（共 ${row.arms} 个组）`) : "";
  cell.replaceChildren();
  spark(cell, row.path, { zero: true, label: t(`${row.label}: difference to the control by month`, `${row.label}：逐月与对照组之差`) });
  cell.append(element("p", {},
    element("span", { class: "verdict " + (classes[row.verdict] ?? "") }, row.word),
    element("bdi", {}, t(`${row.label} ${row.text}${among}`, `${row.label}${row.text}${among}`))));
}

let waiting = [];
let asking = false;

async function ask() {
  if (asking) return;
  asking = true;
  while (waiting.length > 0) {
    const cells = waiting.splice(0, most);
    try {
      const { headlines } = await get("/headlines", { experiment_names: cells.map((c) => c.dataset.experiment), language });
      for (const cell of cells) show(cell, headlines.find((row) => row.experiment_name === cell.dataset.experiment));
    } catch (error) {
      for (const cell of cells) cell.replaceChildren(element("p", { class: "hint" }, error.message));
    }
  }
  asking = false;
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    waiting.push(target);
  }
  ask();
}, { rootMargin: "200px" });
for (const cell of document.querySelectorAll(".headline")) {
  cell.append(element("p", { class: "hint" }, "…"));
  seen.observe(cell);
}
