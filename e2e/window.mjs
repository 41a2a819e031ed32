// Looks at every page as a person would: node window.mjs CHROMIUM ADDRESS [FOLDER]
// ADDRESS is what econ-mcp open prints, with its code. With FOLDER there are pictures of all pages. It prints ok, or fails.
import assert from "node:assert/strict";
import { accessible, fits, open } from "./browser.mjs";

const [program, address, pictures] = process.argv.slice(2);
const { origin } = new URL(address);
const { browser, context, wrong, expected } = await open(program);

const c = await context({ viewport: { width: 1280, height: 900 }, locale: "en-GB", colorScheme: "light" });
const page = await c.newPage();
page.setDefaultTimeout(20000);
await page.goto(address);
await page.waitForURL(origin + "/");
assert.ok(!(await c.cookies()).find((k) => k.name === "econ_session" && !k.httpOnly));

const paths = ["/", "/experiments"];
for (const path of paths) {
	for (const [width, theme, lang] of [[1280, "light", "en"], [1280, "dark", "zh"], [360, "light", "zh"], [360, "dark", "en"]]) {
		await page.setViewportSize({ width, height: 900 });
		await page.emulateMedia({ colorScheme: theme });
		await page.goto(origin + path + (path.includes("?") ? "&" : "?") + "lang=" + lang);
		await page.waitForLoadState("networkidle");
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
