// Drives the fixture of internal/mcpserver: node fixture.mjs SDK TRANSPORT TARGET…
// It prints ok, or fails with what was not as expected.
import assert from "node:assert/strict";
import { connect } from "./connect.mjs";

const [sdk, transport, ...target] = process.argv.slice(2);
const heard = [];
const waiting = [];
function onnotification(n) {
	heard.push(n);
	for (const w of waiting.splice(0)) w();
}
async function until(found) {
	while (!heard.some(found)) await new Promise((resolve) => waiting.push(resolve));
}

const client = await connect({ sdk, transport, target, onnotification });
assert.equal(client.getServerVersion().name, "econ-mcp");
assert.match(client.getInstructions(), /note/);

// Lists: the client compiles the schemas, and holds results against them.
const { tools } = await client.listTools();
assert.deepEqual(tools.map((t) => t.name).sort(), ["count", "echo", "fail", "open_gate", "wait_at_gate", "write_note"]);
for (const t of tools) {
	for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]) {
		assert.equal(typeof t.annotations[hint], "boolean", `${t.name}.${hint}`);
	}
}

// A call: the same JSON as text and as structure.
const echo = await client.callTool({ name: "echo", arguments: { text: 'a "b" ü 中\n' } });
assert.equal(echo.structuredContent.text, 'a "b" ü 中\n');
assert.deepEqual(JSON.parse(echo.content[0].text), echo.structuredContent);

// Progress comes while the call goes on: only then is the gate opened.
const live = await client.callTool({ name: "wait_at_gate", arguments: { gate: `live ${sdk} ${transport}` } }, ...forV1(), {
	onprogress: () => client.callTool({ name: "open_gate", arguments: { gate: `live ${sdk} ${transport}` } }),
});
assert.ok(live.structuredContent);

// It comes in order, and all of it before the result. What these SDKs read from a pipe
// together with the result they lose themselves: there, only the order is sure.
const steps = [];
const count = await client.callTool({ name: "count", arguments: { to: 100 } }, ...forV1(), {
	onprogress: (p) => steps.push(p.progress),
});
assert.deepEqual(count.structuredContent, { counted: 100 });
assert.ok(steps.every((step, i) => step === i + 1), `steps ${steps}`);
if (transport === "http") assert.equal(steps.length, 100);

// Errors are results that a model can read; unknown tools are errors of the protocol.
const failed = await client.callTool({ name: "fail", arguments: { how: "range" } });
assert.equal(failed.isError, true);
assert.equal(JSON.parse(failed.content[0].text).error.code, "out_of_range");
assert.equal(failed.structuredContent, undefined);
await assert.rejects(client.callTool({ name: "ehco", arguments: {} }), /did you mean/);

// Slow calls do not block fast ones; a cancelled one stops.
const slow = client.callTool({ name: "wait_at_gate", arguments: { gate: sdk + transport } });
assert.ok((await client.callTool({ name: "echo", arguments: {} })).structuredContent);
await client.callTool({ name: "open_gate", arguments: { gate: sdk + transport } });
assert.ok((await slow).structuredContent);
const abort = new AbortController();
const never = client.callTool({ name: "wait_at_gate", arguments: { gate: "never" } }, ...forV1(), {
	signal: abort.signal,
	onprogress: () => abort.abort("enough"),
});
await assert.rejects(never);

// Resources, and news of them.
const uri = `econ://notes/${sdk}-${transport}`;
if (sdk === "v2") {
	const subscription = await client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] });
	assert.deepEqual(subscription.honoredFilter, { resourcesListChanged: true, resourceSubscriptions: [uri] });
} else {
	await client.subscribeResource({ uri });
}
const written = await client.callTool({ name: "write_note", arguments: { name: `${sdk}-${transport}`, text: "hello" } });
assert.equal(written.content[1].type, "resource_link");
await until((n) => n.method === "notifications/resources/updated" && n.params.uri === uri);
await until((n) => n.method === "notifications/resources/list_changed");
assert.ok((await client.listResources()).resources.some((r) => r.uri === uri));
assert.equal((await client.readResource({ uri })).contents[0].text, "hello");
await assert.rejects(client.readResource({ uri: "econ://notes/none" }), /not_found/);
assert.equal((await client.listResourceTemplates()).resourceTemplates[0].uriTemplate, "econ://notes/{name}");

// Prompts and completion.
assert.equal((await client.listPrompts()).prompts[0].name, "explain");
const prompt = await client.getPrompt({ name: "explain", arguments: { name: "x" } });
assert.equal(prompt.messages[0].content.text, "Explain x");
await assert.rejects(client.getPrompt({ name: "explain" }), /name is missing/);
const complete = await client.complete({
	ref: { type: "ref/resource", uri: "econ://notes/{name}" },
	argument: { name: "name", value: "al" },
});
assert.deepEqual(complete.completion.values, ["alpha", "alphabet"]);

// Log messages, where the revision has a request for them.
if (sdk === "v1") {
	await client.setLoggingLevel("info");
	await client.callTool({ name: "fail", arguments: { how: "range" } });
	await until((n) => n.method === "notifications/message" && n.params.level === "info");
}

await client.close();
console.log("ok");

// forV1 is the schema of results, an argument that the older SDK wants before options.
function forV1() {
	return sdk === "v1" ? [undefined] : [];
}
