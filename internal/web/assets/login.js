import { post, problem } from "./lib.js";

const form = document.getElementById("login");
const wrong = document.getElementById("wrong");
const enter = async (credentials) => {
  try {
    await post("/session", credentials);
    location.replace(form.dataset.next);
  } catch (error) {
    problem(wrong, error);
  }
};

const code = new URLSearchParams(location.hash.slice(1)).get("code");
if (code) {
  history.replaceState(null, "", location.pathname + location.search); // it is good once, and belongs into no history
  enter({ code });
}
if (form instanceof HTMLFormElement) {
  form.addEventListener("submit", (e) => { e.preventDefault(); enter({ token: form.elements.token.value }); });
}
