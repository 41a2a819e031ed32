// Drives the laboratory itself: node laboratory.mjs SDK TRANSPORT TARGET…
// The exchange is the one at the end of the contract of the tools, word for word, in a
// small economy. It prints ok, or fails with what was not as expected.
import assert from "node:assert/strict";
import { connect } from "./connect.mjs";

const [sdk, transport, ...target] = process.argv.slice(2);
const heard = [];
const waiting = [];
const client = await connect({
	sdk,
	transport,
	target,
	onnotification: (n) => {
		heard.push(n);
		for (const w of waiting.splice(0)) w();
	},
});

// The client compiled the output schemas with this list, and checks results by them.
const { tools } = await client.listTools();
assert.equal(tools.length, 39);

const call = async (name, args = {}, options = {}) => {
	const result = await client.callTool({ name, arguments: args }, ...(sdk === "v1" ? [undefined] : []), options);
	assert.ok(!result.isError, `${name}: ${result.content[0]?.text}`);
	assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, name);
	return result.structuredContent;
};
const refused = async (name, args, code) => {
	const result = await client.callTool({ name, arguments: args });
	assert.equal(result.isError, true, name);
	assert.equal(result.structuredContent, undefined);
	const { error } = JSON.parse(result.content[0].text);
	assert.equal(error.code, code, JSON.stringify(error));
	return error;
};

const question = "How will AI agents reshape the labor market?";
const analysis = await call("analyze_question", { question });
assert.equal(analysis.question_type, "labor_productivity");
const generated = await call("generate_config_from_question", { question });
assert.ok(generated.success);
await call("batch_set_parameters", { parameters: analysis.recommended_parameters });
await call("batch_set_parameters", { parameters: { num_households: 1000, num_iterations: 24, burn_in_months: 24 } }); // the test has little time
const config = `ai-${sdk}-${transport}`;
const saved = await call("save_current_config_to_yaml", { config_name: config });
assert.ok(saved.success);
const loaded = await call("load_yaml_config", { config_name: config });
assert.ok(loaded.success);
assert.deepEqual(loaded.details, {}); // nothing differs from what was saved

// Hear of the experiment's resources while it runs.
const started = await call("start_simulation", {});
const name = started.experiment_name;
assert.match(name, /^exp_1000h_24m_\d{8}_\d{6}/);
let status;
do {
	status = await call("get_simulation_status", { wait_seconds: 5 }, { onprogress: () => {} });
} while (status.running);
assert.equal(status.run_status, "completed");
assert.equal(status.month, 24);
assert.ok(status.latest.unemployment_rate > 0);
await call("capture_experiment", { experiment_name: name, status: "completed" });
const result = await call("analyze_experiment", { experiment_name: name, include_innovation: false });
assert.ok(Object.keys(result.macro_metrics).length > 3);
assert.ok(Object.keys(result.micro_metrics).length > 3);
assert.equal(result.innovation_metrics, undefined);
const stored = await call("get_analysis_result", { experiment_name: name, part: "macro" });
assert.equal(stored.conclusion, result.conclusion);
assert.ok(stored.table.columns.includes("unit") && stored.table.rows.length > 3);

// A control with the same random draws, followed with progress, and news of its resources.
const twin = `twin-${sdk}-${transport}`;
const report = `econ://experiments/${twin}/report.md`;
if (sdk === "v2") await client.listen({ resourceSubscriptions: [report] });
else await client.subscribeResource({ uri: report });
await call("set_parameter", { parameter_name: "vat_rate", value: 0.2 });
const steps = [];
const both = await call(
	"start_simulation",
	{ experiment_name: twin, control: "baseline", replications: 3, wait_seconds: 60 },
	{ onprogress: (p) => steps.push(p.progress) },
);
assert.deepEqual(both.arms, ["control", "treatment"]);
assert.equal(both.run_status, "completed");
assert.ok(steps.every((s, i) => i === 0 || s >= steps[i - 1]), `progress ${steps}`);
while (!heard.some((n) => n.method === "notifications/resources/updated" && n.params.uri === report)) {
	await new Promise((resolve) => waiting.push(resolve));
}
const compared = await call("compare_experiments", { experiment_names: [twin], detail: "full" });
assert.ok(compared.rows.every((r) => r.paired && r.n === 3));
for (const suffix of ["report.md", "timeseries.csv", "scenario.yaml", "summary.json"]) {
	const { contents } = await client.readResource({ uri: `econ://experiments/${twin}/${suffix}` });
	assert.ok(contents[0].text.length > 200, suffix);
}
assert.match((await client.readResource({ uri: "econ://model" })).contents[0].text, /# /);
assert.match((await client.readResource({ uri: "econ://parameters" })).contents[0].text, /vat_rate/);
const complete = await client.complete({ ref: { type: "ref/resource", uri: "econ://experiments/{name}/report.md" }, argument: { name: "name", value: "twin" } });
assert.ok(complete.completion.values.includes(twin));
for (const prompt of ["policy_experiment", "compare_policies", "explain_result"]) {
	assert.ok((await client.listPrompts()).prompts.some((p) => p.name === prompt), prompt);
}

// Played month by month, with an intervention.
await call("start_simulation", { experiment_name: `played-${sdk}-${transport}`, pause_at_month: 2, wait_seconds: 60 });
const planned = await call("inject_intervention", {
	intervention_type: "policy", target_month: 4, parameters: { policy: "job_guarantee", level: 0.5 },
});
assert.equal(planned.status, "pending");
await refused("inject_intervention", { intervention_type: "parameter_change", target_month: 1, parameters: { vat_rate: 0.1 } }, "invalid_state");
await call("resume_simulation", { pause_at_month: 5 });
do {
	status = await call("get_simulation_status", { wait_seconds: 5 });
} while (status.running);
assert.equal(status.month, 5);
const list = await call("list_pending_interventions", { include_done: true });
assert.equal(list.interventions[0].status, "executed");
assert.ok((await call("get_economic_indicators", { indicators: ["job_guarantee_employment"] })).indicators.job_guarantee_employment.value > 0);
await call("stop_simulation", {});

// Errors name the next move.
assert.match((await refused("get_parameter", { parameter_name: "income_tax" }, "unknown_parameter")).hint, /income_tax_rate/);
await refused("set_parameter", { parameter_name: "vat_rate", value: 7 }, "out_of_range");
await refused("get_experiment_summary", { experiment_name: "nothing" }, "not_found");
await refused("save_preset", { name: "../x" }, "wrong_type");

await client.close();
console.log("ok");
