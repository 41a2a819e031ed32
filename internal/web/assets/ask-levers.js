// Values of the arms of an inquiry, as sliders and fields.
import { element, t } from "./lib.js";

// at finds what a JSON pointer leads to: the object, and the name in it.
function at(inquiry, pointer) {
  const names = pointer.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = names.pop();
  return [names.reduce((into, name) => into[name], inquiry), last];
}

// tidy is a number without what binary arithmetic leaves behind its digits.
const tidy = (x) => Number(x.toPrecision(10));

// plain is a number for people, the same in both languages.
const plain = (x) => tidy(x).toLocaleString("en", { maximumSignificantDigits: 10 });

// levers are all values that can be moved. moved(inquiry, told) has a changed inquiry planned, and told(error) says what is wrong with
// it beside the value; moved(null) says that a value is none at the moment. inquiry() is a copy of the newest one.
export function levers(proposal, moved, inquiry) {
  const list = proposal.levers.filter((l) => l.pointer && l.value !== null);
  if (!list.length) return [];
  const arms = [...new Set(list.map((l) => l.arm))];
  return [
    element("h3", {}, t("Values to move", "可调整的数值")),
    ...arms.map((arm) => element("fieldset", {}, element("legend", {}, t("Arm ", "组 ") + arm),
      ...list.filter((l) => l.arm === arm).map((l, k) => lever(l, `lever-${arm}-${k}`, moved, inquiry)))),
  ];
}

function lever(l, id, moved, inquiry) {
  const told = element("p", { class: "wrong", id: id + "-wrong", role: "alert" });
  const change = (value) => {
    const next = inquiry();
    const [into, name] = at(next, l.pointer);
    into[name] = value;
    moved(next, (error) => { told.textContent = error ? error.message : ""; });
  };
  const hint = [l.from_written && t("now ", "现为 ") + l.from_written, l.when];
  const label = element("label", { for: id }, l.label);
  const about = { id, "aria-describedby": `${id}-hint ${id}-wrong` };
  let inputs;
  if (l.min === null) {
    inputs = [choice(l, about, change)];
  } else {
    const show = (x) => String(tidy(x * l.factor));
    hint.splice(1, 0, t("allowed ", "允许 ") + `${plain(l.min * l.factor)}–${plain(l.max * l.factor)}`);
    inputs = amount(l, about, show, change, told, moved);
  }
  const said = element("p", { class: "hint", id: id + "-hint", title: l.meaning }, hint.filter(Boolean).join(" · "));
  return element("div", { class: "lever" }, label, ...inputs, said, told);
}

// choice is a value that is no number.
function choice(l, about, change) {
  if (typeof l.value === "boolean") {
    return element("input", { ...about, type: "checkbox", checked: l.value, onchange: (e) => change(e.target.checked) });
  }
  if (l.choices.length) {
    return element("select", { ...about, onchange: (e) => change(e.target.value) },
      ...l.choices.map((c) => element("option", { selected: c === l.value }, c)));
  }
  return element("input", { ...about, type: "text", value: l.value, onchange: (e) => change(e.target.value) });
}

// amount is a number: a slider over a useful range, and a field that takes all that is allowed.
function amount(l, about, show, change, told, moved) {
  const field = element("input", { ...about, type: "text", inputmode: "decimal", autocomplete: "off", value: show(l.value) });
  const slider = element("input", {
    type: "range", min: show(l.slider_min), max: show(l.slider_max), step: show(l.slider_step), value: show(l.value), "aria-label": l.label,
  });
  const valueText = () => slider.setAttribute("aria-valuetext", `${field.value} ${l.unit}`);
  valueText();
  slider.addEventListener("input", () => {
    field.value = slider.value;
    valueText();
    change(tidy(Number(slider.value) / l.factor));
  });
  field.addEventListener("input", () => {
    const x = Number(field.value.trim().replace(",", ".").replace(/%$/, ""));
    const low = l.min * l.factor, high = l.max * l.factor;
    if (!field.value.trim() || Number.isNaN(x) || x < low || x > high) {
      told.textContent = t(`a number from ${plain(low)} to ${plain(high)}`, `请输入 ${plain(low)} 至 ${plain(high)} 之间的数`);
      moved(null);
      return;
    }
    slider.value = field.value;
    valueText();
    change(l.whole ? Math.round(x) : tidy(x / l.factor));
  });
  return [slider, element("span", { class: "row" }, field, element("span", {}, l.unit))];
}
