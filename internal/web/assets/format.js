// How numbers are written for people: as internal/report writes them, against which a test holds this module.
// What is not there (null, NaN) is a dash.

export const absent = "–";

const there = (x) => typeof x === "number" && Number.isFinite(x);

// digits writes |x| with so many decimals, rounding exact halves to the even digit, as Go does; toFixed rounds them up.
function digits(x, decimals) {
  const a = Math.abs(x);
  if (a >= 1e21) return BigInt(a).toString() + (decimals ? "." + "0".repeat(decimals) : ""); // where toFixed writes an exponent
  const rounded = a.toFixed(decimals);
  const exact = a.toFixed(Math.min(100, decimals + 60));
  const rest = exact.slice(exact.indexOf(".") + 1 + decimals);
  if (!/^50*$/.test(rest)) return rounded;
  const cut = decimals ? exact.slice(0, exact.indexOf(".") + 1 + decimals) : exact.slice(0, exact.indexOf("."));
  return Number(cut.at(-1)) % 2 ? rounded : cut;
}

// number writes a number with commas between thousands and a true minus sign, and none for zero.
export function number(x, decimals = decimalsFor(x)) {
  if (!there(x)) return absent;
  const [whole, part] = digits(x, decimals).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part === undefined ? "" : "." + part);
  return x < 0 && /[1-9]/.test(text) ? "−" + text : text;
}

// decimalsFor gives about four significant digits.
export function decimalsFor(x) {
  const a = Math.abs(x);
  if (a >= 1000 || a === 0) return 0;
  if (a >= 100) return 1;
  return a >= 1 ? 2 : 3;
}

// share writes a share in percent.
export const share = (x, decimals = 2) => (there(x) ? number(100 * x, decimals) + " %" : absent);

const units = [[1e12, 1e12, " T"], [1e9, 1e9, " G"], [1e6, 1e6, " M"], [1e4, 1e3, " k"]];

// amount writes an amount with at most four digits before its unit.
export function amount(x) {
  if (!there(x)) return absent;
  for (const [from, size, name] of units) {
    if (Math.abs(x) >= from) return number(x / size) + name;
  }
  return number(x);
}

// value writes a value of an indicator that is read as "plain", "share", "money" or "fraction".
export function value(reading, x) {
  switch (reading) {
    case "share": return share(x);
    case "money": return amount(x);
    case "fraction": return there(x) ? number(x, 4) : absent;
  }
  return there(x) ? number(x) : absent;
}

// size is difference without the sign of a rise.
export function size(reading, x) {
  const text = value(reading, x);
  return reading === "share" ? text.replace(" %", " pp") : text;
}

// difference writes the difference of two values, that of shares in percentage points.
export function difference(reading, x) {
  const text = size(reading, x);
  return x > 0 && text !== absent ? "+" + text : text;
}
