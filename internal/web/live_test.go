package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// served is a site that listens, with a laboratory of its own.
type served struct {
	app *app.App
	*httptest.Server
}

// mustServe opens a folder behind a server; ada may steer, bob may look.
func mustServe(t *testing.T, dir string) *served {
	t.Helper()
	a, err := app.Open(dir, app.Options{Version: "test", Runs: run.Settings{Threads: 2, MemoryBytes: 1 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	site := a.Site(nil)
	site.Login = func(token string) (access.Caller, bool) {
		role, ok := map[string]access.Role{"ada": access.Full, "eve": access.Full, "bob": access.ReadOnly}[token]
		return access.Caller{Principal: token, Role: role}, ok
	}
	s := &served{a, httptest.NewServer(site.Handler())}
	t.Cleanup(func() {
		s.Close() // waits for streams
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// begin starts ada's experiment of 12 months, two arms and two replications, which pauses after a month; with auto, replications are added
// to those.
func (s *served) begin(t *testing.T, name string, pauseAt int, auto ...int) {
	t.Helper()
	o := lab.Order{Name: name, Replications: 2, Principal: "ada", PauseAt: pauseAt, Question: "<script>alert(1)</script>"}
	for _, most := range auto {
		width, least := .001, 1.
		o.Replications = lab.Auto
		o.Plan = &lab.Plan{Outcomes: []string{"real_gdp"}, SmallestEffect: &least, HalfWidth: &width, MaxReplications: &most}
	}
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths, p.NumIterations = 500, 3, 12
	arm := func(name string, vat float64) lab.Arm {
		p := p
		p.VATRate = vat
		return lab.Arm{Name: name, Scenario: scenario.New(name, p)}
	}
	o.Arms = []lab.Arm{arm("control", .08), arm("vat", .12)}
	_, err := s.app.Lab.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
}

// ask sends a request and returns the status and the answer.
func (s *served) ask(t *testing.T, as, method, path, body string) (int, map[string]any, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+as)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(answer.Body); err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	_ = json.Unmarshal(text.Bytes(), &members) // pages are none
	return answer.StatusCode, members, text.String()
}

// must wants an answer.
func (s *served) must(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	status, members, text := s.ask(t, "ada", method, "/api/v1/experiments/"+path, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", path, body, status, text)
	}
	return members
}

// event is one of a stream.
type event struct {
	id, name string
	data     struct {
		From, To  int
		RunStatus string `json:"run_status"`
		Month     int
		State     struct {
			RunStatus string `json:"run_status"`
			Month     int
			Text      string
		}
		Arms          []string
		Indicators    []struct{ Name string }
		Interventions []struct {
			ID     string `json:"intervention_id"`
			Status string
			What   string
		}
		Series [][]struct{ Mean, Low, High []*float64 }
	}
}

// listener reads a stream.
type listener struct {
	t      *testing.T
	answer *http.Response
	lines  *bufio.Scanner
	leave  context.CancelFunc
	month  int // the last that came
	begun  int // how often it began with month 1
}

// listen opens a stream, after the event of an id.
func (s *served) listen(t *testing.T, path, lastEventID string) *listener {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), time.Minute) // so that a test that waits in vain says for what
	t.Cleanup(leave)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/api/v1/experiments/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer bob")
	r.Header.Set("Last-Event-ID", lastEventID)
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	l := &listener{t: t, answer: answer, lines: bufio.NewScanner(answer.Body), leave: leave}
	l.lines.Buffer(nil, 1<<24)
	return l
}

// next is the next event; ok is false at the end of the stream.
func (l *listener) next() (e event, ok bool) {
	l.t.Helper()
	for l.lines.Scan() {
		key, value, _ := strings.Cut(l.lines.Text(), ": ")
		switch key {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			if err := json.Unmarshal([]byte(value), &e.data); err != nil {
				l.t.Fatalf("%v: %.200s", err, value)
			}
		case "":
			if e.name != "" {
				return e, true
			}
		}
	}
	return e, false
}

// until reads on to an event that is wanted, and wants months in their order.
func (l *listener) until(what string, wanted func(event) bool) event {
	l.t.Helper()
	for {
		e, ok := l.next()
		if !ok {
			l.t.Fatalf("the stream ended before %s", what)
		}
		if e.name == "months" || e.name == "snapshot" {
			if e.name == "snapshot" && e.data.From == 1 {
				l.month = 0 // it begins
				l.begun++
			}
			if e.data.From != l.month+1 {
				l.t.Errorf("months from %d, after %d", e.data.From, l.month)
			}
			for _, arms := range e.data.Series {
				for _, b := range arms {
					if len(b.Mean) != e.data.To-l.month || len(b.Low) != len(b.Mean) || len(b.High) != len(b.Mean) {
						l.t.Errorf("%d means, %d, %d bounds of months %d to %d", len(b.Mean), len(b.Low), len(b.High), e.data.From, e.data.To)
					}
				}
			}
			l.month = max(l.month, e.data.To)
		}
		if wanted(e) {
			return e
		}
	}
}

// rests wants a state after a month.
func rests(status string, month int) (string, func(event) bool) {
	return fmt.Sprintf("%s after month %d", status, month), func(e event) bool {
		s, m := e.data.State.RunStatus, e.data.State.Month
		if e.name == "state" || e.name == "end" {
			s, m = e.data.RunStatus, e.data.Month
		}
		return s == status && m == month
	}
}

// An experiment is followed month by month, paused, stepped, changed and led to its end; who comes again goes on where he was.
func TestFollowAndSteer(t *testing.T) {
	s := mustServe(t, t.TempDir())
	s.begin(t, "x", 2)
	l := s.listen(t, "x/events?indicators=real_gdp,cpi", "")
	if kind := l.answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("%s, %d", kind, l.answer.StatusCode)
	}
	first := l.until("a snapshot", func(e event) bool { return e.name == "snapshot" })
	if fmt.Sprint(first.data.Arms, first.data.Indicators) != "[control vat] [{real_gdp} {cpi}]" || len(first.data.Interventions) != 0 {
		t.Errorf("the snapshot: %+v", first.data)
	}
	l.until(rests("paused", 2))
	if l.begun != 1 {
		t.Errorf("the stream began %d times", l.begun)
	}

	if got := s.must(t, "POST", "x/step", "{}"); got["run_status"] == "paused" && got["month"] == 2.0 {
		t.Errorf("a step: %v", got)
	}
	l.until(rests("paused", 3))
	planned := s.must(t, "POST", "x/interventions",
		`{"arm":"vat","intervention_type":"policy","policy":"minimum_wage","level":0.6,"target_month":5}`)
	if planned["intervention_id"] != "x/vat/1" || planned["status"] != "pending" {
		t.Errorf("injected: %v", planned)
	}
	e := l.until("interventions", func(e event) bool { return e.name == "interventions" })
	if rows := e.data.Interventions; len(rows) != 1 || rows[0].Status != "pending" || !strings.Contains(rows[0].What, "minimum wage") {
		t.Errorf("what is planned: %+v", e.data.Interventions)
	}
	s.must(t, "POST", "x/interventions",
		`{"arm":"control","intervention_type":"parameter_change","parameters":{"vat_rate":0.2},"target_month":9}`)
	s.must(t, "POST", "x/interventions/control/1/cancel", "{}")
	l.until("a cancelled one", func(e event) bool {
		return e.name == "interventions" && len(e.data.Interventions) == 2 && e.data.Interventions[0].Status == "cancelled"
	})
	s.must(t, "POST", "x/resume", `{"pause_at_month":6}`)
	l.until(rests("paused", 6))
	if rows := s.must(t, "GET", "x/interventions", "")["interventions"].([]any); rows[1].(map[string]any)["status"] != "executed" {
		t.Errorf("in month 6: %v", rows)
	}
	l.leave()

	again := s.listen(t, "x/events?indicators=real_gdp,cpi", "4/2")
	again.month = 4
	if e := again.until("a snapshot", func(e event) bool { return e.name == "snapshot" }); e.data.To != 6 || e.id != "6/2" {
		t.Errorf("after month 4: %d to %d, id %s", e.data.From, e.data.To, e.id)
	}
	other := s.listen(t, "x/events?indicators=real_gdp,cpi", "4/1") // of fewer replications: other numbers
	if e := other.until("a snapshot", func(e event) bool { return e.name == "snapshot" }); e.data.From != 1 {
		t.Errorf("months from %d", e.data.From)
	}
	s.must(t, "POST", "x/resume", "{}")
	end := again.until("the end", func(e event) bool { return e.name == "end" })
	if end.id != "end" || end.data.RunStatus != "completed" || again.month != 12 {
		t.Errorf("the end: %+v", end)
	}
	if _, more := again.next(); more {
		t.Error("more after the end")
	}
	if l := s.listen(t, "x/events", end.id); l.answer.StatusCode != http.StatusNoContent {
		t.Errorf("after the end: %d", l.answer.StatusCode)
	}

	// The numbers are those of the record.
	whole := s.listen(t, "x/events?indicators=cpi", "")
	got := whole.until("a snapshot", func(e event) bool { return e.name == "snapshot" })
	want, err := s.app.Lab.Series(t.Context(), "x", "vat", "cpi", "mean", 0, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for m := range 12 {
		b := got.data.Series[0][1]
		is, should := fmt.Sprintf("%.6g %.6g", *b.Mean[m], *b.Low[m]), fmt.Sprintf("%.6g %.6g", float64(want.Data[m]), float64(want.Lower[m]))
		if is != should {
			t.Errorf("cpi in month %d: %s; want %s", m+1, is, should)
		}
	}
}

// What is wrong is refused with its field, and changes nothing.
func TestSteeringIsRefused(t *testing.T) {
	s := mustServe(t, t.TempDir())
	s.begin(t, "x", 2)
	s.listen(t, "x/events", "").until(rests("paused", 2))
	const (
		inject = "x/interventions"
		policy = `"intervention_type":"policy","policy":"minimum_wage"`
		change = `"intervention_type":"parameter_change"`
		money  = `"intervention_type":"injection","group":"all","amount":5`
	)
	in := func(arm string, month int, what string) string {
		return fmt.Sprintf(`{"arm":%q,"target_month":%d,%s}`, arm, month, what)
	}
	for _, tt := range []struct {
		as, path, body, code, field string
		status                      int
	}{
		{"bob", "x/pause", "{}", "forbidden", "", 403},
		{"bob", inject, in("vat", 5, money), "forbidden", "", 403},
		{"eve", "x/stop", "{}", "forbidden", "experiment_name", 403},
		{"eve", inject, in("vat", 5, money), "forbidden", "experiment_name", 403},
		{"ada", "y/pause", "{}", "not_found", "", 404},
		{"ada", "x/resume", `{"pause_at_month":1}`, "invalid_state", "pause_at_month", 409},
		{"ada", inject, in("vat", 5, policy), "required", "level", 400},
		{"ada", inject, in("vat", 5, policy+`,"level":7`), "out_of_range", "level", 400},
		{"ada", inject, in("vat", 5, change+`,"parameters":{"vat_rate":7}`), "out_of_range", "vat_rate", 400},
		{"ada", inject, in("vat", 5, change+`,"parameters":{"vat_raet":0.1}`), "unknown_parameter", "vat_raet", 400},
		{"ada", inject, in("vat", 5, change+`,"parameters":{"num_households":1}`), "conflict", "num_households", 409},
		{"ada", inject, in("vat", 5, change), "wrong_type", "parameters", 400},
		{"ada", inject, in("vat", 5, money+`,"when":"unemployment_rate >"`), "wrong_type", "when", 400},
		{"ada", inject, in("vat", 1, money), "invalid_state", "target_month", 409},
		{"ada", inject, in("vta", 5, money), "not_found", "arm", 404},
		{"ada", "x/interventions/vat/1/cancel", "{}", "not_found", "intervention_id", 404},
	} {
		status, members, text := s.ask(t, tt.as, "POST", "/api/v1/experiments/"+tt.path, tt.body)
		e, _ := members["error"].(map[string]any)
		if status != tt.status || e["code"] != tt.code || tt.field != "" && e["field"] != tt.field {
			t.Errorf("%s %s %s: %d %s", tt.as, tt.path, tt.body, status, text)
		}
	}
	if got := s.must(t, "GET", "x/interventions", "")["interventions"].([]any); len(got) > 0 {
		t.Errorf("planned all the same: %v", got)
	}
	if got := s.must(t, "GET", "x/state", ""); got["run_status"] != "paused" || got["month"] != 2.0 {
		t.Errorf("the state: %v", got)
	}
	if l := s.listen(t, "nothing/events", ""); l.answer.StatusCode != http.StatusNotFound {
		t.Errorf("events of an unknown experiment: %d", l.answer.StatusCode)
	}
	if l := s.listen(t, "x/events?indicators=gdp", ""); l.answer.StatusCode != http.StatusBadRequest {
		t.Errorf("events of an unknown indicator: %d", l.answer.StatusCode)
	}
	s.must(t, "POST", "x/resume", "{}")
	if status, members, _ := s.ask(t, "ada", "POST", "/api/v1/experiments/x/step", "{}"); status == 200 && members["run_status"] == "paused" {
		t.Errorf("a step while it runs: %v", members)
	}
}

// The page has names and states before any script runs, and buttons for those alone who may use them.
func TestLivePage(t *testing.T) {
	s := mustServe(t, t.TempDir())
	s.begin(t, "x", 2)
	s.listen(t, "x/events", "").until(rests("paused", 2))
	for as, want := range map[string]bool{"ada": true, "eve": false, "bob": false} {
		status, _, page := s.ask(t, as, "GET", "/experiments/x/live", "")
		if status != 200 || !strings.Contains(page, "Paused after month 2 of 12") || !strings.Contains(page, "&lt;script&gt;alert(1)") ||
			strings.Contains(page, "<script>alert") {
			t.Errorf("%s: %d %s", as, status, page)
		}
		for _, button := range []string{`id="pause"`, `id="step"`, `id="stop"`, `id="inject"`, `value="policy minimum_wage"`} {
			if strings.Contains(page, button) != want {
				t.Errorf("%s sees %s: %t, want %t", as, button, !want, want)
			}
		}
		if strings.Contains(page, "style=") {
			t.Error("the page has inline styles, which its policy forbids")
		}
	}
	if _, _, page := s.ask(t, "ada", "GET", "/experiments/x/live?lang=zh&indicators=hhi", ""); !strings.Contains(page, "已暂停，完成第 2 个月") ||
		!strings.Contains(page, `<option value="hhi" selected>`) {
		t.Errorf("in Chinese: %s", page)
	}
	if status, _, page := s.ask(t, "ada", "GET", "/experiments/nothing/live", ""); status != 404 || !strings.Contains(page, "/experiments") {
		t.Errorf("an unknown experiment: %d %s", status, page)
	}
}

// Where replications are added, a stream begins again with numbers over all of them.
func TestReplicationsAreAdded(t *testing.T) {
	s := mustServe(t, t.TempDir())
	s.begin(t, "x", 0, 13)
	l := s.listen(t, "x/events?indicators=real_gdp", "")
	over := ""
	l.until("the end", func(e event) bool {
		_, n, _ := strings.Cut(e.id, "/")
		if e.name == "snapshot" && e.data.To > 0 || e.name == "months" {
			over = n
		}
		return e.name == "end"
	})
	if x, err := s.app.Store.Experiment(t.Context(), "x"); err != nil || x.Replications != 13 || over != "13" || l.month != 12 {
		t.Errorf("%d months over %s replications, of %d, %v", l.month, over, x.Replications, err)
	}
}

// Readers that go away leave nothing behind.
func TestReadersGo(t *testing.T) {
	s := mustServe(t, t.TempDir())
	s.begin(t, "x", 2)
	for _, indicators := range []string{"", "", "?indicators=cpi"} {
		l := s.listen(t, "x/events"+indicators, "")
		l.until(rests("paused", 2)) // and waits for more
		l.leave()
	}
	s.Server.Close() // waits for handlers, and these for what they began
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 2); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "web.(*feed)") {
		t.Errorf("somebody still reads:\n%s", b.String())
	}
}

// An experiment of another process of the same folder is followed, and steered where it runs.
func TestFollowElsewhere(t *testing.T) {
	dir := t.TempDir()
	s, elsewhere := mustServe(t, dir), mustServe(t, dir)
	s.begin(t, "x", 2)
	l := elsewhere.listen(t, "x/events", "")
	l.until(rests("paused", 2))
	if got := elsewhere.must(t, "GET", "x/state", ""); got["steerable"] != false {
		t.Errorf("steerable elsewhere: %v", got)
	}
	if status, _, text := elsewhere.ask(t, "ada", "POST", "/api/v1/experiments/x/resume", "{}"); status != http.StatusConflict {
		t.Errorf("resumed elsewhere: %d %s", status, text)
	}
	s.must(t, "POST", "x/resume", "{}")
	l.until(rests("completed", 12))
	if l.month != 12 {
		t.Errorf("%d months", l.month)
	}
}
