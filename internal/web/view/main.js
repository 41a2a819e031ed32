// The page that a host shows beside a result: messages of the host bring the result, the theme and the language.
import { begin, notify, on, request } from "./host.js";

const root = document.documentElement;
const main = document.getElementById("main");
const context = {}; // of the host
const given = {}; // the arguments of the call, and its result or why there is none
let life = new AbortController(); // of what is shown

// draw shows what there is, in the host's language.
async function draw() {
  const { show } = await import("./result.js");
  life.abort();
  life = new AbortController();
  main.replaceChildren();
  show(main, given, life.signal);
  modes();
}

// take takes what is new of the host.
function take(changes) {
  const language = root.lang;
  Object.assign(context, changes);
  root.lang = (context.locale ?? navigator.language ?? "en").toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  // Texts are chosen when a module is evaluated; forget comes with the script that all modules become.
  if (root.lang !== language) forget("view/main.js", "view/host.js");
  dress();
  return root.lang !== language;
}

// dress takes the host's theme, and the colours of its papers and texts, as colours that a canvas understands, too.
function dress() {
  if (context.theme) root.dataset.theme = context.theme;
  const offered = context.styles?.variables ?? {};
  const probe = document.createElement("span");
  const ink = document.createElement("canvas").getContext("2d");
  root.append(probe);
  const both = offered["--color-background-primary"] && offered["--color-text-primary"]; // one alone could not be read on ours
  for (const [own, theirs] of [
    ["--paper", "--color-background-primary"], ["--raised", "--color-background-secondary"], ["--ink", "--color-text-primary"],
    ["--soft", "--color-text-secondary"], ["--rule", "--color-border-primary"],
  ]) {
    root.style.removeProperty(own);
    if (!both || !offered[theirs]) continue;
    probe.style.color = "";
    probe.style.color = offered[theirs];
    if (!probe.style.color) continue; // no colour
    ink.fillStyle = getComputedStyle(probe).color;
    root.style.setProperty(own, ink.fillStyle);
  }
  probe.remove();
  root.style.fontFamily = offered["--font-sans"] ?? "";
  const { top = 0, right = 0, bottom = 0, left = 0 } = context.safeAreaInsets ?? {};
  document.body.style.padding = `${top}px ${right}px ${bottom}px ${left}px`;
  dispatchEvent(new Event("themechange"));
}

// modes offers the whole window, where the host has it to give.
async function modes() {
  if (!context.availableDisplayModes?.includes("fullscreen")) return;
  const { element, t } = await import("../assets/lib.js");
  const wide = context.displayMode === "fullscreen";
  main.querySelector(".mode")?.remove();
  main.prepend(element("button", {
    type: "button", class: "mode", onclick: async () => {
      const { mode } = await request("ui/request-display-mode", { mode: wide ? "inline" : "fullscreen" });
      take({ displayMode: mode });
      modes();
    },
  }, wide ? t("Smaller", "缩小") : t("Whole window", "全屏")));
}

on("ui/notifications/host-context-changed", (changes) => {
  if (take(changes)) draw();
  else if (changes.displayMode || changes.availableDisplayModes) modes();
});
on("ui/notifications/tool-input", ({ arguments: input }) => { given.input = input ?? {}; });
on("ui/notifications/tool-result", (result) => { given.result = result; draw(); });
on("ui/notifications/tool-cancelled", ({ reason }) => { given.cancelled = reason ?? ""; draw(); });
on("ui/resource-teardown", () => life.abort());

// The host makes the frame as high as the page is.
const grown = new ResizeObserver(() => {
  const { height } = document.body.getBoundingClientRect();
  notify("ui/notifications/size-changed", { width: Math.ceil(root.clientWidth), height: Math.ceil(height) });
});

begin().then((said) => {
  take(said);
  draw();
  grown.observe(document.body);
}).catch((error) => { main.textContent = error.message; }); // a host that is none of MCP Apps
