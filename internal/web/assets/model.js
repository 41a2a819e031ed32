import { problem, t } from "./lib.js";

// swap puts an element of another page of this server in the place of the one here that has its id.
async function swap(address, id) {
  const response = await fetch(address, { headers: { Accept: "text/html" } });
  const other = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = other.getElementById(id);
  if (!fresh) throw new Error(other.querySelector("main")?.innerText.trim() || response.statusText);
  document.getElementById(id).replaceWith(fresh);
}

const search = document.getElementById("search");
if (search) {
  let asked = 0;
  const look = async () => {
    const turn = ++asked;
    const query = new URLSearchParams(new FormData(search));
    for (const key of [...query.keys()]) if (!query.get(key)) query.delete(key);
    const address = "/model/parameters" + (query.size ? "?" + query : "");
    await new Promise((after) => setTimeout(after, 150)); // who types goes on typing
    if (turn !== asked) return;
    await swap(address, "found");
    history.replaceState(null, "", address);
  };
  search.addEventListener("input", look);
  search.addEventListener("submit", (e) => { e.preventDefault(); look(); });
}

const which = document.getElementById("which");
if (which) {
  which.elements.experiment.addEventListener("change", () => { // arms and months are others
    location.assign("/model/books?" + new URLSearchParams({ experiment: which.elements.experiment.value }));
  });
  const books = document.getElementById("books");
  if (books.dataset.wait) {
    const waiting = document.getElementById("waiting");
    books.setAttribute("aria-busy", "true");
    swap(books.dataset.wait, "books").then(() => {
      waiting.textContent = t("Balance sheets and flows are shown below.", "资产负债表与资金流量表已显示在下方。");
    }).catch((error) => {
      books.removeAttribute("aria-busy");
      waiting.hidden = true;
      problem(document.getElementById("wrong"), error);
    });
  }
}
