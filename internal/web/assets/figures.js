// Figures of the laboratory, which the server draws as SVG in the colours of the page.

import { element, showLost, Refused } from "./lib.js";

// leastWidth is the least width of a figure as a part of that on paper: where there is less room it scrolls, rather than shrink beyond
// reading. mostWidth is how much larger it is where there is room.
const leastWidth = 0.95;
const mostWidth = 1.35;

// figure fetches a figure of the API, such as /experiments/NAME/figures/effects, and puts it into an element with its caption.
// Another call for the same element replaces it.
export async function figure(at, path, caption) {
  const wanted = (at.figurePath = path);
  let response;
  try {
    response = await fetch("/api/v1" + path, { headers: { Accept: "image/svg+xml" } });
  } catch (error) {
    showLost(true);
    throw error;
  }
  showLost(false);
  if (!response.ok) throw new Refused(response.status, (await response.json()).error);
  const text = await response.text();
  if (at.figurePath !== wanted) return; // another one was asked for meanwhile
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const width = parseFloat(svg.getAttribute("width"));
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  Object.assign(svg.style, { width: "100%", minWidth: `${leastWidth * width}pt`, maxWidth: `${mostWidth * width}pt`, height: "auto" });
  const box = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption ?? "" }, svg);
  at.replaceChildren(element("figure", {}, box, caption ? element("figcaption", { dir: "auto" }, caption) : null));
}
