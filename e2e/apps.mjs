// Shows the pages of MCP Apps in a real browser, in a host on the reference AppBridge: node apps.mjs URL session|modern CHROMIUM [FOLDER]
// It prints ok, or fails with what was not as expected. Screenshots go into FOLDER.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { chromium } from "playwright-core";

const [url, version, executablePath, folder] = process.argv.slice(2);

// imports are the modules of the host page, as a browser finds them.
const imports = Object.fromEntries(Object.entries({
	"@modelcontextprotocol/ext-apps/app-bridge": "@modelcontextprotocol/ext-apps/dist/src/app-bridge.js",
	"@modelcontextprotocol/client": "@modelcontextprotocol/client/dist/index.mjs",
	"@modelcontextprotocol/client/_shims": "@modelcontextprotocol/client/dist/shimsBrowser.mjs",
	"@modelcontextprotocol/core": "@modelcontextprotocol/core/dist/index.mjs",
	"@modelcontextprotocol/core/internal": "@modelcontextprotocol/core/dist/internal.mjs",
	"zod/v4": "zod/v4/index.js",
	"pkce-challenge": "pkce-challenge/dist/index.browser.js",
	"eventsource": "eventsource/dist/index.js",
	"eventsource-parser": "eventsource-parser/dist/index.js",
	"eventsource-parser/stream": "eventsource-parser/dist/stream.js",
}).map(([name, file]) => [name, `/modules/${file}`]));
const hostPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
<style>body{margin:0}iframe{border:0;width:100%;height:40px}</style>
<script type="importmap">${JSON.stringify({ imports })}</script><script type="module" src="/apps-host.mjs"></script>`;

// The sandbox passes messages on, and shows the page under the policy that the specification has hosts make of what it declares.
const sandboxPage = `<!doctype html><meta charset="utf-8">
<style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}</style>
<iframe sandbox="allow-scripts allow-same-origin allow-forms"></iframe><script>
const inner = document.querySelector("iframe");
addEventListener("message", ({ source, data }) => {
	if (source === inner.contentWindow) parent.postMessage(data, "*");
	else if (data.method !== "ui/notifications/sandbox-resource-ready") inner.contentWindow.postMessage(data, "*");
	else { const d = inner.contentDocument; d.open(); d.write(data.params.html); d.close(); }
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
</script>`;
const policy = ({ connectDomains = [], resourceDomains = [] }) => {
	const from = resourceDomains.join(" ");
	const to = connectDomains.join(" ") || "'none'";
	return `default-src 'none'; script-src 'self' 'unsafe-inline' ${from}; style-src 'self' 'unsafe-inline' ${from}; connect-src ${to}; ` +
		`img-src 'self' data: ${from}; font-src 'self' ${from}; frame-src 'self'; object-src 'none'; base-uri 'self'`;
};

const servers = [];
async function listen(handle, hostname) {
	const server = createServer((request, response) => handle(request, response).catch((e) => {
		if (response.headersSent) response.destroy(); // a stream that broke off
		else response.writeHead(500).end(String(e));
	}));
	servers.push(server);
	await new Promise((done) => server.listen(0, "127.0.0.1", done));
	return `http://${hostname}:${server.address().port}`;
}

const asked = []; // of the sandbox's origin: nothing but the sandbox
const sandbox = await listen(async (request, response) => {
	asked.push(request.url);
	const csp = new URL(request.url, "http://localhost").searchParams.get("csp");
	response.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": policy(JSON.parse(csp ?? "{}")) }).end(sandboxPage);
}, "localhost");
const host = await listen(async (request, response) => {
	const { pathname } = new URL(request.url, "http://localhost");
	if (pathname === "/mcp") {
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		const { host: _, origin, referer, connection, ...headers } = request.headers;
		for (const name of Object.keys(headers)) if (name.startsWith("sec-")) delete headers[name];
		const gone = new AbortController(); // a stream ends with its reader
		response.on("close", () => gone.abort());
		const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
		const answer = await fetch(url, { method: request.method, headers, body, signal: gone.signal });
		const kept = [...answer.headers].filter(([name]) => !/^(content-(length|encoding)|connection)$/.test(name));
		response.writeHead(answer.status, Object.fromEntries(kept));
		if (answer.body) for await (const chunk of answer.body) response.write(chunk);
		response.end();
	} else if (pathname === "/") {
		response.writeHead(200, { "Content-Type": "text/html" }).end(hostPage);
	} else if (pathname === "/favicon.ico") {
		response.writeHead(204).end();
	} else {
		const text = await readFile(path.join(import.meta.dirname, pathname.replace(/^\/modules\//, "/node_modules/")));
		response.writeHead(200, { "Content-Type": "text/javascript" }).end(text);
	}
}, "127.0.0.1");

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 720, height: 1900 } });
page.setDefaultTimeout(60_000);
const complaints = []; // of the browser: errors, and what the policy forbade
page.on("pageerror", (e) => complaints.push(String(e)));
page.on("console", (m) => { if (m.type() === "error") complaints.push(m.text()); });
const shoot = async (name) => { if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) }); };

