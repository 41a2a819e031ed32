package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// mustSettled is the page of an experiment with all that was found, for which its script asks again where the page does not wait.
func (o *opened) mustSettled(t *testing.T, name, query string) string {
	t.Helper()
	for range 100 {
		if r, body := o.send(t, request{path: "/api/v1/experiments/" + name + "/answer"}); r.StatusCode != http.StatusOK {
			t.Fatalf("the answer of %s: %d %s", name, r.StatusCode, body)
		}
		if page := o.mustPage(t, "/experiments/"+name+query); !strings.Contains(page, "data-waits") {
			return page
		}
	}
	t.Fatalf("the page of %s never has what was found", name)
	return ""
}

func (o *opened) mustPage(t *testing.T, path string) string {
	t.Helper()
	r, body := o.send(t, request{path: path})
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, r.StatusCode, body)
	}
	if strings.Contains(body, ` style="`) || strings.Contains(body, "ZgotmplZ") {
		t.Errorf("%s has a style that the policy forbids, or an address that is none", path)
	}
	return body
}

func mustHave(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %q", what, want)
		}
	}
}

func get[T any](t *testing.T, o *opened, path string) (answer T) {
	t.Helper()
	r, body := o.send(t, request{path: "/api/v1" + path})
	if err := json.Unmarshal([]byte(body), &answer); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v: %.300s", path, r.StatusCode, err, body)
	}
	return answer
}

