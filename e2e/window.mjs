// Looks at every page as a person would: node window.mjs CHROMIUM ADDRESS EXPERIMENT [FOLDER]
// ADDRESS is what econ-mcp open prints, with its code. EXPERIMENT has ended, and there is a sweep "habits". With FOLDER there are pictures of all pages. It prints ok, or fails.
import assert from "node:assert/strict";
import { accessible, fits, open } from "./browser.mjs";

const [program, address, experiment, pictures] = process.argv.slice(2);
const { origin } = new URL(address);
const { browser, context, wrong, expected } = await open(program);

const c = await context({ viewport: { width: 1280, height: 900 }, locale: "en-GB", colorScheme: "light" });
const page = await c.newPage();
page.setDefaultTimeout(20000);
await page.goto(address);
await page.waitForURL(origin + "/");
assert.ok(!(await c.cookies()).find((k) => k.name === "econ_session" && !k.httpOnly));

const paths = [
	"/", "/?question=What+happens+if+taxes+rise%3F", "/?question=What+happens+to+unemployment+if+VAT+rises+from+8%25+to+15%25%3F", "/experiments", "/experiments/" + experiment,
	`/experiments/${experiment}/live`, "/experiments/nowhere", "/compare", "/compare?experiment=" + experiment, "/sweeps", "/sweeps/habits", "/model", "/model/7.3",
	"/model/parameters?search=vat", "/model/books?experiment_name=" + experiment,
];
expected.push(/404/);
for (const path of paths) {
	for (const [width, theme, lang] of [[1280, "light", "en"], [1280, "dark", "zh"], [360, "light", "zh"], [360, "dark", "en"]]) {
		await page.setViewportSize({ width, height: 900 });
		await page.emulateMedia({ colorScheme: theme });
		await page.goto(origin + path + (path.includes("?") ? "&" : "?") + "lang=" + lang);
		if (!path.endsWith("/live")) await page.waitForLoadState("networkidle");
		await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
		const what = `${path} in ${lang}, ${theme}, ${width} px`;
		assert.equal(await page.locator("h1").count(), 1, what);
		await accessible(page, what);
		await fits(page, what);
		if (pictures) await page.screenshot({ path: `${pictures}/${path.replace(/[^a-z0-9]+/gi, "_")}-${width}-${theme}-${lang}.png`, fullPage: true });
	}
}

await browser.close();
assert.deepEqual(wrong, []);
console.log("ok");
