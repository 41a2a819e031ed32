// What every module of a page needs: the API, texts in two languages, elements, and streams that come back.

export const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";

// t is a text in the language of the page.
export const t = (en, zh) => (language === "zh" ? zh : en);

export const mayWrite = document.documentElement.dataset.writes === "true";

// element makes an element: element("p", { class: "hint" }, "text", other). Text is always text, never HTML.
export function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

// Refused is an answer of the API that says what is wrong: code, field, message, hint and allowed.
export class Refused extends Error {
  constructor(status, error) {
    const { message, ...rest } = error;
    super(message + (error.hint ? ` – ${error.hint}` : ""));
    Object.assign(this, rest, { status });
  }
}

const lost = document.getElementById("lost");
export const showLost = (is) => { if (lost) lost.hidden = !is; };

async function answer(response) {
  showLost(false);
  if (response.status === 401) { location.assign("/login?next=" + encodeURIComponent(location.pathname + location.search)); }
  const body = await response.json();
  if (!response.ok) throw new Refused(response.status, body.error);
  return body;
}

// get reads from the API: get("/experiments", { limit: 50 }). Where the server does not answer it says so, and tries again.
export async function get(path, query = {}) {
  const q = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) value.forEach((v) => q.append(key, v));
    else if (value !== undefined && value !== "") q.set(key, value);
  }
  const address = "/api/v1" + path + (q.size ? "?" + q : "");
  for (let wait = 500; ; wait = Math.min(2 * wait, 10000)) {
    let response;
    try {
      response = await fetch(address, { headers: { Accept: "application/json" } });
    } catch {
      showLost(true);
      await new Promise((after) => setTimeout(after, wait));
      continue;
    }
    return answer(response);
  }
}

// post asks the API to do something, once.
export async function post(path, body = {}) {
  let response;
  try {
    response = await fetch("/api/v1" + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    showLost(true);
    throw new Error(t("The server does not answer. Nothing may have been done: try again.", "服务器没有响应，操作可能未执行，请重试。"));
  }
  return answer(response);
}

// follow reads a stream of events until the returned function is called; after a break it connects again by itself. Where the server answers
// with no stream it does not, and calls refused.
export function follow(path, handlers, refused = () => {}) {
  const source = new EventSource("/api/v1" + path);
  source.addEventListener("open", () => showLost(false));
  source.addEventListener("error", () => {
    const closed = source.readyState === EventSource.CLOSED;
    showLost(!closed);
    if (closed) refused();
  });
  for (const [name, handle] of Object.entries(handlers)) source.addEventListener(name, (e) => handle(JSON.parse(e.data)));
  const close = () => { source.close(); showLost(false); };
  addEventListener("pagehide", close, { once: true });
  return close;
}

// problem shows what is wrong in an element of the page that is read out.
export function problem(at, error) {
  at.hidden = !error;
  at.textContent = error ? error.message : "";
  if (error) at.scrollIntoView({ block: "nearest" });
}
