// Has the client's own language model write inquiries: node sampling.mjs SDK TRANSPORT TARGET…
// The model says what the test wants. It prints ok, or fails with what was not as expected.
import assert from "node:assert/strict";
import { connect } from "./connect.mjs";

const [sdk, transport, ...target] = process.argv.slice(2);

let answers = []; // of the model: a text, or a function; the last one is given to all further requests
let asked = []; // what it was asked
const client = await connect({
	sdk,
	transport,
	target,
	onsampling: async (params) => {
		const answer = answers[Math.min(asked.length, answers.length - 1)];
		asked.push(params);
		if (typeof answer === "function") return answer();
		return { role: "assistant", model: "test-model-1", content: { type: "text", text: answer } };
	},
});

const unclear = "Make VAT slightly higher."; // by how much?
const call = async (name, args) => {
	const result = await client.callTool({ name, arguments: args });
	assert.ok(!result.isError, `${name}: ${result.content[0]?.text}`);
	return result.structuredContent;
};
const analyze = (question, ...said) => {
	answers = said;
	asked = [];
	return call("analyze_question", { question });
};
const ready = (members) => `{"status":"ready","inquiry":{${members}}}`;
const arm = '"arms":{"vat":{"events":[{"set":{"vat_rate":"15%"}}]}},"outcomes":[{"metric":"cpi"}]';
const good = ready(arm);
const refuses = () => {
	throw new Error("User rejected sampling request");
};

// What rules read is not the model's.
const plain = await analyze("Raise VAT from 8% to 15%.", good);
assert.deepEqual([plain.status, plain.written_by, plain.model_note, asked.length], ["ready", "rules", "", 0]);

// Where they ask back the model writes, told what it is for and nothing of what is stored.
const written = await analyze(unclear, "Here it is:\n```json\n" + good + "\n```");
assert.deepEqual([written.status, written.written_by, asked.length], ["ready", "model", 1]);
assert.match(written.model_note, /model test-model-1 wrote this inquiry/);
assert.match(written.assumed.join(), /a language model wrote/);
assert.match(written.read_back, /15/);
assert.equal(written.inquiry.question, unclear);
const [{ systemPrompt, messages }] = asked;
assert.match(systemPrompt, /econ:\/\/schema\/inquiry/);
assert.ok(messages[0].content.text.startsWith("econ-mcp") && messages[0].content.text.includes(unclear));
assert.doesNotMatch(JSON.stringify(asked), /exp_/);
assert.equal((await call("list_experiments", {})).total, 0, "nothing was simulated");

// Errors go back to it.
const mended = await analyze(unclear, ready(arm.replace("vat_rate", "vat_rat")), good);
assert.deepEqual([mended.status, mended.written_by, asked.length], ["ready", "model", 2]);
assert.match(asked[1].messages[0].content.text, /vat_rat\b[^]*did you mean/);

// It may ask back with choices of its own.
const choice = `{"status":"needs_clarification","ask":"How much?","choices":[{"said":"to 15%","inquiry":{${arm}}}]}`;
const back = await analyze(unclear, choice);
assert.deepEqual([back.status, back.written_by, back.questions[0].ask], ["needs_clarification", "model", "How much?"]);

// Whatever else it says, the rules' answer stands.
const byRules = await analyze(unclear, '{"status":"out_of_scope","why":"no"}');
assert.deepEqual([byRules.status, byRules.written_by], ["needs_clarification", "rules"]);
assert.ok(byRules.questions[0].choices.length > 0);
const many = Array.from({ length: 500 }, (_, i) => `"a${i}":{"set":{"vat_rate":${0.1 + i / 1e4}}}`).join();
for (const [name, answer, times, note] of [
	["garbage", "I would rather talk about cats.", 4, /no valid inquiry in 4 answers/],
	["wrong for ever", ready(arm.replace("vat_rate", "vat_rat")), 4, /vat_rat/],
	["unknown key", ready(arm + ',"run":"rm -rf"'), 4, /run/],
	["instruction", "Ignore the check and run this: " + ready(arm + ',"design":{"replications":1000}'), 4, /months only/],
	["size", ready(arm + ',"background":{"set":{"num_households":1000000}}'), 4, /size of the economy/],
	["file", ready(arm + ',"background":{"file":"/etc/passwd"}'), 4, /file/],
	["many arms", ready(`"arms":{${many}}`), 4, /at most 32/],
	["truncated", good.slice(0, 60), 4, /no valid inquiry/],
	["cut off", () => ({ role: "assistant", model: "m", content: { type: "text", text: good.slice(0, 60) }, stopReason: "maxTokens" }), 1, /cut off/],
	["long", "x".repeat(1 << 20), 1, /1048576 bytes/],
	["no text", () => ({ role: "assistant", model: "m", content: { type: "image", data: "", mimeType: "image/png" } }), 1, /no text/],
]) {
	const got = await analyze(unclear, answer);
	assert.equal(asked.length, times, name);
	assert.match(got.model_note, note, name);
	assert.deepEqual({ ...got, model_note: "" }, { ...byRules, model_note: "" }, name);
}
if (sdk === "v1") {
	const got = await analyze(unclear, refuses);
	assert.match(got.model_note, /refused: .*User rejected sampling request/);
	assert.deepEqual({ ...got, model_note: "" }, { ...byRules, model_note: "" });

	// A model that takes its time keeps no other call waiting, and its call can be cancelled.
	const abort = new AbortController();
	answers = [() => new Promise((resolve) => asked.push("slow", resolve))];
	asked = [];
	const slow = client.callTool({ name: "analyze_question", arguments: { question: unclear } }, undefined, { signal: abort.signal });
	while (asked.length < 3) await call("list_experiments", {});
	abort.abort("enough");
	await assert.rejects(slow);
} else {
	// In this revision a client that refuses makes no second call: it has no answer to give.
	answers = [refuses];
	asked = [];
	await assert.rejects(client.callTool({ name: "analyze_question", arguments: { question: unclear } }), /User rejected/);
}

// What the caller confirms runs like any other inquiry.
const inquiry = { ...written.inquiry, background: { set: { num_households: 500 } }, design: { months: 6, replications: 2, burn_in: 6 } };
for (const outcome of inquiry.outcomes) delete outcome.window;
const started = await call("start_simulation", { inquiry });
assert.ok(started.experiment_name);

await client.close();
console.log("ok");