try {
	await scenario();
	assert.deepEqual(complaints, []);
	assert.ok(asked.every((address) => address.startsWith("/?csp=")), `asked for ${asked}`);
} catch (error) {
	await shoot(`failed-${version}`);
	throw new Error(`${error.stack}\nthe browser: ${complaints.join("\n")}`);
} finally {
	await browser.close();
	for (const server of servers) server.close().closeAllConnections();
}
console.log("ok");

async function scenario() {
	await page.goto(`${host}/?${new URLSearchParams({ sandbox, version })}`);
	await page.waitForFunction(() => window.ready);
	const open = (...given) => page.evaluate((given) => window.open_(...given), given);
	const call = (name, args) => page.evaluate(([name, args]) => window.call(name, args), [name, args]);
	const calls = () => page.evaluate(() => window.calls.map((c) => c.name));
	const view = page.frameLocator("iframe").frameLocator("iframe");

	// painted is how many pixels a chart has in the colour of each of the first two arms, as the theme has it.
	const painted = () => view.locator("canvas").first().evaluate((canvas) => {
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		const counts = new Map();
		for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 200) {
			const colour = [data[k], data[k + 1], data[k + 2]].join();
			counts.set(colour, (counts.get(colour) ?? 0) + 1);
		}
		const own = getComputedStyle(document.documentElement);
		const hex = (name) => own.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map((h) => parseInt(h, 16)).join();
		return [0, 1].map((k) => counts.get(hex(`--arm-${k}`)) ?? 0);
	});

	// Which tools have a page, and that it is small.
	const views = await page.evaluate(() => window.views);
	assert.deepEqual(Object.keys(views).filter((name) => views[name]).sort(), [
		"analyze_experiment", "analyze_question", "compare_experiments", "get_all_economic_indicators", "get_simulation_status", "start_simulation",
	]);

	// A question, in Chinese: what was understood is marked, and the experiment runs from the page; its progress moves by itself.
	await open("analyze_question", { question: "如果增值税提高到12%会怎样？" }, { locale: "zh-CN", theme: "light" });
	const { bytes, meta } = await page.evaluate(() => window.page);
	assert.ok(bytes > 50_000 && bytes < 400_000, `${bytes} characters`);
	assert.deepEqual(meta, { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } });
	await view.getByRole("heading", { name: "可以运行" }).waitFor();
	assert.ok((await view.locator("mark").allTextContents()).some((text) => text.includes("12%")));
	await shoot(`question-${version}`);

	const inquiry = {
		question: "What happens if VAT rises to 12%?", arms: { vat: { events: [{ set: { vat_rate: "12%" }, from: 1 }] } },
		outcomes: [{ metric: "cpi" }, { metric: "real_gdp" }], background: { set: { num_households: 500 } },
		design: { months: 120, replications: 3, burn_in: 12 },
	};
	const experiment_name = `apps-${version}`;
	await open("start_simulation", { inquiry, experiment_name, pause_at_month: 30 }, { locale: "en-GB", theme: "light" });
	await view.getByRole("status").filter({ hasText: "paused, month 30 of 120" }).waitFor();
	const first = await view.locator("progress").evaluate((bar) => bar.value);
	assert.ok(first > 0 && first < 1, `the first that it showed was ${first}`);

	// Whoever resumes it, the page follows.
	await call("resume_simulation", { experiment_name });
	await view.getByRole("status").filter({ hasText: "completed, month 120 of 120" }).waitFor();
	assert.equal(await view.locator("progress").evaluate((bar) => bar.value), 1);
	await view.locator("canvas").first().waitFor();
	await page.waitForFunction(() => window.calls.filter((c) => c.name === "get_experiment_timeseries").length >= 2);
	await view.getByText("Real GDP").first().waitFor();
	assert.ok((await painted()).every((n) => n > 50), "both arms are drawn");
	await shoot(`progress-${version}`);

	// Another indicator is asked for through the host.
	let before = (await calls()).length;
	await view.getByLabel("Indicator").selectOption({ label: "Consumer prices" });
	await view.getByText("index, base month = 100").first().waitFor();
	const asks = (await page.evaluate(() => window.calls)).slice(before).map((c) => [c.name, c.arguments.metric]);
	assert.deepEqual(asks, [["get_experiment_timeseries", "cpi"], ["get_experiment_timeseries", "cpi"]]);

	// The theme is the host's, with its colours, also when it changes.
	await page.evaluate(() => window.setContext({
		theme: "dark", locale: "en-GB", styles: { variables: {
			"--color-background-primary": "light-dark(#ffffff, #171717)", "--color-text-primary": "light-dark(#171717, #fafafa)",
		} },
	}));
	await view.locator("html[data-theme=dark]").waitFor();
	assert.equal(await view.locator("html").evaluate((e) => getComputedStyle(e).backgroundColor), "rgb(23, 23, 23)");
	assert.ok((await painted()).every((n) => n > 50), "both arms are drawn in the dark");
	await shoot(`dark-${version}`);

	// So is the language.
	await page.evaluate(() => window.setContext({ theme: "dark", locale: "zh-CN" }));
	await view.getByRole("status").filter({ hasText: "已完成" }).waitFor();
	await view.getByLabel("指标").waitFor();
	await shoot(`chinese-${version}`);

	// Series of one arm are drawn from the result.
	await open("get_all_economic_indicators", { experiment_name }, { locale: "en", theme: "light" });
	await view.locator("canvas").first().waitFor();
	assert.deepEqual(await calls(), []);
	await view.getByLabel("from month").fill("50");
	await view.getByRole("button", { name: "Show" }).click();
	await page.waitForFunction(() => window.calls.some((c) => c.name === "get_experiment_timeseries" && c.arguments.from_month === 50));
	await shoot(`series-${version}`);

	// A host that calls no tools for the page: it shows what it was given, in the whole window if the host has one to give.
	const modes = { locale: "en", theme: "light", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"] };
	await open("get_all_economic_indicators", { experiment_name }, modes, {});
	await view.getByLabel("Indicator").selectOption({ label: "Inflation" });
	await view.getByText("% a year").first().waitFor();
	assert.equal(await view.getByRole("button", { name: "Show" }).count(), 0);
	await view.getByRole("button", { name: "Whole window" }).click();
	await view.getByRole("button", { name: "Smaller" }).waitFor();
	assert.deepEqual([await page.evaluate(() => window.mode), await calls()], ["fullscreen", []]);

	// Comparisons: effects in a table, and another window through the host.
	await open("compare_experiments", { experiment_names: [experiment_name] }, { locale: "en", theme: "dark" });
	await view.locator("table.effects").first().waitFor();
	await view.locator("canvas").first().waitFor();
	await view.getByLabel("to month").last().fill("60");
	await view.getByRole("button", { name: "Compare" }).click();
	await view.getByText("months 1–60").first().waitFor();
	assert.deepEqual((await page.evaluate(() => window.calls)).map((c) => [c.name, c.arguments.window[1]]), [["compare_experiments", 60]]);
	await view.getByRole("button", { name: "Show over time" }).click();
	await view.getByLabel("Indicator").nth(1).waitFor();
	await shoot(`comparison-${version}`);
	await open("analyze_experiment", { experiment_name }, { locale: "en", theme: "light" });
	await view.locator("table.effects").first().waitFor();
	await shoot(`analysis-${version}`);

	// At 360 pixels nothing but tables is wider than the page.
	await page.setViewportSize({ width: 360, height: 1900 });
	const wide = await view.locator("html").evaluate((e) => e.scrollWidth - e.clientWidth);
	assert.equal(wide, 0);
	await shoot(`narrow-${version}`);

	// What the host's user runs from the page, the model is told of.
	await open("analyze_question", { question: "Raise VAT slightly." }, { locale: "en", theme: "light" });
	await view.getByRole("radio").first().check();
	await shoot(`choices-${version}`);
	await view.getByRole("button", { name: "Run this experiment" }).click();
	await view.getByRole("progressbar").waitFor();
	assert.match((await page.evaluate(() => window.told)).join(), /started the experiment /);
	const started = (await page.evaluate(() => window.told)).join().match(/started the experiment (\S+)\./)[1];
	await call("stop_simulation", { experiment_name: started });

	// Whatever a question holds is shown as text.
	await open("analyze_question", { question: "<img src=x onerror=alert(1)> Raise VAT slightly." }, { locale: "en", theme: "light" });
	await view.getByText("<img src=x onerror=alert(1)>").first().waitFor();
	assert.equal(await view.locator("img").count(), 0);

	// A mistake is told in the words of the server.
	await open("get_all_economic_indicators", { experiment_name, indicators: ["cpi"] }, { locale: "en", theme: "light" });
	await view.getByLabel("from month").fill("999");
	await view.getByRole("button", { name: "Show" }).click();
	await view.getByRole("alert").filter({ hasText: /month/ }).waitFor();
}
