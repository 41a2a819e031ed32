// Does what a person does with the pages: node person.mjs CHROMIUM ADDRESS
// ADDRESS is what econ-mcp open prints, with its code. Somebody asks, is asked back, chooses, watches it run, pauses, injects, goes on, reads the
// effects, downloads, changes language and theme; then somebody else asks by keyboard alone. It prints ok, or fails.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { open } from "./browser.mjs";

const [program, address] = process.argv.slice(2);
const { origin } = new URL(address);
const { browser, context, wrong } = await open(program);

const c = await context({ viewport: { width: 1280, height: 900 }, locale: "en-GB", colorScheme: "light" });
const page = await c.newPage();
page.setDefaultTimeout(60000);
await page.goto(address);
await page.waitForURL(origin + "/");
assert.equal(await page.evaluate(() => location.hash), "", "the code stays in the address");
const again = await context();
const stranger = await again.newPage();
await stranger.goto(origin + "/experiments");
assert.equal(new URL(stranger.url()).pathname, "/login", "a stranger sees experiments");
await again.close();

// Asked back, and answered.
await page.getByLabel("What do you want to know of the economy?").fill("What happens if taxes rise?");
const choices = page.locator("#asked input[type=radio]");
await choices.first().waitFor();
assert.ok(await page.locator("#understood .mark").count() > 0, "nothing of the question is marked");
await page.getByLabel("Households").fill("2000");
await page.getByLabel("Months").fill("60");
await page.getByLabel("Replications").fill("3");
await page.waitForFunction(() => document.querySelector("#households").value === "2000" && document.querySelectorAll("#asked input[type=radio]").length > 0);
await choices.first().check();
const run = page.getByRole("button", { name: "Run the experiment" });
await run.waitFor();
const planned = await page.locator("#plan code").textContent();
const slider = page.locator("#plan input[type=range]").first();
await slider.focus();
await slider.press("ArrowRight");
await page.waitForFunction((before) => document.querySelector("#plan code").textContent !== before, planned);
await page.getByLabel("Name of the experiment, if you want one").fill("by-mouse");
await page.waitForFunction(() => !document.querySelector("form.run button").disabled);
await run.click();

// Watched, paused, changed, and gone on with.
await page.waitForURL(origin + "/experiments/by-mouse/live");
const month = () => page.locator("#months").evaluate((e) => e.value);
await page.waitForFunction(() => document.querySelector("#months").value >= 1);
await page.getByRole("button", { name: "Pause" }).click();
await page.locator("#state", { hasText: /paused/i }).waitFor();
const paused = await month();
assert.ok(paused < 60, "it had ended before it could be paused");
await page.getByRole("button", { name: "Step a month" }).click();
await page.waitForFunction((before) => document.querySelector("#months").value === before + 1, paused);
await page.locator("#state", { hasText: /paused/i }).waitFor();
assert.equal(await page.locator(".live-chart canvas").count() > 0, true, "no chart is drawn");
await page.getByLabel("What changes").selectOption("parameter_change vat_rate");
await page.locator("#fields input").first().fill("0.2");
await page.getByLabel("From month").fill(String(paused + 4));
await page.getByRole("button", { name: "Plan it" }).click();
await page.locator("#interventions tr").last().waitFor();
await page.getByRole("button", { name: "Resume" }).click();
await page.locator("#ended a").waitFor();
await page.locator("#ended a").click();

// Read, and taken home.
await page.waitForURL(origin + "/experiments/by-mouse");
await page.locator("#effects table").first().waitFor();
await page.locator("#lines canvas").waitFor();
assert.match(await page.locator("#interventions").textContent(), /VAT/);
const download = page.waitForEvent("download");
await page.locator("#downloads a", { hasText: "timeseries.csv" }).click();
const csv = await readFile(await (await download).path(), "utf8");
assert.ok(csv.split("\n").length > 60, csv.slice(0, 300));
const report = c.waitForEvent("page");
await page.locator('#downloads a[href*="report"][target=_blank]').first().click();
const read = await report;
await read.waitForLoadState();
assert.ok(await read.locator("h1").count() === 1, "the report does not show");
await read.close();
const light = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
await page.getByRole("button", { name: "Dark" }).click();
assert.notEqual(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), light, "the theme stays");
await page.getByRole("link", { name: "中文" }).click();
await page.getByRole("button", { name: "浅色" }).waitFor();
assert.equal(await page.locator("html").getAttribute("lang"), "zh-Hans");
assert.match(await page.locator("#h-answer").textContent(), /[\u4e00-\u9fff]/);
await page.getByRole("link", { name: "English" }).click();

// By keyboard alone: Tab to what has a name, type, press.
await page.goto(origin + "/");
const tabTo = async (name) => {
	for (let k = 0; k < 80; k++) {
		await page.keyboard.press("Tab");
		const at = await page.evaluate(() => {
			const e = document.activeElement;
			return e.getAttribute("aria-label") ?? e.labels?.[0]?.textContent ?? e.textContent;
		});
		if (at?.trim() === name) return;
	}
	assert.fail(`Tab does not reach ${name}`);
};
await tabTo("What do you want to know of the economy?");
await page.keyboard.type("What happens to unemployment if VAT rises from 8% to 15%?");
await tabTo("Households");
await page.keyboard.type("1000");
await tabTo("Months");
await page.keyboard.type("24");
await tabTo("Replications");
await page.keyboard.type("3");
await page.waitForFunction(() => document.querySelector("#read-back")?.textContent && !document.querySelector("form.run button").disabled);
await tabTo("Name of the experiment, if you want one");
await page.keyboard.type("by-keyboard");
await tabTo("Run the experiment");
await page.keyboard.press("Enter");
await page.waitForURL(origin + "/experiments/by-keyboard/live");
await page.locator("#ended a").waitFor();
await tabTo((await page.locator("#ended a").textContent()).trim());
await page.keyboard.press("Enter");
await page.waitForURL(origin + "/experiments/by-keyboard");
await page.locator("#effects table").first().waitFor();

await browser.close();
assert.deepEqual(wrong, []);
console.log("ok");
