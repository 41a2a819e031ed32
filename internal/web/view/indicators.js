// What the page knows of indicators: names for people, units, and how numbers are read.
import { element, language, t } from "../assets/lib.js";

const { indicators: all, groupings } = JSON.parse(document.getElementById("catalogue").textContent);
const known = new Map(all.map((i) => [
  i.name, { label: i.label[language], unit: i.unit[language], reading: i.reading },
]));

// indicator is what is known of a name: label, unit, reading. An unknown one has its name for a label.
export const indicator = (name) => known.get(name) ?? { label: name, unit: "", reading: "plain" };

export const label = (name) => indicator(name).label;

// group names a group of households, such as income_decile 6.
export function group(name) {
  const [, arm, grouping, which] = /^(.*: )?(\w+) (.+)$/.exec(name) ?? [];
  const by = groupings[grouping]?.[language];
  return by ? (arm ?? "") + t(`group ${which} ${by}`, `${by}第 ${which} 组`) : name;
}

const main = all.filter((i) => i.main).map((i) => i.name);

// choice is a list to choose an indicator from: of those named, else of the main ones and the one that is chosen.
export function choice(chosen, names = chosen && !main.includes(chosen) ? [chosen, ...main] : main) {
  return element("select", {}, ...names.map((name) => element("option", { value: name, selected: name === chosen }, label(name))));
}

// labelled is a field of a form with its label.
export const labelled = (text, field) => element("label", {}, text, " ", field);

// months is a field for a month.
export const monthField = (value, most) => element("input", { type: "number", min: 1, max: most, step: 1, value, required: true });

// busy has a form do something: while it does what a person asked, its fields are off; what goes wrong stands below it. What it returns
// does it unasked.
export function busy(form, what) {
  const wrong = element("p", { role: "alert", hidden: true });
  const fields = element("fieldset", {}, ...form.childNodes);
  form.replaceChildren(fields, wrong);
  const act = async (event) => {
    event?.preventDefault();
    const focused = document.activeElement;
    fields.disabled = event !== undefined;
    wrong.hidden = true;
    try {
      await what();
    } catch (error) {
      wrong.textContent = error.message || t("It did not work.", "操作失败。");
      wrong.hidden = false;
    }
    fields.disabled = false;
    if (form.contains(focused)) focused.focus(); // it is lost with what is off
  };
  form.addEventListener("submit", act);
  return act;
}
