// The theme that the visitor chose, before the page is drawn; without a choice that of the system.
(() => {
  const root = document.documentElement;
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => { button.textContent = isDark() ? button.dataset.light : button.dataset.dark; };
    label();
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      localStorage.setItem("theme", root.dataset.theme);
      label();
      dispatchEvent(new Event("themechange"));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { label(); dispatchEvent(new Event("themechange")); });
    const out = document.getElementById("signout");
    if (!out) return;
    out.hidden = false;
    out.addEventListener("click", async () => {
      await fetch("/api/v1/session/end", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
      location.assign("/login");
    });
  });
})();
