package history_test

import (
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

// controlled runs an experiment with a control.
func controlled(d *toolstest.Harness, name, arguments string) {
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.2}`)
	d.Run(name, `"control":"baseline",`+arguments)
}

func TestListHistory(t *testing.T) {
	zone := time.FixedZone("", 8*3600)
	d := toolstest.New(t, toolstest.Settings{Now: func() time.Time { return time.Date(2026, 3, 1, 4, 30, 0, 5e8, zone) }})
	controlled(d, "first", `"question":"Does 100%_ help?","replications":2`)
	d.Run("second", "")
	d.Call("start_simulation", `{"experiment_name":"third","pause_at_month":3}`)
	d.Wait("third", "paused")
	d.Call("capture_experiment", `{"experiment_name":"second","hypothesis":"Wages rise."}`)
	d.Call("analyze_experiment", `{"experiment_name":"second"}`)
	a := d.Call("list_history_experiments", `{}`).Want(map[string]any{
		"total": 3.0, "next_cursor": "",
		"experiments.0.experiment_name": "third", "experiments.0.run_status": "paused", "experiments.0.month": 3.0, "experiments.0.status": "",
		"experiments.1.status": "completed", "experiments.1.has_analysis": true, "experiments.1.has_report": true,
		"experiments.1.arms": []any{"main"},
		"experiments.2.arms": []any{"control", "treatment"}, "experiments.2.replications": 2.0, "experiments.2.question": "Does 100%_ help?",
		"experiments.2.created_time": "2026-02-28T20:30:00Z", "experiments.2.households": 500.0, "experiments.2.total_months": 12.0,
	})
	if len(a.List("experiments")) != 3 {
		t.Errorf("%v", a.At("experiments"))
	}
	for search, want := range map[string]float64{"first": 1, "HELP does": 1, "100%_": 1, "_": 1, "wages": 1, "nothing": 0, "d": 3, "ird": 1,
		"": 3} {
		d.Call("list_history_experiments", fmt.Sprintf(`{"search":%q}`, search)).Want(map[string]any{"total": want})
	}
	d.Call("list_history_experiments", `{"status":"completed"}`).Want(map[string]any{"total": 2.0})
	cursor := ""
	for _, want := range []string{"third", "second", "first"} {
		a := d.Call("list_history_experiments", fmt.Sprintf(`{"limit":1,"cursor":%q}`, cursor)).Want(map[string]any{"total": 3.0,
			"experiments.0.experiment_name": want})
		cursor = a.Text("next_cursor")
	}
	if cursor != "" {
		t.Errorf("another page at %q", cursor)
	}
}

// Two hundred experiments with long names, questions and tags come page by page, each
// within an answer, none of them left out.
func TestLongLists(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	yaml := []byte("parameters: {}\n")
	for k := range 230 {
		j, err := d.Store.Create(context.Background(), store.Experiment{
			Name: fmt.Sprintf("%s%03d", strings.Repeat("n", 97), k), Question: strings.Repeat("<", 4000), Months: 12, Households: 500,
			Arms: []store.Arm{{Name: "control", Scenario: yaml}, {Name: "treatment", Scenario: yaml}},
		}, []uint64{1}, false)
		if err != nil {
			t.Fatal(err)
		}
		name := j.Name()
		if err := j.State("failed", 0, "made for the list"); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if k%5 == 0 {
			var tags []string
			for n := range 50 {
				tags = append(tags, fmt.Sprintf("%d%s", n, strings.Repeat("<", 98)))
			}
			if _, err := d.Store.UpdateCapture(context.Background(), name, func(c *store.Capture) {
				*c = store.Capture{Status: "failed", Question: strings.Repeat("<", 4000), Tags: tags}
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for tool, want := range map[string]int{"list_history_experiments": 230, "list_experiments": 46} {
		seen := map[string]bool{}
		for cursor, page := "", 0; page == 0 || cursor != ""; page++ {
			a := d.Call(tool, fmt.Sprintf(`{"limit":200,"cursor":%q}`, cursor)).Want(map[string]any{"total": float64(want)})
			for k := range a.List("experiments") {
				seen[a.Text(fmt.Sprintf("experiments.%d.experiment_name", k))] = true
			}
			if cursor = a.Text("next_cursor"); page > want {
				t.Fatal("no end")
			}
		}
		if len(seen) != want {
			t.Errorf("%s: %d of %d", tool, len(seen), want)
		}
	}
}

func TestCompareArms(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	controlled(d, "x", `"replications":4`)
	a := d.Call("compare_experiments", `{"experiment_names":["x"],"metrics":["cpi","real_gdp","cpi"],"window":[3,10],"detail":"full",`+
		`"confidence":0.9}`).Want(map[string]any{
		"control": "control", "from_month": 3.0, "to_month": 10.0, "confidence": .9, "text": "",
		"rows.0.metric": "cpi", "rows.0.arm": "treatment", "rows.0.paired": true, "rows.0.n": 4.0, "rows.0.verdict": "supported",
		"rows.1.metric": "real_gdp", "rows.2": nil,
	})
	// The row is the mean of what the series say.
	mean := func(arm string) float64 {
		s := d.Call("get_experiment_timeseries", `{"experiment_name":"x","metric":"cpi","from_month":3,"to_month":10,"arm":"`+arm+`"}`)
		sum := 0.0
		for m := range 8 {
			sum += s.Number(fmt.Sprintf("data.%d", m))
		}
		return sum / 8
	}
	for _, c := range []struct{ got, want float64 }{
		{a.Number("rows.0.control"), mean("control")}, {a.Number("rows.0.treatment"), mean("treatment")},
		{a.Number("rows.0.difference"), mean("treatment") - mean("control")},
		{a.Number("rows.0.percent"), 100 * (mean("treatment") - mean("control")) / mean("control")},
	} {
		if math.Abs(c.got-c.want) > 1e-9*math.Abs(c.want) {
			t.Errorf("%g, want %g", c.got, c.want)
		}
	}
	if low, high := a.Number("rows.0.ci_low"), a.Number("rows.0.ci_high"); !(low < a.Number("rows.0.difference") &&
		a.Number("rows.0.difference") < high) {
		t.Errorf("interval %g to %g", low, high)
	}
	whole := d.Call("compare_experiments", `{"experiment_names":["x"],"format":"markdown"}`).Want(map[string]any{"from_month": 7.0,
		"to_month": 12.0})
	if text := whole.Text("text"); !strings.Contains(text, "| ") || !strings.Contains(text, "months 7 to 12") {
		t.Errorf("%.500s", text)
	}
}

func TestCompareExperiments(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Run("base", `"replications":3`)
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.2}`)
	d.Run("same_seeds", `"replications":3`)
	d.Run("other_seeds", `"replications":3,"seed":99`)
	d.Run("longer", `"replications":2,"months":15`)
	d.Run("two_arms", `"replications":3,"control":"baseline"`)
	d.Call("compare_experiments", `{"experiment_names":["base","same_seeds"],"metrics":["cpi"],"detail":"full"}`).Want(map[string]any{
		"control": "base", "rows.0.arm": "same_seeds", "rows.0.paired": true, "rows.0.n": 3.0, "rows.0.verdict": "supported"})
	a := d.Call("compare_experiments", `{"experiment_names":["base","other_seeds"],`+
		`"metrics":["cpi"],"detail":"full"}`).Want(map[string]any{"rows.0.paired": false, "rows.0.n": 6.0})
	if !strings.Contains(fmt.Sprint(a.At("warnings")), "do not share their seeds") {
		t.Errorf("warnings %v", a.At("warnings"))
	}
	a = d.Call("compare_experiments", `{"experiment_names":["base","longer"],"metrics":["cpi"],"detail":"full"}`).Want(map[string]any{"rows.0.paired": true,
		"rows.0.n": 2.0, "to_month": 12.0})
	if text := fmt.Sprint(a.At("warnings")); !strings.Contains(text, "simulated months") || !strings.Contains(text, "without a partner") {
		t.Errorf("warnings %v", text)
	}
	paired := d.Call("compare_experiments", `{"experiment_names":["two_arms"],"metrics":["cpi"]}`)
	a = d.Call("compare_experiments", `{"experiment_names":["base","two_arms"],`+
		`"metrics":["cpi"]}`).Want(map[string]any{"rows.0.arm": "two_arms/treatment"})
	if a.At("rows.0.difference") != paired.At("rows.0.difference") {
		t.Error("the same arms differ otherwise in two experiments than in one")
	}

	// Eight, with every metric and with the usual ones, are within an answer.
	var metrics []string
	for i := range sim.NumIndicators {
		metrics = append(metrics, strconv.Quote(i.String()))
	}
	for k := range 4 {
		d.Call("start_simulation", fmt.Sprintf(`{"experiment_name":%q,"replications":2,"wait_seconds":60}`,
			strings.Repeat("n", 99)+strconv.Itoa(k)))
	}
	names := `["base","same_seeds","other_seeds","longer"`
	for k := range 4 {
		names += fmt.Sprintf(",%q", strings.Repeat("n", 99)+strconv.Itoa(k))
	}
	a = d.Call("compare_experiments", `{"experiment_names":`+names+`],"detail":"full"}`)
	if n := len(a.List("rows")); n != 7*14 {
		t.Errorf("%d rows", n)
	}
	d.Call("compare_experiments", `{"experiment_names":`+names+`],"format":"markdown","metrics":["cpi","real_gdp","unemployment_rate"]}`)
	e := d.Refused("compare_experiments", `{"experiment_names":`+names+`],"detail":"full","metrics":[`+strings.Join(metrics, ",")+`]}`,
		fault.LimitExceeded, "metrics")
	if !strings.Contains(e.Hint, "metrics") {
		t.Error(e)
	}
}

