package toolstest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

const (
	u = fault.UnknownParameter
	r = fault.OutOfRange
	w = fault.WrongType
	n = fault.NotFound
	m = fault.Required
	c = fault.Conflict
	l = fault.LimitExceeded
	s = fault.InvalidState
)

var (
	mega  = strings.Repeat("x", 1<<20)
	deep  = strings.Repeat(`{"a":`, 50_000) + "1" + strings.Repeat("}", 50_000)
	quote = `"` + mega + `"`
)

type wrongCall struct {
	arguments string
	kind      fault.Kind
	field     string
}

// names are wrong names of experiments, presets and configs.
func names(member, rest string) (list []wrongCall) {
	for _, name := range []string{`"../x"`, `""`, `".."`, `"/etc/passwd"`, `"a/b"`, `"a\u0000b"`, `" a"`, `"` + strings.Repeat("x", 10_000) +
		`"`, quote, "7", "null", "true", `["a"]`, `{"a":1}`} {
		list = append(list, wrongCall{`{"` + member + `":` + name + rest + `}`, w, member})
	}
	return list
}

// wrongCalls are wrong in what they say, or come at the wrong time. These experiments are
// there: done (control and treatment, completed, captured, analysed), single (one arm,
// completed), late (control and treatment, paused in month 6 of 12).
var wrongCalls = map[string][]wrongCall{
	"pause_simulation": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"experiment_name":"don"}`, n, "experiment_name"},
		{`{"experiment_name":"done"}`, s, "experiment_name"},
		{`{"name":"done","experiment_name":"done"}`, fault.Conflict, "name"},
		{deep, w, "arguments"},
		{`[]`, w, "arguments"},
		{`{} {}`, w, "arguments"},
		{`{"experiment_name":`, w, "arguments"},
	}...),
	"resume_simulation": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"done"}`, s, "experiment_name"},
		{`{"experiment_name":"done","pause_at_month":3}`, s, "experiment_name"},
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"experiment_name":"late","pause_at_month":0}`, r, "pause_at_month"},
		{`{"experiment_name":"late","pause_at_month":6}`, s, "pause_at_month"},
		{`{"experiment_name":"late","pause_at_month":2}`, s, "pause_at_month"},
		{`{"experiment_name":"late","pause_at_month":13}`, r, "pause_at_month"},
		{`{"experiment_name":"late","pause_at_month":1e300}`, r, "pause_at_month"},
		{`{"experiment_name":"late","pause_at_month":7.5}`, w, "pause_at_month"},
		{`{"experiment_name":"late","pause_at_month":"NaN"}`, w, "pause_at_month"},
		{`{"experiment_name":"late","pause_at_month":"Infinity"}`, w, "pause_at_month"},
		{`{"experiment_name":"late","pause_at_month":null}`, w, "pause_at_month"},
	}...),
	"inject_intervention": append(names("experiment_name",
		`,"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1}`), []wrongCall{
		{`{}`, m, "intervention_type"},
		{`{"intervention_type":"parameter_change","parameters":{"vat_rate":0.1}}`, m, "target_month"},
		{`{"intervention_type":"parameter_change","target_month":8}`, m, "parameters"},
		{`{"intervention_type":"tax","target_month":8,"parameters":{"vat_rate":0.1}}`, r, "intervention_type"},
		{`{"intervention_type":"policies","target_month":8,"parameters":{"vat_rate":0.1}}`, r, "intervention_type"},
		{`{"intervention_type":"parameter_change","target_month":0,"parameters":{"vat_rate":0.1}}`, r, "target_month"},
		{`{"intervention_type":"parameter_change","target_month":-1,"parameters":{"vat_rate":0.1}}`, r, "target_month"},
		{`{"intervention_type":"parameter_change","target_month":"8","parameters":{"vat_rate":0.1}}`, w, "target_month"},
		{`{"intervention_type":"parameter_change","target_month":1e9,"parameters":{"vat_rate":0.1}}`, r, "target_month"},
		{`{"intervention_type":"parameter_change","target_month":6,"parameters":{"vat_rate":0.1}}`, s, "target_month"},
		{`{"intervention_type":"parameter_change","target_month":1,"parameters":{"vat_rate":0.1}}`, s, "target_month"},
		{`{"intervention_type":"parameter_change","target_month":13,"parameters":{"vat_rate":0.1}}`, r, "target_month"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{}}`, w, "parameters"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat":0.1}}`, u, "vat"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":7}}`, r, "vat_rate"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":"NaN"}}`, r, "vat_rate"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":"-Infinity"}}`, r, "vat_rate"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":true}}`, w, "vat_rate"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":[0.1]}}`, w, "parameters.vat_rate"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"num_households":1000}}`, c, "num_households"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":` + deep + `}`, w, "arguments"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1,"policy":"austerity"}}`, c, "intervention_type"},
		{`{"intervention_type":"policy","target_month":8,"parameters":{"vat_rate":0.1}}`, m, "parameters.policy"},
		{`{"intervention_type":"policy","target_month":8,"parameters":{"policy":"austerity"}}`, m, "parameters.level"},
		{`{"intervention_type":"policy","target_month":8,"parameters":{"policy":"austeriti","level":0.1}}`, r, "parameters.policy"},
		{`{"intervention_type":"policy","target_month":8,"parameters":{"policy":"austerity","level":1e6}}`, r, "level"},
		{`{"intervention_type":"policy","target_month":8,"parameters":{"policy":"austerity","level":"NaN"}}`, w, "parameters.level"},
		{`{"intervention_type":"policy","target_month":8,"parameters":{"policy":"austerity","level":1e999}}`, r, "parameters.level"},
		{`{"intervention_type":"shock","target_month":8,"parameters":{"shock":"productivity"}}`, m, "parameters.size"},
		{`{"intervention_type":"shock","target_month":8,"parameters":{"shock":"earthquake","size":0.1}}`, r, "parameters.shock"},
		{`{"intervention_type":"shock","target_month":8,"parameters":{"shock":"productivity","size":0.1,"persistence":1.5}}`, r, "persistence"},
		{`{"intervention_type":"shock","target_month":8,"parameters":{"shock":"productivity","size":0.1,"industry":"01"}}`, c, "industry"},
		{`{"intervention_type":"injection","target_month":8,"parameters":{"group":"all"}}`, m, "parameters.amount"},
		{`{"intervention_type":"injection","target_month":8,"parameters":{"group":"everyone","amount":5}}`, r, "group"},
		{`{"intervention_type":"injection","target_month":8,"parameters":{"group":"all","amount":0}}`, r, "amount"},
		{`{"intervention_type":"injection","target_month":8,"parameters":{"group":"all","amount":-5}}`, r, "amount"},
		{`{"intervention_type":"injection","target_month":8,"parameters":{"group":` + quote + `,"amount":5}}`, r, "parameters.group"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"duration_months":0}`, r, "duration_months"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"ramp_months":3,"duration_months":2}`, c,
			"ramp_months"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"when":"unemployment > 0.1"}`, n, "when"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"when":"unemployment_rate >"}`, w, "when"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"when":"len(\"x\") > 0"}`, w, "when"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"when":` + quote + `}`, r, "when"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"when":"` + strings.Repeat("(", 400) + `"}`, w,
			"when"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"description":` + quote + `}`, r, "description"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"arm":"third"}`, n, "arm"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"arm":` + quote + `}`, r, "arm"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"experiment_name":"done"}`, s,
			"experiment_name"},
		{`{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat_rate":0.1},"experiment_name":"lost"}`, n,
			"experiment_name"},
	}...),
	"list_pending_interventions": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"include_done":"yes"}`, w, "include_done"},
		{`{"include_done":1}`, w, "include_done"},
		{`{"done":true}`, u, "done"},
		{`{"limit":0}`, r, "limit"},
		{`{"cursor":"x"}`, w, "cursor"},
	}...),
	"cancel_intervention": {
		{`{}`, m, "intervention_id"},
		{`{"intervention_id":""}`, r, "intervention_id"},
		{`{"intervention_id":7}`, w, "intervention_id"},
		{`{"intervention_id":` + quote + `}`, r, "intervention_id"},
		{`{"intervention_id":"x"}`, n, "intervention_id"},
		{`{"intervention_id":"../../x"}`, n, "intervention_id"},
		{`{"intervention_id":"planned/99"}`, n, "intervention_id"},
		{`{"intervention_id":"planned/"}`, n, "intervention_id"},
		{`{"intervention_id":"lost/treatment/1"}`, n, "intervention_id"},
		{`{"intervention_id":"late/treatment/99"}`, n, "intervention_id"},
		{`{"intervention_id":"late/third/1"}`, n, "intervention_id"},
		{`{"intervention_id":"late/treatment/-1"}`, n, "intervention_id"},
		{`{"intervention_id":"late/treatment/1"}`, s, "intervention_id"}, // executed
		{`{"intervention_id":"late/treatment/2"}`, s, "intervention_id"}, // cancelled
		{`{"intervention_id":"done/treatment/1"}`, s, "intervention_id"},
	},
	"start_simulation": append(append(names("experiment_name", ""), names("control", "")...), []wrongCall{
		{`{"experiment_name":"done"}`, c, "experiment_name"},
		{`{"experiment_name":"Done"}`, c, "experiment_name"}, // which no system could keep beside done as a folder
		{`{"experiment_name":"aux"}`, w, "experiment_name"},
		{`{"experiment_name":"done."}`, w, "experiment_name"},
		{`{"replications":0}`, r, "replications"},
		{`{"replications":1001}`, r, "replications"},
		{`{"replications":2.5}`, w, "replications"},
		{`{"replications":"20"}`, w, "replications"},
		{`{"replications":-1}`, r, "replications"}, // which stands for auto where no client sees it
		{`{"replications":"auto","plan":{"half_width":0}}`, r, "plan.half_width"},
		{`{"replications":"auto","plan":{"half_width":1}}`, r, "plan.half_width"}, // as wide as the effect: a test of it
		{`{"replications":"auto","plan":{"max_replications":1}}`, r, "plan.max_replications"},
		{`{"replications":5,"plan":{"half_width":0.1}}`, fault.Conflict, "plan.half_width"},
		{`{"replications":"NaN"}`, w, "replications"},
		{`{"replications":null}`, w, "replications"},
		{`{"months":0}`, r, "months"},
		{`{"months":6001}`, r, "months"},
		{`{"months":"Infinity"}`, w, "months"},
		{`{"months":3}`, r, "target_month"}, // something is planned for month 9
		{`{"seed":-1}`, r, "seed"},
		{`{"seed":1.5}`, w, "seed"},
		{`{"seed":9007199254740992}`, r, "seed"},
		{`{"seed":1e300}`, r, "seed"},
		{`{"question":` + quote + `}`, r, "question"},
		{`{"question":["why"]}`, w, "question"},
		{`{"control":"lost"}`, n, "control"},
		{`{"control":"baselin"}`, n, "control"},
		{`{"control":"broken"}`, r, "vat_rate"},
		{`{"pause_at_month":0}`, r, "pause_at_month"},
		{`{"pause_at_month":13}`, r, "pause_at_month"},
		{`{"wait_seconds":-1}`, r, "wait_seconds"},
		{`{"wait_seconds":61}`, r, "wait_seconds"},
		{`{"wait_seconds":"NaN"}`, w, "wait_seconds"},
		{`{"plan":7}`, w, "plan"},
		{`{"plan":{"outcome":["cpi"]}}`, u, "plan.outcome"},
		{`{"plan":{"outcomes":["gdp"]}}`, n, "plan.outcomes"},
		{`{"plan":{"outcomes":"cpi"}}`, w, "plan.outcomes"},
		{`{"plan":{"outcomes":[` + quote + `]}}`, n, "plan.outcomes"},
		{`{"plan":{"window":[3]}}`, r, "plan.window"},
		{`{"plan":{"window":[0,3]}}`, r, "plan.window"},
		{`{"plan":{"window":[9,3]}}`, r, "plan.window"},
		{`{"plan":{"window":[1,13]}}`, r, "plan.window"},
		{`{"plan":{"window":[1,2,3]}}`, r, "plan.window"},
		{`{"plan":{"smallest_effect":"NaN"}}`, w, "plan.smallest_effect"},
		{`{"plan":{"smallest_effect":-1}}`, r, "plan.smallest_effect"},
		{`{"plan":{"smallest_effect":0,"outcomes":["cpi"]}}`, r, "plan.smallest_effect"},
		{`{"plan":{"smallest_effect":1}}`, s, "plan.smallest_effect"}, // of which outcome?
		{`{"plan":{"family":` + quote + `}}`, r, "plan.family"},
		{`{"plan":{"family":"bayes"}}`, r, "plan.family"},
		{`{"plan":{"direction":"up","outcomes":["cpi"]}}`, r, "plan.direction"},
		{`{"plan":{"direction":"higher"}}`, s, "plan.direction"},
		{`{"plan":` + deep + `}`, w, "arguments"},
		{`{"experiments":"x"}`, u, "experiments"},
		{`{"inquiry":"x"}`, w, "inquiry"},
		{`{"inquiry":{"arm":{}}}`, u, "inquiry.arm"},
		{`{"inquiry":{"arms":{"a":{}}}}`, c, "inquiry.arms"},
		{`{"inquiry":{"arms":{"a":{"events":[{"set":{"vat_rat":0.1}}]}}}}`, u, "inquiry.vat_rat"},
		{`{"inquiry":{"arms":{"a":{"events":[{"set":{"vat_rate":"90%"}}]}}}}`, r, "inquiry.vat_rate"},
		{`{"inquiry":{"arms":{"a":{"preset":"lost"}}}}`, n, "inquiry.arms.a"},
		{`{"inquiry":{"arms":{"a":{"set":{"vat_rate":"8%"}}}}}`, c, "inquiry.arms.a"},
		{`{"inquiry":{"outcomes":[{"metric":"gdp"}]}}`, n, "inquiry.metric"},
		{`{"inquiry":{"arms":{"a":{"set":{"vat_rate":0.1}}}},"control":"baseline"}`, c, "control"},
		{`{"inquiry":{"arms":{"a":{"set":{"vat_rate":0.1}}}},"seed":3}`, c, "seed"},
		{`{"inquiry":{"arms":{"a":{"set":{"vat_rate":0.1}}}},"replications":3}`, c, "replications"},
	}...),
	"get_simulation_status": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"wait_seconds":1e9}`, r, "wait_seconds"},
		{`{"wait_seconds":"soon"}`, w, "wait_seconds"},
		{`{"wait":1}`, u, "wait"},
	}...),
	"stop_simulation": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"done"}`, s, "experiment_name"},
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"month":3}`, u, "month"},
	}...),
	"get_economic_indicators": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"month":0}`, r, "month"},
		{`{"month":7}`, r, "month"},
		{`{"month":"NaN"}`, w, "month"},
		{`{"month":1.5}`, w, "month"},
		{`{"arm":"main"}`, n, "arm"},
		{`{"arm":["control"]}`, w, "arm"},
		{`{"replication":0}`, r, "replication"},
		{`{"replication":3}`, r, "replication"},
		{`{"indicators":["unemployment"]}`, n, "indicators"},
		{`{"indicators":"cpi"}`, w, "indicators"},
		{`{"indicators":[7]}`, w, "indicators[0]"},
		{`{"indicators":[` + quote + `]}`, n, "indicators"},
		{`{"indicators":[` + strings.Repeat(`"cpi",`, 200) + `"cpi"]}`, r, "indicators"},
	}...),
	"get_all_economic_indicators": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"from_month":0}`, r, "from_month"},
		{`{"from_month":7}`, r, "from_month"},
		{`{"from_month":5,"to_month":3}`, r, "from_month"},
		{`{"to_month":-1}`, r, "to_month"},
		{`{"to_month":13}`, r, "to_month"},
		{`{"every":0}`, r, "every"},
		{`{"every":"Infinity"}`, w, "every"},
		{`{"every":1e10}`, r, "every"},
		{`{"arm":"controll"}`, n, "arm"},
		{`{"indicators":["inflations"]}`, n, "indicators"},
	}...),
	"get_household_summary": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"month":99}`, r, "month"},
		{`{"by":"deciles"}`, r, "by"},
		{`{"by":` + quote + `}`, r, "by"},
		{`{"by":7}`, w, "by"},
		{`{"arm":"x"}`, n, "arm"},
	}...),
	"get_firm_summary": append(names("experiment_name", ""), []wrongCall{
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"month":99}`, r, "month"},
		{`{"by":"sector"}`, r, "by"},
		{`{"by":["size"]}`, w, "by"},
		{`{"arm":"x"}`, n, "arm"},
	}...),
	"list_history_experiments": {
		{`{"limit":0}`, r, "limit"},
		{`{"limit":201}`, r, "limit"},
		{`{"limit":"many"}`, w, "limit"},
		{`{"cursor":"x"}`, w, "cursor"},
		{`{"cursor":` + quote + `}`, r, "cursor"},
		{`{"cursor":"1e5"}`, w, "cursor"},
		{`{"status":"finished"}`, r, "status"},
		{`{"search":` + quote + `}`, r, "search"},
		{`{"search":7}`, w, "search"},
	},
	"generate_experiment_report": append(names("experiment_name", ""), []wrongCall{
		{`{}`, m, "experiment_name"},
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"experiment_name":"done","format":"pdf"}`, r, "format"},
		{`{"experiment_name":"done","language":"de"}`, r, "language"},
	}...),
	"get_experiment_summary": append(names("experiment_name", ""), []wrongCall{
		{`{}`, m, "experiment_name"},
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
	}...),
	"get_experiment_timeseries": append(names("experiment_name", `,"metric":"cpi"`), []wrongCall{
		{`{"experiment_name":"done"}`, m, "metric"},
		{`{"experiment_name":"lost","metric":"cpi"}`, n, "experiment_name"},
		{`{"experiment_name":"done","metric":"unemployment"}`, n, "metric"},
		{`{"experiment_name":"done","metric":` + quote + `}`, r, "metric"},
		{`{"experiment_name":"done","metric":"cpi","aggregate":"median"}`, r, "aggregate"},
		{`{"experiment_name":"done","metric":"cpi","arm":"main"}`, n, "arm"},
		{`{"experiment_name":"done","metric":"cpi","from_month":13}`, r, "from_month"},
		{`{"experiment_name":"done","metric":"cpi","to_month":13}`, r, "to_month"},
	}...),
	"compare_experiments": {
		{`{}`, m, "experiment_names"},
		{`{"experiment_names":[]}`, r, "experiment_names"},
		{`{"experiment_names":"done"}`, w, "experiment_names"},
		{`{"experiment_names":["../x","done"]}`, w, "experiment_names[0]"},
		{`{"experiment_names":["a","b","c","d","e","f","g","h","i"]}`, r, "experiment_names"},
		{`{"experiment_names":["done","done"]}`, c, "experiment_names"},
		{`{"experiment_names":["single"]}`, s, "experiment_names"},
		{`{"experiment_names":["done","lost"]}`, n, "experiment_names"},
		{`{"experiment_names":["done"],"metrics":["gdp"]}`, n, "metrics"},
		{`{"experiment_names":["done"],"format":"html"}`, r, "format"},
		{`{"experiment_names":["done"],"window":[3]}`, r, "window"},
		{`{"experiment_names":["done"],"window":[0,0]}`, r, "window"},
		{`{"experiment_names":["done"],"window":[-3,5]}`, r, "window"},
		{`{"experiment_names":["done"],"window":[5,3]}`, r, "window"},
		{`{"experiment_names":["done"],"window":[5,0]}`, r, "window"},
		{`{"experiment_names":["done"],"window":[5,13]}`, r, "window"},
		{`{"experiment_names":["done"],"window":["NaN",5]}`, w, "window[0]"},
		{`{"experiment_names":["done"],"window":[1.5,5]}`, w, "window[0]"},
		{`{"experiment_names":["done"],"confidence":1}`, r, "confidence"},
		{`{"experiment_names":["done"],"confidence":"NaN"}`, w, "confidence"},
		{`{"experiment_names":["done"],"confidence":95}`, r, "confidence"},
		{`{"experiment_names":["done"],"test":"bayes"}`, r, "test"},
		{`{"experiment_names":["done"],"adjustment":"none"}`, r, "adjustment"},
	},
	"get_monthly_statistics": append(names("experiment_name", `,"stat_type":"labor"`), []wrongCall{
		{`{"experiment_name":"done"}`, m, "stat_type"},
		{`{"experiment_name":"done","stat_type":"labour"}`, r, "stat_type"},
		{`{"experiment_name":"lost","stat_type":"labor"}`, n, "experiment_name"},
		{`{"experiment_name":"done","stat_type":"labor","arm":"x"}`, n, "arm"},
		{`{"experiment_name":"done","stat_type":"labor","from_month":13}`, r, "from_month"},
		{`{"experiment_name":"done","stat_type":"labor","to_month":99}`, r, "to_month"},
		{`{"experiment_name":"done","stat_type":"labor","every":-1}`, r, "every"},
	}...),
	"capture_experiment": append(names("experiment_name", ""), []wrongCall{
		{`{}`, m, "experiment_name"},
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"experiment_name":"done","status":"finished"}`, r, "status"},
		{`{"experiment_name":"done","question":` + quote + `}`, r, "question"},
		{`{"experiment_name":"done","hypothesis":` + quote + `}`, r, "hypothesis"},
		{`{"experiment_name":"done","expected_outcome":` + quote + `}`, r, "expected_outcome"},
		{`{"experiment_name":"done","notes":` + quote + `}`, r, "notes"},
		{`{"experiment_name":"done","tags":"a"}`, w, "tags"},
		{`{"experiment_name":"done","tags":[7]}`, w, "tags[0]"},
		{`{"experiment_name":"done","tags":[""]}`, w, "tags[0]"},
		{`{"experiment_name":"done","tags":[` + quote + `]}`, w, "tags[0]"},
		{`{"experiment_name":"done","tags":[` + strings.Repeat(`"a",`, 50) + `"b"]}`, r, "tags"},
	}...),
	"update_experiment_status": append(names("experiment_name", `,"status":"archived"`), []wrongCall{
		{`{"experiment_name":"done"}`, m, "status"},
		{`{"experiment_name":"done","status":"gone"}`, r, "status"},
		{`{"experiment_name":"lost","status":"archived"}`, n, "experiment_name"},
		{`{"experiment_name":"single","status":"archived"}`, s, "experiment_name"},
	}...),
	"analyze_experiment": append(names("experiment_name", ""), []wrongCall{
		{`{}`, m, "experiment_name"},
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"experiment_name":"done","include_innovation":"no"}`, w, "include_innovation"},
		{`{"experiment_name":"done","innovation_types":["patent"]}`, r, "innovation_types[0]"},
		{`{"experiment_name":"done","innovation_types":[` + strings.Repeat(`"price",`, 100) + `"price"]}`, r, "innovation_types"},
		{`{"experiment_name":"done","window":[1]}`, r, "window"},
		{`{"experiment_name":"done","window":[0,0]}`, r, "window"},
		{`{"experiment_name":"done","window":[2,13]}`, r, "window"},
		{`{"experiment_name":"done","confidence":0}`, r, "confidence"},
		{`{"experiment_name":"done","confidence":"Infinity"}`, w, "confidence"},
	}...),
	"list_experiments": {
		{`{"limit":1000}`, r, "limit"},
		{`{"cursor":"abc"}`, w, "cursor"},
		{`{"status":"done"}`, r, "status"},
		{`{"tag":` + quote + `}`, r, "tag"},
		{`{"search":"x"}`, u, "search"},
	},
	"get_analysis_result": append(names("experiment_name", ""), []wrongCall{
		{`{}`, m, "experiment_name"},
		{`{"experiment_name":"lost"}`, n, "experiment_name"},
		{`{"experiment_name":"single"}`, s, "experiment_name"},
		{`{"experiment_name":"done","version":0}`, r, "version"},
		{`{"experiment_name":"done","version":2}`, n, "version"},
		{`{"experiment_name":"done","version":"last"}`, w, "version"},
	}...),
}

// Wrong calls have their codes, name the field, say the next move, and change nothing:
// no row of the database, no file, no workspace, no run.
func TestWrongCalls(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.12}`)
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":3,"parameters":{"income_tax_rate":0.3}}`)
	d.Run("done", `"control":"baseline","replications":2`)
	d.Run("single", "")
	d.Call("capture_experiment", `{"experiment_name":"done","question":"why?"}`)
	d.Call("analyze_experiment", `{"experiment_name":"done"}`)
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":3,"parameters":{"income_tax_rate":0.3}}`)
	d.Call("start_simulation", `{"experiment_name":"late","control":"baseline","replications":2,"pause_at_month":6}`)
	d.Wait("late", "paused")
	d.Call("cancel_intervention", `{"intervention_id":"`+d.Call("inject_intervention",
		`{"intervention_type":"parameter_change","target_month":9,"parameters":{"vat_rate":0.2}}`).Text("intervention_id")+`"}`)
	d.Call("inject_intervention", `{"intervention_type":"policy","target_month":10,"parameters":{"policy":"minimum_wage","level":0.5}}`)
	d.PlanAhead(9)
	d.Write("configs/broken.yaml", "parameters: {vat_rate: 7}\n")

	if len(d.Tools()) != 39 {
		t.Errorf("%d tools", len(d.Tools()))
	}
	before := d.State()
	for _, tool := range d.Tools() {
		list, ok := wrongCalls[tool.Name]
		switch tool.Category {
		case tools.Parameters, tools.YAMLConfigs, tools.Automation: // have a table of their own
		default:
			if !ok {
				t.Errorf("%s: no wrong calls", tool.Name)
			}
		}
		for _, call := range list {
			d.Refused(tool.Name, call.arguments, call.kind, call.field)
			if after := d.State(); !maps.Equal(before, after) {
				for key := range after {
					if before[key] != after[key] {
						t.Errorf("%s %.150s changed %s", tool.Name, call.arguments, key)
					}
				}
				before = after
			}
		}
	}
}

