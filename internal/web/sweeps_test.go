package web_test

import (
	"encoding/json"
	"html"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/sweep/hosted"
)

// The inquiry of the sweeps of tests: three economies of a point and replication, whose effect has both signs over the range.
const swept = `inquiry:
  question: On what does the effect of VAT depend?
  background: {set: {num_households: 500}}
  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}
  outcomes: [{metric: real_consumption, window: [1, 4]}, {metric: inflation, window: [1, 4]}]
  design: {months: 4, replications: 2, burn_in: 6}
factors:
  arms.vat.events[0].set.vat_rate: {from: 2%, to: 22%}
  consumption_habit: {from: 0.5, to: 0.9}
`

const (
	aloneDesign = swept + "design: {kind: one_at_a_time, levels: 3}\n"
	indexDesign = swept + "design: {kind: sobol_indices, points: 8}\n"
	vatFactor   = "arms.vat.events%5B0%5D.set.vat_rate"
)

// mustSweep has a sweep carried out by the API, and waits for its end.
func (o *opened) mustSweep(t *testing.T, name, design string) {
	t.Helper()
	body := map[string]string{"sweep_name": name, "design": design}
	if r, text := o.send(t, request{method: "POST", path: "/api/v1/sweeps", body: body}); r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", name, r.StatusCode, text)
	}
	if st, err := o.app.Sweeps.Wait(t.Context(), name, time.Hour); err != nil || st.State != hosted.Completed {
		t.Fatalf("%+v, %v", st, err)
	}
}

// must reads an answer of the API.
func (o *opened) must(t *testing.T, path string, into any) {
	t.Helper()
	r, text := o.send(t, request{path: "/api/v1" + path})
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, r.StatusCode, text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
}

// page reads a page.
func (o *opened) page(t *testing.T, path, language string) string {
	t.Helper()
	r, text := o.send(t, request{path: path, header: map[string]string{"Accept-Language": language}})
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, r.StatusCode, text)
	}
	return text
}

func contains(t *testing.T, where, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not have %q", where, want)
		}
	}
}

// A sweep is planned, run and read: its numbers, the map with the sign, the figures, the files and the page say the same in both languages.
func TestSweep(t *testing.T) {
	o := mustSite(t, everyone)
	var size struct {
		Points, Economies int
		Seconds           float64 `json:"estimated_seconds"`
	}
	_, text := o.send(t, request{method: "POST", path: "/api/v1/sweeps/plan", body: map[string]string{"design": indexDesign}})
	if err := json.Unmarshal([]byte(text), &size); err != nil || size.Points != 32 || size.Economies == 0 || size.Seconds <= 0 {
		t.Fatalf("%s, %v", text, err)
	}
	o.mustSweep(t, "vat", indexDesign)

	var found struct {
		Outcomes []struct {
			Method  string
			Factors []struct {
				Factor string
				Total  struct{ Value float64 }
			}
			Regions []struct {
				Positive float64 `json:"share_positive"`
			}
		}
	}
	o.must(t, "/sweeps/vat/sensitivity", &found)
	if len(found.Outcomes) != 2 || found.Outcomes[0].Method != "sobol" || !strings.HasSuffix(found.Outcomes[0].Factors[0].Factor, "vat_rate") ||
		found.Outcomes[0].Factors[0].Total.Value < .5 || len(found.Outcomes[0].Regions) < 2 {
		t.Errorf("%+v", found)
	}

	var points struct {
		Total  int
		Points [][]float64
		Values []float64
	}
	o.must(t, "/sweeps/vat/points?from_point=31&outcome=1", &points)
	if points.Total != 32 || len(points.Points) != 2 || len(points.Values) != 2 {
		t.Errorf("%+v", points)
	}
	o.must(t, "/sweeps/vat/points", &points)
	var cells struct {
		Rows []struct {
			Cells []struct {
				Points, Positive int
				Mean             float64
			}
		}
	}
	o.must(t, "/sweeps/vat/map?x="+vatFactor, &cells)
	row := cells.Rows[0].Cells
	sums, counts := make([]float64, len(row)), make([]int, len(row))
	for k, rate := range points.Points { // each point is in the cell that its rate says, by equal widths
		at := min(int((rate[0]-.02)/.2*float64(len(row))), len(row)-1)
		sums[at], counts[at] = sums[at]+100*points.Values[k], counts[at]+1
	}
	for k, c := range row {
		if c.Points != counts[k] || math.Abs(c.Mean-sums[k]/float64(counts[k])) > 1e-9 {
			t.Errorf("cell %d is %+v, and its %d points have a mean of %g", k, c, counts[k], sums[k]/float64(counts[k]))
		}
	}
	if first, last := row[0].Positive, row[len(row)-1].Positive; first == 0 || last != 0 {
		t.Errorf("consumption is higher at %d points of low VAT and %d of high", first, last)
	}

	for language, want := range map[string][]string{
		"en": {"completed", "Consumption habit", "total", "Where the sign flips", "thick lines: the sign changes", "down5", "up", "flip-left", "n="},
		"zh": {"已完成", "消费习惯", "总阶", "符号在何处改变", "粗线为符号改变处"},
	} {
		contains(t, "the page in "+language, o.page(t, "/sweeps/vat?x="+vatFactor+"&y=consumption_habit", language), want...)
	}
	contains(t, "the response", o.page(t, "/sweeps/vat?outcome=1&x=consumption_habit&y=", "en"), "Inflation, months 1 to 4", "data-at=", "<th scope=\"row\">50 % to")
	contains(t, "the list", o.page(t, "/sweeps", "en"), "/sweeps/vat\"", "shares of variance", "operator", `id="start"`)

	var drawn struct {
		Figures []struct{ Figure, Caption string }
	}
	o.must(t, "/sweeps/vat/figures?language=zh", &drawn)
	if len(drawn.Figures) != 6 || !strings.Contains(drawn.Figures[0].Caption, "方差份额") {
		t.Errorf("%+v", drawn)
	}
	r, svg := o.send(t, request{path: "/api/v1/sweeps/vat/figures/" + drawn.Figures[2].Figure})
	if r.Header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(svg, `role="img"`) || strings.Contains(svg, " style=") {
		t.Errorf("%v %.300s", r.Header, svg)
	}
	for _, file := range []string{"design.yaml", "points.csv", "results.parquet", "sensitivity.json"} {
		want, err := os.ReadFile(filepath.Join(o.app.Sweeps.Dir, "vat", file))
		if err != nil {
			t.Fatal(err)
		}
		r, got := o.send(t, request{path: "/api/v1/sweeps/vat/files/" + file})
		if got != string(want) || !strings.HasPrefix(r.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %d bytes, %v", file, len(got), r.Header)
		}
	}
}

