import { get, post, problem, t } from "./lib.js";
import { number } from "./format.js";

// Rows of sweeps that run are kept up to date; one that has ended shows so when the page is loaded again.
const running = [...document.querySelectorAll("#sweeps tr[data-running=true]")];
async function follow(row) {
  for (;;) {
    await new Promise((after) => setTimeout(after, 2000));
    let now;
    try { now = await get("/sweeps/" + row.dataset.name); } catch { return; }
    if (!now.running) { location.reload(); return; }
    row.querySelector(".ready").textContent = `${now.simulated} / ${now.economies}`;
  }
}
running.forEach(follow);

export const lasting = (s) => {
  if (s < 90) return t(`${Math.max(1, Math.round(s))} s`, `${Math.max(1, Math.round(s))} 秒`);
  if (s < 5400) return t(`${Math.round(s / 60)} min`, `${Math.round(s / 60)} 分钟`);
  return t(`${(s / 3600).toFixed(1)} h`, `${(s / 3600).toFixed(1)} 小时`);
};

const form = document.getElementById("start");
if (form) {
  form.hidden = false;
  const wrong = document.getElementById("wrong"), size = document.getElementById("size"), run = form.querySelector("[type=submit]");
  const check = document.getElementById("check");
  const busy = async (work) => {
    check.disabled = run.disabled = true;
    problem(wrong, null);
    try { await work(); } catch (error) { problem(wrong, error); size.textContent = ""; }
    check.disabled = false;
  };
  check.addEventListener("click", () => busy(async () => {
    size.textContent = t("Making the points and measuring this machine …", "正在取点并测量本机速度……");
    const s = await post("/sweeps/plan", { design: form.elements.design.value });
    size.textContent = t(
      `${number(s.points, 0)} points, ${number(s.economies, 0)} economies, ${number(s.burn_ins, 0)} burn-ins: about ${lasting(s.estimated_seconds)} on this machine.`,
      `${number(s.points, 0)}个点，${number(s.economies, 0)}个经济体，${number(s.burn_ins, 0)}次预热：本机约需${lasting(s.estimated_seconds)}。`,
    );
    run.disabled = false;
  }));
  form.elements.design.addEventListener("input", () => { run.disabled = true; size.textContent = ""; });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    busy(async () => {
      const name = form.elements.name.value.trim();
      const begun = await post("/sweeps", { design: form.elements.design.value, ...(name ? { sweep_name: name } : {}) });
      location.assign("/sweeps/" + begun.sweep_name);
    });
  });
}
