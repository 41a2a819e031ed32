// A browser for tests of pages: Chromium by playwright-core, in which nothing may leave this machine, no script may fail and no policy may be
// broken. What was wrong is listed in `wrong`; a test that ends with something in it fails.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function open(executablePath) {
	const browser = await chromium.launch({
		executablePath,
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
	});
	const wrong = [];
	const context = async (options = {}) => {
		const c = await browser.newContext({ acceptDownloads: true, ...options });
		c.on("request", (r) => {
			const { protocol, hostname } = new URL(r.url());
			if (!["127.0.0.1", "localhost"].includes(hostname) && !["data:", "blob:", "about:"].includes(protocol)) wrong.push(`a request left the machine: ${r.url()}`);
		});
		c.on("console", (m) => {
			if (m.type() === "error" && !expected.some((e) => e.test(m.text()))) wrong.push(`${m.page()?.url()}: ${m.text()}`);
		});
		c.on("weberror", (e) => wrong.push(`${e.page()?.url()}: ${e.error()?.stack}`));
		return c;
	};
	const expected = []; // errors of the console that a test provokes
	return { browser, context, wrong, expected };
}

// accessible has axe-core look for what those who use a keyboard or a screen reader would stumble over. Rules are run from outside of the
// page, whose policy allows no script but its own.
export async function accessible(page, what) {
	const session = await page.context().newCDPSession(page);
	const { frameTree } = await session.send("Page.getFrameTree");
	const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: "axe" });
	const evaluate = async (expression) => {
		const { result, exceptionDetails } = await session.send("Runtime.evaluate", { contextId, expression, awaitPromise: true, returnByValue: true });
		assert.ok(!exceptionDetails, exceptionDetails?.exception?.description);
		return result.value;
	};
	await evaluate(axe + ";0");
	const found = await evaluate(`axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations
		.filter((v) => v.impact === "serious" || v.impact === "critical")
		.map((v) => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).join(" | ")))`);
	await session.detach();
	assert.deepEqual(found, [], what);
}

// narrow says whether a page fits into 360 px: only boxes that scroll by themselves may be wider.
export async function fits(page, what) {
	const wide = await page.evaluate(() => {
		const most = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth <= most) return [];
		return [...document.querySelectorAll("main *, header *")]
			.filter((e) => e.getBoundingClientRect().right > most + 1 && !e.closest(".scroll, svg"))
			.slice(0, 5)
			.map((e) => e.outerHTML.slice(0, 120));
	});
	assert.deepEqual(wide, [], what);
}
