// Uses the charts of the pages as a person would, by pointer and by keyboard: node charts.mjs CHROMIUM ADDRESS [measure]
// ADDRESS is what econ-mcp open prints, with its code. It prints ok, or fails. With measure it prints how long it takes to draw 600 months of
// eight arms with their bands anew, in milliseconds: the median and the longest of 30.
import assert from "node:assert/strict";
import { accessible, fits, open } from "./browser.mjs";

const [program, address, measure] = process.argv.slice(2);
const { origin } = new URL(address);
const { browser, context, wrong } = await open(program);
const c = await context({ viewport: { width: 1000, height: 900 }, locale: "en-GB", colorScheme: "light" });
const page = await c.newPage();
page.setDefaultTimeout(20000);
await page.goto(address);
await page.waitForURL(origin + "/");
await page.goto(origin + "/experiments");

// draw puts a chart of so many months and arms on the page, whose policy lets it load modules of its own.
const draw = (months, arms) => page.evaluate(async ([months, arms]) => {
	const { lines } = await import("/assets/charts.js");
	document.getElementById("chart")?.remove();
	const at = document.createElement("div");
	at.id = "chart";
	document.querySelector("h1").after(at);
	const x = Array.from({ length: months }, (_, k) => k + 1);
	window.made = (n, shift = 0) => ({
		x: x.slice(0, n),
		series: Array.from({ length: arms }, (_, arm) => {
			const of = (by) => x.slice(0, n).map((m) => (m === 5 ? null : 0.05 + shift + 0.01 * arm + 0.002 * Math.sin(m / 9) + by));
			return { label: arm === 1 ? "<b>vat</b>" : `arm ${arm}`, arm, values: of(0), low: of(-0.004), high: of(0.004) };
		}),
	});
	window.chart = lines(at, {
		label: "Unemployment", unit: "share of the labour force", reading: "share", ...window.made(Math.ceil(0.9 * months)),
		marks: [{ month: 13, text: "VAT <i>12 %</i>" }],
	});
}, [months, arms]);

const area = page.locator("#chart .lines-area");
const reset = page.locator("#chart .lines-unit button");
const entry = (k) => page.locator(`#chart .lines-legend li:nth-child(${k}) button`);
// at waits until a month is chosen.
const at = (month) => page.waitForFunction((m) => document.querySelector("#chart .lines-area")?.getAttribute("aria-valuenow") === String(m), month);
const press = async (key, month) => { await page.keyboard.press(key); await at(month); };

await draw(40, 2);
assert.equal(await page.locator("#chart .lines-unit span").textContent(), "% of the labour force");
assert.match(await page.locator("#chart .lines-marks").textContent(), /Month 13: VAT <i>12 %<\/i>/); // text is text
await at(36);
await area.focus();
await press("Home", 1);
await press("PageUp", 13);
await press("ArrowRight", 14);
await press("+", 14);
await reset.waitFor({ state: "visible" });
await press("End", 36); // the window follows
await press("ArrowLeft", 35);
await page.keyboard.press("Escape");
await reset.waitFor({ state: "hidden" });
await press("Home", 1);
for (let month = 2; month <= 5; month++) await press("ArrowRight", month);
assert.equal(await area.getAttribute("aria-valuetext"), "Month 5, arm 0 –, <b>vat</b> –"); // a gap

// Wide bands have room from the beginning: nothing of them is drawn at the upper edge.
await page.evaluate(() => {
	const x = window.made(40).x;
	const of = (value) => x.map(() => value);
	window.chart.update({ x, series: [{ label: "wide", arm: 0, values: x.map((m) => 0.05 + m / 1e5), low: of(-0.1), high: of(0.2) }] });
});
assert.equal(await page.evaluate(() => {
	const canvas = document.querySelector("#chart canvas"), over = document.querySelector("#chart .u-over");
	const scale = canvas.width / canvas.getBoundingClientRect().width;
	return canvas.getContext("2d").getImageData((over.offsetLeft + 3) * scale, (over.offsetTop + 3) * scale, 1, 1).data[3];
}), 0, "the band goes beyond the axis");
await page.evaluate(() => window.chart.update(window.made(36)));

const box = await page.locator("#chart .u-over").boundingBox();
await page.mouse.move(box.x + 0.3 * box.width, box.y + 50);
await page.mouse.down();
await page.mouse.move(box.x + 0.6 * box.width, box.y + 60, { steps: 5 });
await page.mouse.up();
await reset.waitFor({ state: "visible" });
await page.evaluate(() => window.chart.update(window.made(40, 0.01))); // as months come in
assert.ok(await reset.isVisible());
await page.mouse.dblclick(box.x + 100, box.y + 50);
await reset.waitFor({ state: "hidden" });
await page.mouse.move(box.x + box.width - 2, box.y + 50);
await at(40);

await entry(2).click();
assert.equal(await entry(2).getAttribute("aria-pressed"), "false");
await page.evaluate(() => window.chart.update({ series: [...window.made(40).series, { label: "third", arm: 2, values: window.made(40).x.map(() => 0.07) }] }));
assert.equal(await entry(2).getAttribute("aria-pressed"), "false"); // hidden stays hidden
assert.match(await area.getAttribute("aria-valuetext"), /third 7\.00 %/);

await page.locator("#chart summary").click();
await page.waitForFunction(() => document.querySelectorAll("#chart tbody tr").length === 40);
for (const [width, scheme] of [[1000, "dark"], [360, "light"]]) {
	await page.setViewportSize({ width, height: 900 });
	await page.emulateMedia({ colorScheme: scheme });
	await page.waitForFunction(() => Math.abs(document.querySelector("#chart canvas").getBoundingClientRect().width - document.getElementById("chart").clientWidth) < 2);
	await accessible(page, `a chart, ${width} px`);
	await fits(page, `a chart, ${width} px`);
}
await page.evaluate(() => window.chart.update({ x: [], series: [{ label: "arm 0", arm: 0, values: [] }] }));
assert.equal(await page.locator("#chart .lines-month").textContent(), "No month yet");
await page.evaluate(() => window.chart.destroy());
assert.equal(await page.locator("#chart *").count(), 0);

if (measure) {
	await page.setViewportSize({ width: 1200, height: 900 });
	await draw(600, 8);
	console.log(await page.evaluate(async () => {
		const drawn = () => document.querySelector("#chart canvas").getContext("2d").getImageData(0, 0, 1, 1); // waits for what is drawn
		const turns = Array.from({ length: 10 }, (_, k) => window.made(600, k / 1000));
		const entries = document.querySelectorAll("#chart .lines-legend button");
		const took = {};
		for (const [name, change] of [["data", (k) => window.chart.update(turns[k % 10])], ["hiding", (k) => entries[(k >> 1) % 8].click()]]) {
			const list = [];
			for (let k = 0; k < 32; k++) {
				const began = performance.now();
				change(k);
				await Promise.resolve().then(() => Promise.resolve()); // uPlot draws in a microtask
				drawn();
				list.push(performance.now() - began);
				await new Promise(requestAnimationFrame);
			}
			const sorted = list.slice(2).sort((a, b) => a - b);
			took[name] = [sorted[15], sorted[29]].map((ms) => Number(ms.toFixed(1)));
		}
		return took;
	}));
}
await browser.close();
assert.deepEqual(wrong, []);
console.log("ok");