// The design that the form begins with can be carried out.
func TestExampleDesign(t *testing.T) {
	o := mustSite(t, everyone)
	_, form, _ := strings.Cut(o.page(t, "/sweeps", "en"), "<textarea")
	form, _, _ = strings.Cut(form[strings.IndexByte(form, '>')+1:], "</textarea>")
	body := map[string]string{"design": html.UnescapeString(form)}
	if r, text := o.send(t, request{method: "POST", path: "/api/v1/sweeps/plan", body: body}); r.StatusCode != http.StatusOK || !strings.Contains(text, `"points":40`) {
		t.Errorf("%d %s", r.StatusCode, text)
	}
}

// One factor at a time: the map shows where the others stay, and has no second axis.
func TestSweepOneAtATime(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustSweep(t, "alone", aloneDesign)
	var cells struct {
		X struct {
			Values []float64
			Bins   bool
		}
		Rows []struct{ Cells []struct{ Points int } }
	}
	o.must(t, "/sweeps/alone/map?x=consumption_habit", &cells)
	if cells.X.Bins || len(cells.X.Values) < 3 || len(cells.Rows) != 1 {
		t.Errorf("%+v", cells)
	}
	for _, c := range cells.Rows[0].Cells {
		if c.Points != 1 {
			t.Errorf("points at which VAT varies, too: %+v", cells.Rows)
		}
	}
	r, body := o.send(t, request{path: "/api/v1/sweeps/alone/map?x=consumption_habit&y=" + vatFactor})
	if r.StatusCode != http.StatusConflict || !strings.Contains(body, "vary together") {
		t.Errorf("%d %s", r.StatusCode, body)
	}
	page := o.page(t, "/sweeps/alone", "en")
	contains(t, "the page", page, "swing", "elasticity", "lowest")
	if strings.Contains(page, `name="y"`) {
		t.Error("the page offers a second factor")
	}
}

