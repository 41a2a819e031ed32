package web_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // to write experiments that nobody simulated

	"econ-mcp/internal/app"
	"econ-mcp/internal/inference"
)

// mustCopies writes n copies of the experiment vat into the store, without their months: their plans differ, their arms do not, which is
// the worst case of the register.
func mustCopies(tb testing.TB, a *app.App, n int) {
	tb.Helper()
	db, err := sql.Open("sqlite", filepath.Join(a.Dir, "econ-mcp.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		tb.Fatal(err)
	}
	numbers := fmt.Sprintf("WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < %d)", n)
	const of = "FROM k JOIN experiment ON experiment.name = 'vat'"
	for _, query := range []string{
		`INSERT INTO experiment (id, name, created_at, principal, shared, question, plan, seed, months, replications, households, firms,
			model_version, code_version, go_version, arch, state, month)
		SELECT 1000 + n, printf('copy-%05d', n), created_at, principal, shared, question, plan, 1000 + n, months, replications, households, firms,
			model_version, code_version, go_version, arch, iif(n % 10, state, 'failed'), month ` + of,
		`INSERT INTO arm (experiment, number, name, scenario, hash, burnt_in_apart)
		SELECT 1000 + n, number, arm.name, scenario, hash, burnt_in_apart ` + of + " JOIN arm ON arm.experiment = experiment.id",
		`INSERT INTO run (arm, replication, seed, month, state_hash)
		SELECT arm.id, r.replication, r.seed + arm.experiment, r.month, r.state_hash FROM arm
			JOIN arm AS a ON a.number = arm.number JOIN experiment ON experiment.id = a.experiment AND experiment.name = 'vat' JOIN run AS r ON r.arm = a.id
		WHERE arm.experiment > 1000`,
		"INSERT INTO planned SELECT 1000 + n, printf('copy-%05d', n), planned.principal, planned.plan_hash || n, 1000 + n, planned.replications " + of +
			" JOIN planned ON planned.experiment = experiment.id",
		"INSERT INTO planned_arm SELECT data, 1000 + n " + of + " JOIN planned_arm ON planned_arm.experiment = experiment.id",
	} {
		if strings.Contains(query, " k ") {
			query = numbers + " " + query
		}
		if _, err := tx.Exec(query); err != nil {
			tb.Fatalf("%s: %v", query, err)
		}
	}
	if err := tx.Commit(); err != nil {
		tb.Fatal(err)
	}
}

// list is a page of the list.
type list struct {
	Total       int
	Experiments []struct {
		Name string `json:"experiment_name"`
	}
	Next string `json:"next_cursor"`
}

func (o *opened) list(t *testing.T, query string) (l list) {
	t.Helper()
	r, body := o.send(t, request{path: "/api/v1/experiments?" + query})
	if err := json.Unmarshal([]byte(body), &l); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %.300s", query, r.StatusCode, body)
	}
	return l
}

// In either order the pages of a list have every experiment once.
func TestListPages(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	mustCopies(t, o.app, 120)
	for query, want := range map[string]struct {
		first, last string
		total       int
	}{
		"sort=newest":                       {"copy-00120", "vat", 121},
		"sort=name":                         {"copy-00001", "vat", 121},
		"sort=name&run_status=failed":       {"copy-00010", "copy-00120", 12},
		"sort=name&search=who+pays+copy-01": {"copy-01", "", 0},
		"search=copy-0011":                  {"copy-00119", "copy-00110", 10},
	} {
		if want.last == "" { // nothing fits
			if l := o.list(t, query); l.Total != 0 || len(l.Experiments) != 0 || l.Next != "" {
				t.Errorf("%s: %+v", query, l)
			}
			continue
		}
		var names []string
		seen := map[string]bool{}
		for cursor := ""; ; {
			l := o.list(t, query+"&limit=50&cursor="+cursor)
			for _, x := range l.Experiments {
				if seen[x.Name] {
					t.Errorf("%s: %s is there twice", query, x.Name)
				}
				seen[x.Name] = true
				names = append(names, x.Name)
			}
			if l.Total != want.total {
				t.Errorf("%s: %d in all, want %d", query, l.Total, want.total)
			}
			if cursor = l.Next; cursor == "" {
				break
			}
		}
		if len(names) != want.total || names[0] != want.first || names[len(names)-1] != want.last {
			t.Errorf("%s: %d from %s to %s, want %+v", query, len(names), names[0], names[len(names)-1], want)
		}
	}
	if r, body := o.send(t, request{path: "/experiments?run_status=done"}); r.StatusCode != http.StatusBadRequest || !strings.Contains(body, "/experiments") {
		t.Errorf("a state that there is not: %d", r.StatusCode)
	}
	_, page := o.send(t, request{path: "/experiments?sort=name&run_status=failed&search=copy"})
	for _, want := range []string{"12 experiments", `href="/experiments/copy-00010"`, `<option value="failed" selected>`, `value="copy"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	_, page = o.send(t, request{path: "/experiments?lang=zh"})
	if !strings.Contains(page, "121 个实验") || !strings.Contains(page, `href="/experiments?cursor=`) {
		t.Errorf("the page in Chinese: %.2000s", page)
	}
}