// asked counts the hypotheses that were ever asked beyond the plan of an experiment.
func (o *opened) asked(t *testing.T, name string) int {
	t.Helper()
	all, err := o.app.Store.Ask(t.Context(), []string{name}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// mustStart starts an experiment as a caller of the laboratory does, and waits until it pauses or ends.
func (o *opened) mustStart(t *testing.T, order lab.Order) {
	t.Helper()
	if _, err := o.app.Lab.Start(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	if _, err := o.app.Lab.Wait(t.Context(), order.Name, nil); err != nil {
		t.Fatal(err)
	}
}

func smallParams() sim.Params {
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths, p.NumIterations = 500, 6, 8
	return p
}

// The page says what was found in the words and numbers of the answer and the table of effects, before any script runs.
func TestExperimentPage(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	page := o.mustSettled(t, "vat", "")
	x, err := o.app.Store.Experiment(t.Context(), "vat")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := o.app.Lab.Answer(t.Context(), "vat", "en", access.Operator().Principal)
	if err != nil {
		t.Fatal(err)
	}
	mustHave(t, "the page", page, "<h1>vat</h1>", "Who pays for a VAT rise?", answer.Answered.Sentence, "✓ supported", lab.PlanHash(x.Plan),
		x.Runs[0].StateHash, x.Arms[1].Hash, "econ-mcp rerun vat", "econ-mcp ask inquiry.yaml", "becomes 12% from month 3 on</ins>",
		`data-mark="3"`, "files/report.html?language=en", "files/scenarios/vat", "by income: 1 (poorest)", "by skill: high", "months 3 to 12",
		"The plan judges months 3–12", `<option value="Real consumption" data-name="real_consumption">`)
	for _, row := range answer.Analysis.Treatment {
		if row.Metric == "real_consumption" && !strings.Contains(page, fmt.Sprintf("%.2f %%", float64(row.Percent))[1:]) {
			t.Errorf("the table has no %.2f %%", float64(row.Percent))
		}
	}
	if n := strings.Count(page, "<h1"); n != 1 {
		t.Errorf("%d headings of the page", n)
	}
	chinese := o.mustSettled(t, "vat", "?lang=zh")
	inChinese, err := o.app.Lab.Answer(t.Context(), "vat", "zh", "")
	if err != nil {
		t.Fatal(err)
	}
	mustHave(t, "the Chinese page", chinese, inChinese.Answered.Sentence, "✓ 得到支持", "谁受益，谁受损", "按收入：1（最贫）", "实际消费", "已完成")
	if n := o.asked(t, "vat"); n != 0 {
		t.Errorf("looking at what was planned counted %d hypotheses", n)
	}
}

// Another window is exploratory and counted, once however often the page is loaded; a wrong one is said to be so.
func TestAnotherWindow(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	get[struct{}](t, o, "/experiments/vat/effects?window=4,6")
	if n := o.asked(t, "vat"); n != 2 { // two outcomes of one arm
		t.Errorf("%d hypotheses are counted, want 2", n)
	}
	page := o.mustSettled(t, "vat", "?from=4&to=6")
	mustHave(t, "the page of another window", page, "exploratory: beyond the plan", "Means of months 4 to 6", "Back to the plan", "(so far 2)")
	if n := o.asked(t, "vat"); n != 2 {
		t.Errorf("%d hypotheses are counted after the page showed the same", n)
	}
	mustHave(t, "the page of a wrong window", o.mustSettled(t, "vat", "?from=7&to=99"), `<p role="alert">`)
	if planned := o.mustSettled(t, "vat", ""); strings.Contains(planned, "exploratory: beyond") {
		t.Error("the page of the plan says that it is exploratory")
	}
}

// What others wrote is text, whatever it holds.
func TestHostileQuestion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	question := "<script>alert(1)</script>\u202e\u0627\u0644\"'" + strings.Repeat(" long", 2000)
	note := lab.Note{Status: "pending", Question: &question, Hypothesis: &question, Notes: &question}
	if _, err := o.app.Lab.Capture(t.Context(), "vat", note, access.Operator()); err != nil {
		t.Fatal(err)
	}
	page := o.mustSettled(t, "vat", "")
	if strings.Contains(page, "<script>alert") || !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;\u202e") {
		t.Error("the question is not shown as text")
	}
	mustHave(t, "the page", page, `dir="auto"`, strings.Repeat(" long", 2000))
	r, report := o.send(t, request{path: "/api/v1/experiments/vat/files/report.html"})
	if strings.Contains(report, "<script>alert") || !strings.Contains(r.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("the report runs scripts: %s", r.Header.Get("Content-Security-Policy"))
	}
}

// Who mistypes a name is told the nearest.
func TestUnknownExperiment(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	for _, path := range []string{"/experiments/vatt", "/api/v1/experiments/vatt", "/api/v1/experiments/vatt/files/report.html"} {
		r, body := o.send(t, request{path: path})
		if r.StatusCode != http.StatusNotFound || !strings.Contains(body, "vatt") || !strings.Contains(strings.ReplaceAll(body, "vatt", ""), "vat") {
			t.Errorf("%s: %d %s", path, r.StatusCode, body)
		}
		if strings.Contains(body, "experiment.js") {
			t.Errorf("%s has the script of the page that there is not", path)
		}
	}
	if r, _ := o.send(t, request{path: "/experiments/" + strings.Repeat("x", 3000)}); r.StatusCode != http.StatusNotFound {
		t.Errorf("a long name: %d", r.StatusCode)
	}
}

// An experiment that goes on is not judged by the look at its page: that would ask another window each month.
func TestExperimentThatGoesOn(t *testing.T) {
	o := mustSite(t, everyone)
	p := smallParams()
	treatment := p
	treatment.VATRate = .2
	arms := []lab.Arm{{Name: lab.ControlArm, Scenario: scenario.New("x", p)}, {Name: lab.TreatmentArm, Scenario: scenario.New("x", treatment)}}
	o.mustStart(t, lab.Order{Name: "paused", Arms: arms, Replications: 2, PauseAt: 4})
	page := o.mustPage(t, "/experiments/paused")
	mustHave(t, "the page", page, "paused", "/experiments/paused/live", "Judge it now", "timeseries.csv", "vat_rate")
	if strings.Contains(page, "files/report.html") || strings.Contains(page, "data-waits") {
		t.Error("what judges it is offered at once")
	}
	path := get[struct {
		Arms []struct {
			Months     []int     `json:"months"`
			Difference []float64 `json:"difference"`
		} `json:"arms"`
	}](t, o, "/experiments/paused/path?metric=tax_vat")
	if len(path.Arms) != 1 || len(path.Arms[0].Months) != 4 || path.Arms[0].Difference[3] <= 0 {
		t.Errorf("the effect on VAT: %+v", path)
	}
	compared := o.mustPage(t, "/compare?experiment=paused&metric=inflation")
	mustHave(t, "the page that compares", compared, "Judge it now", "judge=now&amp;metric=inflation", "data-goes-on", "Inflation")
	if n := o.asked(t, "paused"); n != 0 {
		t.Errorf("looking counted %d hypotheses", n)
	}
	judged := o.mustPage(t, "/experiments/paused?judge=now")
	mustHave(t, "the page that judges", judged, "exploratory", "files/report.html", "by income: 1 (poorest)")
	if strings.Contains(judged, "data-waits") || strings.Contains(judged, "data-figure") {
		t.Error("the page asks again for what it has asked")
	}
	mustHave(t, "the comparison that was asked for", o.mustPage(t, "/compare?experiment=paused&judge=now"), "exploratory", "data-goes-on")
	n := o.asked(t, "paused")
	o.mustPage(t, "/experiments/paused?judge=now")
	if n == 0 || o.asked(t, "paused") != n {
		t.Errorf("%d hypotheses are counted, and %d after another look at the same", n, o.asked(t, "paused"))
	}
}

// One arm, one replication, or an end before the first month: each part says what there is.
func TestExperimentsOfWhichLessIsKnown(t *testing.T) {
	o := mustSite(t, everyone)
	p := smallParams()
	o.mustStart(t, lab.Order{Name: "alone", Scenario: scenario.New("x", p), Replications: 2})
	page := o.mustSettled(t, "alone", "")
	mustHave(t, "the page of one arm", page,
		"There is one arm", "Unemployment rate", "Means of months", `data-figure="lorenz"`)
	if strings.Contains(page, "Effect by month") || strings.Contains(page, "Judge this window") {
		t.Error("one arm has effects")
	}
	if r, body := o.send(t, request{path: "/api/v1/experiments/alone/path?metric=real_gdp"}); r.StatusCode != http.StatusConflict || code(body) != "invalid_state" {
		t.Errorf("the effect of one arm: %d %s", r.StatusCode, body)
	}

	higher := p
	higher.VATRate = .2
	pair := []lab.Arm{{Name: lab.ControlArm, Scenario: scenario.New("x", p)}, {Name: lab.TreatmentArm, Scenario: scenario.New("x", higher)}}
	o.mustStart(t, lab.Order{Name: "once", Arms: pair, Replications: 1})
	mustHave(t, "the page of one replication", o.mustSettled(t, "once", ""),
		"one replication a side: there are no intervals", "VAT", "needs a control and two replications")

	q, err := inquiry.Decode([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	inquired, err := o.app.Lab.Inquire(q, "stopped", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.app.Lab.Ask(t.Context(), inquired); err != nil {
		t.Fatal(err)
	}
	if _, err := o.app.Lab.Stop(t.Context(), "stopped", access.Operator()); err != nil {
		t.Fatal(err)
	}
	if _, err := o.app.Lab.Wait(t.Context(), "stopped", nil); err != nil {
		t.Fatal(err)
	}
	mustHave(t, "the page of one that was stopped", o.mustPage(t, "/experiments/stopped"),
		"stopped", "inquiry.yaml", "The plan, stored before the first month")
}

// Files come as what they are, under a name that a folder can have, with the numbers of the pages.
func TestExperimentFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	file := func(name string) (http.Header, string) {
		t.Helper()
		r, body := o.send(t, request{path: "/api/v1/experiments/vat/files/" + name})
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", name, r.StatusCode, body)
		}
		return r.Header, body
	}
	header, report := file("report.html")
	if header.Get("Content-Disposition") != "inline; filename=vat-report.html" || !strings.Contains(report, "<svg") {
		t.Errorf("report.html: %s", header.Get("Content-Disposition"))
	}
	header, text := file("timeseries.csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 1+2*3*12 || header.Get("Content-Disposition") != "attachment; filename=vat-timeseries.csv" {
		t.Errorf("timeseries.csv: %d rows, %v, %s", len(rows), err, header.Get("Content-Disposition"))
	}
	_, text = file("results.csv")
	rows, err = csv.NewReader(strings.NewReader(text)).ReadAll()
	effects := get[struct {
		Rows []struct {
			Metric     string      `json:"metric"`
			Difference json.Number `json:"difference"`
		} `json:"rows"`
	}](t, o, "/experiments/vat/effects")
	if err != nil || len(rows) != 1+len(effects.Rows) || len(effects.Rows) != 2 {
		t.Fatalf("results.csv: %d rows, %v; the API has %d", len(rows), err, len(effects.Rows))
	}
	at := slices.Index(rows[0], "difference")
	for k, row := range effects.Rows {
		if rows[k+1][0] != row.Metric || rows[k+1][at] != row.Difference.String() {
			t.Errorf("%v in the file, %+v of the API", rows[k+1], row)
		}
	}
	if _, parquet := file("results.parquet"); !strings.HasPrefix(parquet, "PAR1") {
		t.Error("results.parquet is none")
	}
	_, text = file("inquiry.yaml")
	if q, err := inquiry.Decode([]byte(text)); err != nil || q.Question != "Who pays for a VAT rise?" {
		t.Errorf("inquiry.yaml: %v", err)
	}
	_, text = file("scenarios/vat")
	if s, err := scenario.DecodeStored("vat", []byte(text)); err != nil || s.Params.NumHouseholds != 500 || len(s.Interventions) != 1 {
		t.Errorf("the scenario: %v", err)
	}
	_, text = file("package.zip")
	files, err := zip.NewReader(bytes.NewReader([]byte(text)), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{lab.CrateFile, lab.RecordFile, "report.html", "timeseries.csv"} {
		if _, err := files.Open("vat/" + name); err != nil {
			t.Errorf("the package: %v", err)
		}
	}
	for _, f := range get[struct {
		Files []struct {
			Path string `json:"path"`
			Kind string `json:"media_type"`
		} `json:"files"`
	}](t, o, "/experiments/vat/files?language=zh").Files {
		r, _ := o.send(t, request{path: "/api/v1" + f.Path})
		if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); r.StatusCode != http.StatusOK || kind != f.Kind {
			t.Errorf("%s: %d %s, and the list says %s", f.Path, r.StatusCode, kind, f.Kind)
		}
	}
}

// An intervention that is injected is a mark on the axis, and an amendment with who did it and when.
func TestAmendedExperiment(t *testing.T) {
	o := mustSite(t, everyone)
	p := smallParams()
	o.mustStart(t, lab.Order{Name: "live", Scenario: scenario.New("x", p), Replications: 1, PauseAt: 3})
	by := access.Caller{Principal: "ada", Role: access.Admin}
	change := sim.Intervention{Type: sim.TypeParameterChange, TargetMonth: 5, Parameters: []sim.ParameterChange{{Name: "vat_rate", Value: .15}}}
	if _, err := o.app.Lab.Inject(t.Context(), "live", "", change, by); err != nil {
		t.Fatal(err)
	}
	if _, err := o.app.Lab.Resume(t.Context(), "live", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	if _, err := o.app.Lab.Wait(t.Context(), "live", nil); err != nil {
		t.Fatal(err)
	}
	page := o.mustPage(t, "/experiments/live")
	mustHave(t, "the page", page, `data-mark="5"`, `data-mark="4"`, "after month 3", "<bdi>ada</bdi>", "in force")
	list := get[struct {
		Interventions []struct {
			Began int    `json:"began"`
			State string `json:"state"`
		} `json:"interventions"`
		Amendments []struct {
			At    time.Time `json:"at"`
			By    string    `json:"by"`
			Month int       `json:"month"`
		} `json:"amendments"`
	}](t, o, "/experiments/live/changes")
	if len(list.Interventions) != 1 || list.Interventions[0].Began != 5 || list.Interventions[0].State != lab.Executed {
		t.Errorf("%+v", list.Interventions)
	}
	if len(list.Amendments) != 1 || list.Amendments[0].By != "ada" || list.Amendments[0].Month != 3 || list.Amendments[0].At.IsZero() {
		t.Errorf("%+v", list.Amendments)
	}
}

// The verdict stands beside the outcome, and the rest of the row is that of the laboratory.
func TestEffectsTable(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	compared, err := o.app.Lab.Compare(t.Context(), []string{"vat"}, inference.Choice{}, "en", "")
	if err != nil {
		t.Fatal(err)
	}
	table := get[struct {
		Table struct {
			Heads []string   `json:"heads"`
			Rows  [][]string `json:"rows"`
		} `json:"table"`
	}](t, o, "/experiments/vat/effects").Table
	if want := []string{"outcome", "verdict", "control", "treatment"}; !slices.Equal(table.Heads[:4], want) || len(table.Rows) != len(compared.Rows) {
		t.Fatalf("%v, %d rows", table.Heads, len(table.Rows))
	}
	for _, row := range table.Rows {
		for _, cell := range row {
			if !strings.Contains(compared.Text, strings.NewReplacer("<", `\<`).Replace(cell)) && !strings.Contains(compared.Text, cell) {
				t.Errorf("%q is not in the table of the laboratory", cell)
			}
		}
	}
}