// Names that are nearly right are offered.
func TestNearestNames(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Run("vat_up", `"control":"us_like"`)
	for _, c := range []struct {
		tool, arguments string
		kind            fault.Kind
		field, offered  string
	}{
		{"get_simulation_status", `{"experiment_name":"vat_upp"}`, n, "experiment_name", "vat_up"},
		{"start_simulation", `{"control":"austeriti"}`, n, "control", "austerity"},
		{"start_simulation", `{"plan":{"outcomes":["unemployment"]}}`, n, "plan.outcomes", "unemployment_rate"},
		{"get_economic_indicators", `{"arm":"treatmnt"}`, n, "arm", "treatment"},
		{"get_economic_indicators", `{"indicators":["unemployment"]}`, n, "indicators", "unemployment_rate"},
		{"get_experiment_timeseries", `{"experiment_name":"vat_up","metric":"real_gpd"}`, n, "metric", "real_gdp"},
		{"compare_experiments", `{"experiment_names":["vat_up","vat_dn"]}`, n, "experiment_names", "vat_up"},
		{"compare_experiments", `{"experiment_names":["vat_up"],"metrics":["gini"]}`, n, "metrics", "income_gini"},
		{"get_monthly_statistics", `{"experiment_name":"vat_up","stat_type":"labour"}`, r, "stat_type", "labor"},
		{"get_household_summary", `{"by":"incom_decile"}`, r, "by", "income_decile"},
		{"inject_intervention", `{"intervention_type":"policy","target_month":8,"parameters":{"policy":"basic_income","level":0.1}}`, r,
			"parameters.policy", "universal_basic_income"},
		{"inject_intervention", `{"intervention_type":"shock","target_month":8,"parameters":{"shock":"oil","size":0.1}}`, r, "parameters.shock",
			"import_price"},
		{"inject_intervention", `{"intervention_type":"parameter_change","target_month":8,"parameters":{"vat":0.1}}`, u, "vat", "vat_rate"},
		{"inject_intervention", `{"intervention_type":"injection","target_month":8,"parameters":{"group":"poorest","amount":1}}`, r, "group",
			"bottom_decile"},
		{"start_simulation", `{"experiment":"x"}`, u, "experiment", "experiment_name"},
		{"cancel_intervention", `{"intervention_id":"planned/7"}`, n, "intervention_id", "planned/1"},
	} {
		if c.tool == "cancel_intervention" {
			d.PlanAhead(9)
		}
		if e := d.Refused(c.tool, c.arguments, c.kind, c.field); !slices.Contains(e.Allowed, c.offered) {
			t.Errorf("%s %s: %v offers %q, want %q", c.tool, c.arguments, e, e.Allowed, c.offered)
		}
	}
}

// Tools that mean the experiment of the workspace say so where there is none.
func TestNothingStarted(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	before := d.State()
	for _, tool := range []string{"pause_simulation", "resume_simulation", "get_simulation_status", "stop_simulation",
		"get_economic_indicators", "get_all_economic_indicators", "get_household_summary", "get_firm_summary"} {
		if e := d.Refused(tool, `{}`, s, "experiment_name"); !strings.Contains(e.Hint, "start_simulation") {
			t.Errorf("%s: %v", tool, e)
		}
	}
	d.Call("list_pending_interventions", `{}`).Want(map[string]any{"count": 0.0})
	d.Call("list_history_experiments", `{}`).Want(map[string]any{"total": 0.0})
	d.Call("list_experiments", `{}`).Want(map[string]any{"total": 0.0})
	if !maps.Equal(before, d.State()) {
		t.Error("something changed")
	}
}