// Reports in all formats and both languages are there, in the answer or as the resource
// that it names; the SQL that they show works on the file and gives their numbers.
func TestReports(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("inject_intervention", `{"intervention_type":"injection","target_month":4,"parameters":{"group":"all","amount":100},`+
		`"description":"| a <b> \u007c"}`)
	controlled(d, "x", `"replications":3,"question":"Is <VAT> | bad?"`)
	d.Call("capture_experiment", `{"experiment_name":"x","hypothesis":"Prices rise.","tags":["tax","vat"]}`)
	resource := map[string]string{"markdown": "report.md", "html": "report.html", "json": "report.json"}
	for format, name := range resource {
		for _, language := range []string{"en", "zh"} {
			if language == "zh" {
				name = strings.Replace(name, "report.", "report.zh.", 1)
			}
			a := d.Call("generate_experiment_report", fmt.Sprintf(`{"experiment_name":"x","format":%q,"language":%q}`, format, language)).
				Want(map[string]any{"format": format, "resources.0.uri": "econ://experiments/x/" + name})
			if a.Links[0].URI != "econ://experiments/x/"+name || len(a.Links) != 4 {
				t.Errorf("links %v", a.Links)
			}
			text, err := d.Lab.Report(context.Background(), "x", format, language, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Text("report"); got != "" && got != text || got == "" && format == "markdown" {
				t.Errorf("%s, %s: another report: %.300s", format, language, got)
			}
			for _, want := range []string{map[string]string{"en": "Prices rise.", "zh": "主要发现"}[language], "real_gdp", "VAT"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s, %s: no %q", format, language, want)
				}
			}
			if format == "html" && (strings.Count(text, "<svg") != 11 || strings.Contains(text, "<VAT>")) {
				t.Errorf("%s: %d figures", language, strings.Count(text, "<svg"))
			}
			if format == "json" && !json.Valid([]byte(text)) {
				t.Errorf("no JSON: %.200s", text)
			}
		}
	}
	text, err := d.Lab.Report(context.Background(), "x", "markdown", "en", "")
	if err != nil {
		t.Fatal(err)
	}
	figures := regexp.MustCompile(`\]\((figures/[a-z_]+\.svg)\)`).FindAllStringSubmatch(text, -1)
	if len(figures) != 11 {
		t.Errorf("%d figures in Markdown", len(figures))
	}
	for _, f := range figures {
		if _, ok := tools.FindLink("x", f[1]); !ok {
			t.Errorf("%s is no resource", f[1])
		}
		svg, err := d.Lab.Figure(context.Background(), "x", strings.TrimSuffix(strings.TrimPrefix(f[1], "figures/"), ".svg"), "en", "")
		if err != nil || !strings.HasPrefix(svg, "<svg") {
			t.Errorf("%s: %v, %.100s", f[1], err, svg)
		}
	}

	_, rest, _ := strings.Cut(text, "SELECT")
	query, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("no query in the report")
	}
	means := map[string][]float64{}
	if err := rows(d.Database(), "SELECT"+query, func(scan func(...any) error) error {
		var arm string
		var replication int
		var mean float64
		err := scan(&arm, &replication, &mean)
		means[arm] = append(means[arm], mean)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	compared := d.Call("compare_experiments", `{"experiment_names":["x"],"metrics":["real_gdp"],"detail":"full"}`)
	for arm, path := range map[string]string{"control": "rows.0.control", "treatment": "rows.0.treatment"} {
		sum := 0.0
		for _, x := range means[arm] {
			sum += x
		}
		if len(means[arm]) != 3 || math.Abs(sum/3/compared.Number(path)-1) > 1e-12 {
			t.Errorf("%s: %v by SQL, %g in the comparison", arm, means[arm], compared.Number(path))
		}
	}
}

func rows(db *sql.DB, query string, each func(scan func(...any) error) error) error {
	list, err := db.Query(query)
	if err != nil {
		return err
	}
	defer list.Close()
	for list.Next() {
		if err := each(list.Scan); err != nil {
			return err
		}
	}
	return list.Err()
}

// The table of all runs holds what the store holds, digit by digit, with empty cells for
// absent numbers.
func TestCSV(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	controlled(d, "x", `"replications":2`)
	text, err := d.Lab.CSV(context.Background(), "x")
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(table) != 1+2*2*12 {
		t.Fatalf("%d rows, %v", len(table), err)
	}
	stored := map[string][]any{}
	query := "SELECT arm, replication, month, " + strings.Join(table[0][3:], ", ") + " FROM series WHERE experiment = 'x'"
	if err := rows(d.Database(), query, func(scan func(...any) error) error {
		values := make([]any, len(table[0]))
		at := make([]any, len(values))
		for k := range values {
			at[k] = &values[k]
		}
		err := scan(at...)
		stored[fmt.Sprint(values[:3])] = values
		return err
	}); err != nil {
		t.Fatal(err)
	}
	absent := 0
	for _, row := range table[1:] {
		month, _ := strconv.ParseInt(row[2], 10, 64)
		replication, _ := strconv.ParseInt(row[1], 10, 64)
		values, ok := stored[fmt.Sprint([]any{row[0], replication, month})]
		if !ok {
			t.Fatalf("no row %v", row[:3])
		}
		for k, cell := range row[3:] {
			if cell == "" {
				absent++
				if values[3+k] != nil {
					t.Errorf("%v %s: empty, stored %v", row[:3], table[0][3+k], values[3+k])
				}
				continue
			}
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil || values[3+k] != x {
				t.Errorf("%v %s: %s, stored %v", row[:3], table[0][3+k], cell, values[3+k])
			}
		}
	}
	t.Logf("%d rows, %d absent numbers", len(table)-1, absent)
}

// A series is told as a mean, as all replications, or as quantiles.
func TestTimeseries(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Run("x", `"replications":5`)
	all := d.Call("get_experiment_timeseries", `{"experiment_name":"x","metric":"cpi","aggregate":"all","from_month":2,"every":5}`).
		Want(map[string]any{"months": []any{2.0, 7.0, 12.0}, "lower_quartile": nil})
	if len(all.List("replications")) != 5 {
		t.Errorf("%d replications", len(all.List("replications")))
	}
	mean := d.Call("get_experiment_timeseries", `{"experiment_name":"x","metric":"cpi","from_month":2,"every":5}`)
	if fmt.Sprint(mean.At("data"), mean.At("lower"), mean.At("upper")) != fmt.Sprint(all.At("data"), all.At("lower"), all.At("upper")) {
		t.Error("mean and all differ")
	}
	quantiles := d.Call("get_experiment_timeseries", `{"experiment_name":"x","metric":"cpi","aggregate":"quantiles"}`)
	for m := range 12 {
		at := func(name string) float64 { return quantiles.Number(fmt.Sprintf("%s.%d", name, m)) }
		if !(at("lower") <= at("lower_quartile") && at("lower_quartile") <= at("data") && at("data") <= at("upper_quartile") &&
			at("upper_quartile") <= at("upper")) {
			t.Errorf("month %d: quantiles are not in order", m+1)
		}
	}
}
