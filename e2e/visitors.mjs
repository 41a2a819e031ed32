// Signs in by tokens, and loses the server: node visitors.mjs CHROMIUM PROGRAM FOLDER
// FOLDER is empty. Somebody who may only read sees nothing that writes; the pages say when the server is gone, and go on when it is back. It
// prints ok, or fails.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { writeFile } from "node:fs/promises";
import { open } from "./browser.mjs";

const [program, command, folder] = process.argv.slice(2);
const port = await new Promise((done) => {
	const probe = createServer().listen(0, "127.0.0.1", () => { const { port } = probe.address(); probe.close(() => done(port)); });
});
const origin = `http://127.0.0.1:${port}`;
const tokens = folder + "/tokens";
await writeFile(tokens, "ada full token-of-ada-0001\nbob read-only token-of-bob-0001\n", { mode: 0o600 });

// serve starts the server and waits until it answers.
async function serve(...more) {
	const server = spawn(command, ["serve", "--transport", "http", "--addr", `127.0.0.1:${port}`, "--data", folder + "/data", ...more], { stdio: "ignore" });
	server.ended = new Promise((done) => server.on("exit", done));
	for (;;) {
		try {
			if ((await fetch(origin + "/healthz")).ok) return server;
		} catch { /* not yet */ }
		assert.equal(server.exitCode, null, "the server does not start");
		await new Promise((later) => setTimeout(later, 50));
	}
}
const end = async (server) => { server.kill("SIGKILL"); await server.ended; };

let server = await serve("--auth-token-file", tokens);
const { browser, context, wrong, expected } = await open(program);
expected.push(/40[13]|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE/); // of what is provoked here
const c = await context({ locale: "en-GB" });
const page = await c.newPage();
page.setDefaultTimeout(30000);
try {
	// Tokens and roles.
	await page.goto(origin + "/experiments");
	assert.equal(new URL(page.url()).pathname, "/login");
	const signIn = async (token) => {
		await page.getByLabel("Token").fill(token);
		await page.getByRole("button", { name: "Sign in" }).click();
	};
	await signIn("token-of-nobody-1");
	await page.getByRole("alert").filter({ hasText: "nobody has this token" }).waitFor();
	await signIn("token-of-ada-0001");
	await page.waitForURL(origin + "/experiments");
	const ask = origin + "/?question=" + encodeURIComponent("What happens to unemployment if VAT rises from 8% to 15%?") + "&households=2000&months=600&replications=1";
	await page.goto(ask);
	await page.getByLabel("Name of the experiment, if you want one").fill("long");
	await page.waitForFunction(() => !document.querySelector("form.run button").disabled);
	await page.getByRole("button", { name: "Run the experiment" }).click();
	await page.waitForURL(origin + "/experiments/long/live");
	await page.waitForFunction(() => document.querySelector("#months").value >= 1);
	await page.getByRole("button", { name: "Pause" }).click();
	await page.locator("#state", { hasText: /paused/i }).waitFor();
	await page.getByRole("button", { name: "Sign out" }).click();
	await page.waitForURL(origin + "/login");

	await signIn("token-of-bob-0001");
	await page.waitForURL(origin + "/");
	await page.goto(ask);
	await page.locator("#plan, #read-back").first().waitFor();
	await page.getByText("You may only read here").waitFor();
	assert.equal(await page.getByRole("button", { name: "Run the experiment" }).count(), 0, "a reader may run");
	await page.goto(origin + "/experiments/long/live");
	await page.locator(".live-chart canvas").first().waitFor();
	for (const name of ["Pause", "Step a month", "Resume", "Stop…", "Plan it"]) assert.equal(await page.getByRole("button", { name }).count(), 0, `a reader may ${name}`);
	const refused = await page.evaluate(async () => {
		const r = await fetch("/api/v1/experiments/long/resume", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
		return [r.status, (await r.json()).error.code];
	});
	assert.deepEqual(refused, [403, "forbidden"]);

	// The server is lost, and comes back.
	await end(server);
	server = await serve(); // without tokens: whoever reaches this machine is the operator
	await page.goto(origin + "/experiments/long/live");
	await page.waitForFunction(() => document.querySelector("#months").value >= 1);
	const lost = page.locator("#lost");
	assert.equal(await lost.isVisible(), false);
	await end(server);
	await lost.waitFor({ state: "visible" });
	server = await serve();
	await lost.waitFor({ state: "hidden" });
	await page.getByRole("button", { name: "Resume" }).click();
	const before = await page.locator("#months").evaluate((e) => e.value);
	await page.waitForFunction((month) => document.querySelector("#months").value > month, before);
} finally {
	await browser.close();
	await end(server);
}
assert.deepEqual(wrong, []);
console.log("ok");
