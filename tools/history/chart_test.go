package history_test

import (
	"bytes"
	"image/png"
	"os"
	"strings"
	"testing"

	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

// chart is the one image of an answer, which must be a PNG that a model can be given.
func chart(t *testing.T, d *toolstest.Harness, tool, arguments string) []byte {
	t.Helper()
	answer := d.Call(tool, arguments)
	if len(answer.Images) != 1 || answer.Images[0].MIMEType != "image/png" {
		t.Fatalf("%s %s: %d images", tool, arguments, len(answer.Images))
	}
	data := answer.Images[0].Data
	drawn, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	size := drawn.Bounds().Size()
	t.Logf("%s: %d x %d points, %d bytes", arguments, size.X, size.Y, len(data))
	if len(data) > tools.MaxImage || size.X < 500 || size.X > 1568 {
		t.Errorf("%s: %d x %d points, %d bytes", arguments, size.X, size.Y, len(data))
	}
	if dir := os.Getenv("CHARTS"); dir != "" {
		os.WriteFile(dir+"/"+tool+size.String()+".png", data, 0o644)
	}
	return data
}

func TestCharts(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	d.Call("set_parameter", `{"parameter_name":"vat_rate","value":0.2}`)
	d.Run("vat", `"control":"baseline","replications":4,"question":"增值税提高到20%会怎样？"`)
	d.Run("three", `"inquiry":{"question":"Which VAT?","background":{"set":{"num_households":500}},"arms":{"v":{"doses":{"parameter":"vat_rate","values":["9%","15%","25%"]}}},`+
		`"outcomes":[{"metric":"cpi"},{"metric":"unemployment_rate"}],"design":{"months":12,"burn_in":6,"replications":3}}`)
	d.Run("same", `"inquiry":{"background":{"set":{"num_households":500}},"design":{"months":2,"burn_in":2,"replications":1}}`)

	series := chart(t, d, "get_experiment_timeseries", `{"experiment_name":"vat","metric":"unemployment_rate","chart":true}`)
	for _, other := range []string{
		`{"experiment_name":"vat","metric":"unemployment_rate","chart":true,"arm":"control"}`,
		`{"experiment_name":"vat","metric":"unemployment_rate","chart":true,"aggregate":"all"}`,
		`{"experiment_name":"vat","metric":"unemployment_rate","chart":true,"aggregate":"quantiles"}`,
		`{"experiment_name":"vat","metric":"unemployment_rate","chart":true,"from_month":7}`,
		`{"experiment_name":"same","metric":"real_gdp","chart":true}`,
	} {
		if bytes.Equal(chart(t, d, "get_experiment_timeseries", other), series) {
			t.Errorf("%s: the chart is the same", other)
		}
	}
	effects := chart(t, d, "compare_experiments", `{"experiment_names":["vat"],"chart":true}`)
	for _, other := range []string{
		`{"experiment_names":["vat"],"chart":true,"language":"en"}`,
		`{"experiment_names":["three"],"chart":true}`,
		`{"experiment_names":["vat","three"],"chart":true,"metrics":["cpi","real_gdp"],"format":"markdown"}`,
	} {
		if bytes.Equal(chart(t, d, "compare_experiments", other), effects) {
			t.Errorf("%s: the chart is the same", other)
		}
	}

	// The first of very many effects, and never more bytes than a client is sent.
	chart(t, d, "compare_experiments", `{"experiment_names":["vat"],"chart":true,"metrics":["real_gdp","cpi","unemployment_rate","inflation",`+
		`"real_consumption","real_investment","tax_vat","tax_income","debt_to_gdp","deficit_to_gdp","real_wage_mean","real_wage_median",`+
		`"labour_share","saving_rate","income_gini","wealth_gini","poverty_rate","employment_rate","job_finding_rate","mark_up","hhi","firms",`+
		`"money_stock","credit_stock","loan_rate","exports","imports","government_spending","tax_revenue","vacancy_rate"]}`)
	// An outcome that is the same in all arms is no effect to show, and the answer says so.
	twins := d.Call("compare_experiments", `{"experiment_names":["three"],"chart":true,"metrics":["bank_failures"]}`)
	if len(twins.Images) != 0 || !strings.Contains(string(twins.JSON), "no chart") {
		t.Errorf("%d images of no difference, %.300s", len(twins.Images), twins.JSON)
	}

	// Who asks for none gets none, and the same numbers.
	for tool, arguments := range map[string]string{
		"get_experiment_timeseries": `{"experiment_name":"vat","metric":"real_gdp"`, "compare_experiments": `{"experiment_names":["vat"]`,
	} {
		without, with := d.Call(tool, arguments+`}`), d.Call(tool, arguments+`,"chart":true}`)
		if without.Images != nil || !bytes.Equal(without.JSON, with.JSON) {
			t.Errorf("%s: %d images without chart; the same numbers: %v", tool, len(without.Images), bytes.Equal(without.JSON, with.JSON))
		}
	}
}