// A list shows what an experiment found only after somebody has looked at it, is no look itself, and asks the ledger nothing. It
// says what the comparison by the plan does.
func TestHeadlines(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	mustCopies(t, o.app, 10)
	type headline struct {
		Experiment  string `json:"experiment_name"`
		State       string
		Metric, Arm string
		Verdict     string
		Text        string
		Difference  float64
		Months      []int
		Path        []float64
	}
	headlines := func() []headline {
		t.Helper()
		_, body := o.send(t, request{path: "/api/v1/headlines?experiment_names=copy-00010,vat,copy-00001,gone"})
		var got struct{ Headlines []headline }
		if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Headlines) != 3 {
			t.Fatalf("%d headlines, %v: %.300s", len(got.Headlines), err, body)
		}
		return got.Headlines
	}
	for range 2 {
		for k, want := range []string{"unfinished", "unread", "unread"} {
			if got := headlines()[k]; got.State != want || got.Text != "" {
				t.Errorf("%s is %q, want %q: %s", got.Experiment, got.State, want, got.Text)
			}
		}
	}
	o.send(t, request{path: "/api/v1/experiments/vat/series?metric=real_consumption"}) // a look
	got := headlines()[1]
	compared, err := o.app.Lab.Compare(t.Context(), []string{"vat"}, inference.Choice{}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	row := compared.Rows[0]
	if got.State != "shown" || got.Metric != row.Metric || got.Arm != row.Arm || got.Verdict != string(row.Verdict) ||
		got.Difference != float64(row.Difference) || got.Text == "" {
		t.Errorf("the list says %+v, the comparison %+v", got, row)
	}
	if compared.Asked != 0 {
		t.Errorf("the ledger has counted %d hypotheses", compared.Asked)
	}
	control, err := o.app.Lab.Series(t.Context(), "vat", "control", row.Metric, "mean", 12, 12, 1)
	if err != nil {
		t.Fatal(err)
	}
	treated, err := o.app.Lab.Series(t.Context(), "vat", "vat", row.Metric, "mean", 12, 12, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := float64(treated.Data[0] - control.Data[0])
	if n := len(got.Path); n != 12 || got.Months[11] != 12 || math.Abs(got.Path[11]-want) > 1e-9*math.Abs(want) {
		t.Errorf("the path in month 12 is %v, want %g", got.Path, want)
	}
	if again := headlines()[1]; !reflect.DeepEqual(again, got) {
		t.Errorf("asked again: %+v, not %+v", again, got)
	}
}

// BenchmarkExperimentsPage is a page of the list, and its headlines, of 5,000 experiments.
func BenchmarkExperimentsPage(b *testing.B) {
	o := mustSite(b, everyone)
	o.mustExperiment(b, "vat", small)
	mustCopies(b, o.app, 5000)
	if _, err := o.app.Lab.Series(b.Context(), "vat", "vat", "cpi", "mean", 0, 0, 0); err != nil { // a look
		b.Fatal(err)
	}
	for name, path := range map[string]string{
		"newest": "/experiments", "name": "/experiments?sort=name&cursor=copy-02500", "search": "/experiments?search=copy-04",
		"headlines": "/api/v1/headlines?experiment_names=vat,copy-00001,copy-00002",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if r, _ := o.send(b, request{path: path}); r.StatusCode != http.StatusOK {
					b.Fatal(r.StatusCode)
				}
			}
		})
	}
}