// What cannot be carried out is refused with the next move, and whoever may not sees no button.
func TestSweepsRefuse(t *testing.T) {
	o := mustSite(t, withTokens)
	ada, bob := "token-of-ada-0001", "token-of-bob-0001"
	huge := swept + "design: {kind: latin_hypercube, points: 1000000000}\nmax_runs: 4000000000000\n"
	large := swept + "design: {kind: latin_hypercube, points: 100000}\n"
	broken := strings.Replace(swept, "metric: inflation", "metric: inflatoin", 1) + "design: {kind: sobol, points: 4}\n"
	for name, c := range map[string]struct {
		token, path string
		body        any
		status      int
		want        string
	}{
		"10⁹ points":             {ada, "/sweeps/plan", map[string]string{"design": huge}, http.StatusBadRequest, "1048576"},
		"400,000 economies":      {ada, "/sweeps", map[string]string{"design": large}, http.StatusUnprocessableEntity, "fewer points"},
		"a word that is none":    {ada, "/sweeps/plan", map[string]string{"design": broken}, http.StatusNotFound, "inflation"},
		"no YAML":                {ada, "/sweeps", map[string]string{"design": "{"}, http.StatusBadRequest, "line 1"},
		"a name that is a path":  {ada, "/sweeps", map[string]string{"design": aloneDesign, "sweep_name": "../up"}, http.StatusBadRequest, "sweep_name"},
		"to run by a reader":     {bob, "/sweeps", map[string]string{"design": aloneDesign}, http.StatusForbidden, "may only read"},
		"to measure by a reader": {bob, "/sweeps/plan", map[string]string{"design": aloneDesign}, http.StatusForbidden, "may only read"},
		"to stop what is not":    {ada, "/sweeps/none/stop", map[string]string{}, http.StatusNotFound, "none"},
		"to go on with nothing":  {ada, "/sweeps/none/resume", map[string]string{}, http.StatusNotFound, "none"},
	} {
		r, text := o.send(t, request{method: "POST", path: "/api/v1" + c.path, body: c.body, token: c.token})
		if r.StatusCode != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %s; want %d and %q", name, r.StatusCode, text, c.status, c.want)
		}
	}
	if list := o.app.Sweeps.List(); len(list) != 0 {
		t.Errorf("what was refused left %+v", list)
	}
	if _, page := o.send(t, request{path: "/sweeps", token: bob}); strings.Contains(page, `id="start"`) {
		t.Error("a reader sees the form")
	}
	if r, page := o.send(t, request{path: "/sweeps/none", token: bob}); r.StatusCode != http.StatusNotFound || !strings.Contains(page, "none") {
		t.Errorf("an unknown sweep: %d", r.StatusCode)
	}

	st, err := o.app.Sweeps.Begin(t.Context(), access.Caller{Principal: "ada", Role: access.Full}, "mine", []byte(strings.Replace(aloneDesign,
		"months: 4", "months: 600", 1)), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, page := o.send(t, request{path: "/sweeps/mine", token: bob}); strings.Contains(page, `id="stop"`) || !strings.Contains(page, "ada") {
		t.Error("a reader sees how to stop")
	}
	if r, text := o.send(t, request{path: "/api/v1/sweeps/mine/points", token: bob}); r.StatusCode != http.StatusConflict || !st.State.Ended() && !strings.Contains(text, "no results") {
		t.Errorf("points before the end: %d %s", r.StatusCode, text)
	}
	if r, text := o.send(t, request{method: "POST", path: "/api/v1/sweeps/mine/stop", body: "{}", token: ada}); r.StatusCode != http.StatusOK || !strings.Contains(text, `"stopped"`) {
		t.Errorf("stopping: %d %s", r.StatusCode, text)
	}
	if _, page := o.send(t, request{path: "/sweeps/mine", token: ada}); !strings.Contains(page, `id="resume"`) {
		t.Error("its owner does not see how to go on")
	}
}

// A sweep of the command line that lies in the data folder is shown as it is.
func TestSweepOfTheCommand(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustSweep(t, "server", aloneDesign)
	folder := filepath.Join(o.app.Sweeps.Dir, "command")
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(o.app.Sweeps.Dir, "server"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "sweep.json")); err != nil { // which only servers write
		t.Fatal(err)
	}
	contains(t, "the page", o.page(t, "/sweeps/command", "en"), "completed", "swing")
	if err := os.Remove(filepath.Join(folder, "sensitivity.json")); err != nil {
		t.Fatal(err)
	}
	contains(t, "the page of an unfinished one", o.page(t, "/sweeps/command", "en"), "interrupted", `id="resume"`)
	if err := os.WriteFile(filepath.Join(folder, "design.yaml"), []byte("inquiry: vat.yaml\nfactors: {}\ndesign: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, "the page of a design in two files", o.page(t, "/sweeps/command", "en"), "failed", "inquiry")
	contains(t, "the list", o.page(t, "/sweeps", "zh"), "/sweeps/command", "失败")
}

// sweepBody is the design of mustSweep as a body.
var sweepBody = func() string {
	text, err := json.Marshal(map[string]string{"design": aloneDesign})
	if err != nil {
		panic(err) // texts always have JSON
	}
	return string(text)
}()
