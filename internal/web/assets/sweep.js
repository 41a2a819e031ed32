import { element, get, language, post, problem, t } from "./lib.js";
import { figure } from "./figures.js";
import { lasting } from "./sweeps.js";
import { xy } from "./xy.js";

const progress = document.getElementById("progress");
const name = progress.dataset.name;
const path = "/sweeps/" + name;

// How far a sweep is that runs; when it has ended the page has its results.
async function follow() {
  for (;;) {
    await new Promise((after) => setTimeout(after, 2000));
    const now = await get(path);
    document.getElementById("count").textContent = `${now.simulated} / ${now.economies}`;
    document.getElementById("left").textContent = now.eta_seconds === null ? "" :
      t(`, about ${lasting(now.eta_seconds)} left`, `，约 ${lasting(now.eta_seconds)} 后完成`);
    const bar = document.getElementById("bar");
    if (bar) { bar.max = now.economies; bar.value = now.simulated; }
    if (!now.running || now.run_status !== progress.dataset.state) { location.reload(); return; }
  }
}
if (progress.dataset.running === "true") follow();

for (const act of ["stop", "resume"]) {
  const button = document.getElementById(act);
  if (!button) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post(`${path}/${act}`);
      location.reload();
    } catch (error) {
      problem(document.getElementById("wrong"), error);
      button.disabled = false;
    }
  });
}

// The response: all points as dots, and the line through the means of the cells in the table.
async function respond(map) {
  const shown = map.querySelector(".response");
  if (!shown) return;
  const rows = [...map.querySelectorAll(".cells tbody tr")];
  const line = rows.map((row) => ({ x: Number(row.dataset.at), y: row.dataset.y === "NaN" ? NaN : Number(row.dataset.y) }));
  const marks = line.slice(1).flatMap((p, k) => (p.y * line[k].y < 0 ? [line[k].x + ((p.x - line[k].x) * line[k].y) / (line[k].y - p.y)] : []));
  const points = await get(path + "/points", { outcome: map.dataset.outcome, language });
  const column = points.factors.findIndex((f) => f.factor === map.dataset.x);
  const alone = map.querySelector("#y") === null; // only one factor varies at a time: the others stay where the first point has them
  const of = points.points.map((row, k) => ({ row, value: points.values[k] }))
    .filter(({ row }) => !alone || row.every((x, j) => j === column || x === points.points[0][j]));
  const step = Math.ceil(of.length / 2000); // more dots than that are no clearer
  xy(shown.querySelector(".xy"), {
    label: shown.querySelector("figcaption").textContent, xLabel: map.dataset.xname, yLabel: points.outcome.unit, log: map.dataset.log === "true",
    zero: points.outcome.with !== "", line, marks,
    dots: of.filter((_, k) => k % step === 0).map(({ row, value }) => ({
      x: row[column] * points.factors[column].scale, y: value === null ? NaN : value * points.outcome.scale,
    })),
  });
}

// Another choice of axes changes the map alone; the address holds it.
function choose(map) {
  const form = map.querySelector("#axes");
  const wrong = map.querySelector("#axes-wrong");
  const show = async () => {
    const address = location.pathname + "?" + new URLSearchParams(new FormData(form));
    try {
      const response = await fetch(address);
      const other = new DOMParser().parseFromString(await response.text(), "text/html");
      const next = other.getElementById("map");
      if (!next) throw new Error(other.querySelector("main p")?.textContent ?? t("This cannot be shown.", "无法显示。"));
      problem(wrong, null);
      history.replaceState(null, "", address);
      Object.assign(map.dataset, next.dataset);
      map.querySelector("#shown").replaceChildren(...next.querySelector("#shown").childNodes);
      map.querySelector("#axes-said").textContent = t("Now shown: ", "现显示：") + map.querySelector("#outcome").selectedOptions[0].text;
      await respond(map);
    } catch (error) {
      problem(wrong, error);
    }
  };
  form.addEventListener("submit", (e) => { e.preventDefault(); show(); });
  form.addEventListener("change", show);
  respond(map).catch((error) => problem(wrong, error));
}

const map = document.getElementById("map");
if (map) choose(map);

async function draw(section) {
  const said = section.querySelector("[role=status]");
  try {
    const list = await get(path + "/figures", { language });
    for (const f of list.figures) {
      const place = element("figure");
      section.append(place);
      await figure(place, `${path}/figures/${encodeURIComponent(f.figure)}?language=${language}`, f.caption);
    }
    said.textContent = list.left_out.join(" · ");
  } catch (error) {
    said.textContent = error.message;
  }
}
const figures = document.getElementById("figures");
if (figures) draw(figures);
