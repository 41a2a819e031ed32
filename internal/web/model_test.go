package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"econ-mcp/docs"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/param"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// modelSite is a site on a store of its own, whose every visitor is its operator.
func modelSite(t *testing.T) (http.Handler, *lab.Laboratory) {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	library, err := param.OpenLibrary(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	cache := run.Cache{Dir: filepath.Join(dir, "burn-in")}
	runs := run.NewManager(run.Settings{Threads: 1, MemoryBytes: 1 << 30, Cache: cache})
	t.Cleanup(func() {
		if err := runs.Close(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	l := &lab.Laboratory{Runs: runs, Store: st, Scenarios: library, Cache: cache, Version: "test"}
	return (&Site{Lab: l, Library: library, Version: "test", Everyone: true}).Handler(), l
}

// modelVisit asks for an address.
func modelVisit(t *testing.T, site http.Handler, address string) (status int, body string) {
	t.Helper()
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	return w.Code, w.Body.String()
}

// Whoever adds a phase, a section, a category, a sector or a row of the books names it in both languages.
func TestModelHasWords(t *testing.T) {
	named := func(what string, w modelWords) {
		if w.En == "" || w.Zh == "" {
			t.Errorf("%s has the names %q and %q", what, w.En, w.Zh)
		}
	}
	for _, name := range sim.Phases() {
		of := monthPhases[name]
		named("phase "+name, of.modelWords)
		if modelSectionOf(of.section) == nil {
			t.Errorf("phase %s is told in section %q, which there is not", name, of.section)
		}
	}
	if len(monthPhases) != len(sim.Phases()) {
		t.Errorf("%d phases have names, the month has %d", len(monthPhases), len(sim.Phases()))
	}
	for _, s := range docs.Sections() {
		named("section "+s.ID, modelWords{s.Title, modelTitlesZH[s.ID]})
	}
	for _, category := range sim.Categories() {
		named("category "+category, modelCategoryNames[category])
	}
	for s := range sim.NumSectors {
		named("sector "+s.String(), bookSectors[s.String()])
	}
	p := sim.Defaults()
	p.NumHouseholds = 500
	e, err := sim.New(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.Step(); err != nil {
		t.Fatal(err)
	}
	b, rows := e.Books(), 0
	for _, list := range [][]sim.BookEntry{b.Assets, b.Claims, b.Payments, b.Losses} {
		for _, row := range list {
			named("row "+row.ID, bookEntries[row.ID])
			rows++
		}
	}
	if rows != len(bookEntries) {
		t.Errorf("%d rows have names, the books have %d", len(bookEntries), rows)
	}
}

var (
	modelTags  = regexp.MustCompile(`<[^>]*>`)
	modelCodes = regexp.MustCompile(`<code>[^<]*</code>`)
	asWritten  = regexp.MustCompile(`\^|_[\p{L}\p{N}](?:[^\p{L}\p{N}_]|$)|\*\*|\|---`) // what Markdown and formulas are made of
	modelLinks = regexp.MustCompile(`href="(/model[^"]*)"`)
)

// The description's sections are whole as HTML: formulas with their indices and powers, nothing that the policy of the pages
// forbids, and links that lead somewhere.
func TestModelSections(t *testing.T) {
	site, _ := modelSite(t)
	for _, s := range docs.Sections() {
		text := string(modelHTML(s.ID))
		if strings.ContainsAny(text, subscript+endSubscript+superscript+endSuperscript+reference+endReference+star) {
			t.Errorf("section %s: a mark is left", s.ID)
		}
		if strings.Contains(text, "style=") || strings.Contains(text, "<script") || strings.Contains(text, "<!--") {
			t.Errorf("section %s has what the policy forbids", s.ID)
		}
		plain := modelTags.ReplaceAllString(modelCodes.ReplaceAllString(text, ""), "")
		if at := asWritten.FindStringIndex(plain); at != nil {
			t.Errorf("section %s shows something as it is written: …%.60s", s.ID, plain[max(0, at[0]-20):])
		}
	}
	for section, want := range map[string][]string{
		"7.2":  {"β<sub>π</sub> πᵉ", "(1 + r)<sup>n/12</sup>", `search=wage_memory_months"`},
		"7.13": {"φ<sub>u</sub> (u<sub>n</sub> − u)", `<a href="/model/7.16">7.16</a>`, "<code>taylorRate()</code>"},
		"7.9":  {"<sup>−<a class"},
		"7.19": {"share<sub>j</sub> + b<sub>j</sub> (ln x − c)"},
		"7.24": {"(y/C)<sup>(1−α)/α</sup>"},
		"7.17": {"(E P*<sub>j</sub>), X<sub>j</sub> those of the opening", "τ* = ", "−7.3 %"},
	} {
		for _, part := range want {
			if !strings.Contains(string(modelHTML(section)), part) {
				t.Errorf("section %s has no %q", section, part)
			}
		}
	}
	visited := map[string]bool{}
	for _, from := range []string{"/model", "/model/7.13", "/model/7.28", "/model/3"} {
		status, body := modelVisit(t, site, from)
		if status != http.StatusOK {
			t.Fatalf("%s answers %d", from, status)
		}
		for _, link := range modelLinks.FindAllStringSubmatch(body, -1) {
			address := strings.ReplaceAll(link[1], "&amp;", "&")
			if visited[address] {
				continue
			}
			visited[address] = true
			if status, _ := modelVisit(t, site, address); status != http.StatusOK {
				t.Errorf("%s leads to %s, which answers %d", from, address, status)
			}
		}
	}
	if len(visited) < 60 {
		t.Errorf("only %d addresses are linked", len(visited))
	}
}

func TestModelPages(t *testing.T) {
	site, _ := modelSite(t)
	for _, test := range []struct {
		address string
		status  int
		want    []string
		not     []string
	}{
		{"/model", 200, []string{"<h1>Model</h1>", sim.ModelVersion, `<li class="lane-8 row-`, "Policy rate", "Audit of the books"}, nil},
		{"/model?lang=zh", 200, []string{"<h1>模型</h1>", "政策利率", "账目审计", "子模型"}, []string{"Policy rate"}},
		{"/model/7.7?lang=zh", 200, []string{"7.7 家庭收入与支出", "以下说明为英文", `lang="en"`, "consumption_habit"}, nil},
		{"/model/7.99", 404, []string{"7.99"}, nil},
		{"/model/%3Cscript%3E?lang=en", 404, []string{"&lt;script&gt;"}, []string{"<script>"}},
		{"/model/parameters?search=vat", 200, []string{`id="vat_rate"`, "tax_vat", "0 to 0.6"}, []string{`id="innovation_probability"`}},
		{"/model/parameters?search=增值税", 200, []string{`id="vat_rate"`}, nil},
		{"/model/parameters?search=policy+smoothing", 200, []string{`id="policy_rate_smoothing"`}, []string{`id="income_smoothing"`}},
		{"/model/parameters?category=trade", 200, []string{`id="import_share"`}, []string{`id="vat_rate"`, "real_gdp"}},
		{"/model/parameters?search=%3Cscript%3Ealert(1)", 200, []string{"Nothing has all", "&lt;script&gt;"}, []string{"<script>alert"}},
		{"/model/parameters?category=nothing", 404, nil, nil},
		{"/model/books?lang=en", 200, []string{"No experiment"}, nil},
		{"/model/books?experiment=nobody", 404, []string{"nobody"}, nil},
		{"/model/books?month=x", 400, []string{"month"}, nil},
	} {
		status, body := modelVisit(t, site, test.address)
		if status != test.status {
			t.Errorf("%s answers %d, want %d", test.address, status, test.status)
		}
		for _, part := range test.want {
			if !strings.Contains(body, part) {
				t.Errorf("%s has no %q", test.address, part)
			}
		}
		for _, part := range test.not {
			if strings.Contains(body, part) {
				t.Errorf("%s has %q", test.address, part)
			}
		}
	}
}

// The books of a run are shown once they are worked out, with what adds up; the API has the same numbers as integers.
func TestModelBooks(t *testing.T) {
	site, l := modelSite(t)
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths, p.VATRate = 500, 6, .3
	started, err := l.Start(t.Context(), lab.Order{
		Name: "x", Scenario: scenario.New("treatment", p), Control: "baseline", Months: 6, Replications: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := l.Wait(t.Context(), started.Name, nil); err != nil || s.State != run.StateCompleted {
		t.Fatal(s.State, err)
	}
	status, body := modelVisit(t, site, "/model/books")
	if status != 200 || !strings.Contains(body, `data-wait="/model/books?`) || strings.Contains(body, `class="matrix"`) {
		t.Errorf("before the run is simulated again the page answers %d: %.300s", status, body)
	}
	status, body = modelVisit(t, site, "/model/books?experiment=x&wait=1")
	if status != 200 || strings.Count(body, `class="matrix"`) != 2 || !strings.Contains(body, "add up to exactly 0") {
		t.Fatalf("the page answers %d: %.300s", status, body)
	}
	status, body = modelVisit(t, site, "/model/books?experiment=x&arm=treatment&month=3&lang=zh")
	for _, part := range []string{"资产负债表", "净贷出", "货币单位", "month=2", "month=4", "存款", "前 6 个月"} {
		if status != 200 || !strings.Contains(strings.Join(strings.Fields(body), " "), part) {
			t.Errorf("another month of the run answers %d and has no %q", status, part)
		}
	}
	status, body = modelVisit(t, site, "/api/v1/model/books?experiment_name=x&month=3")
	var got booksAnswer
	if err := json.Unmarshal([]byte(body), &got); status != 200 || err != nil {
		t.Fatalf("%d, %v: %.300s", status, err, body)
	}
	if got.Month != 3 || got.Last != 6 || got.Compared != 6 || len(got.Violation) > 0 || len(got.Sectors) != int(sim.NumSectors) {
		t.Errorf("month %d of %d, %d compared, %v", got.Month, got.Last, got.Compared, got.Violation)
	}
	page := booksPage{Books: &got, language: func(en, _ string) string { return en }}
	if n := page.BookedOnce(); n < 20 || page.Checked()+n != len(page.rows())+len(got.Sectors) {
		t.Errorf("%d rows are booked once, %d rows and columns are checked", n, page.Checked())
	}
	for _, row := range got.Claims {
		line := bookLineOf(row.ID, row.Amounts, row.Within)
		if line.Sum != "0.000" || row.Sum != 0 {
			t.Errorf("%s adds up to %s", row.ID, line.Sum)
		}
	}
	for _, line := range []bookLine{page.Left(), page.Balanced()} {
		for k, cell := range line.Cells {
			if cell != "0.000" {
				t.Errorf("column %s adds up to %s", got.Sectors[k], cell)
			}
		}
	}
	for month, want := range map[string]int{"7": 400, "0": 200, "-1": 400} {
		if status, body := modelVisit(t, site, "/api/v1/model/books?experiment_name=x&month="+month); status != want {
			t.Errorf("month %s answers %d, want %d: %.200s", month, status, want, body)
		}
	}
}

// What does not add up is said, not hidden.
func TestModelBooksSayWhatDoesNotAddUp(t *testing.T) {
	row := func(amounts ...int64) sim.BookEntry {
		b := sim.BookEntry{ID: "wages"}
		copy(b.Amounts[:], amounts)
		return b
	}
	good := newBooksAnswer(lab.Booked{Books: sim.Books{Payments: []sim.BookEntry{row(5, -5)}, Changes: []sim.BookEntry{row(-5, 5)}}})
	if len(good.Violation) > 0 {
		t.Errorf("balanced books have violations: %v", good.Violation)
	}
	bad := newBooksAnswer(lab.Booked{Books: sim.Books{Payments: []sim.BookEntry{row(5, -4)}, BankEquity: 7}})
	for _, want := range []string{"column households: 5", "column firms: -4", "row wages: 1", "equity of banks: -7"} {
		if !strings.Contains(strings.Join(bad.Violation, "; "), want) {
			t.Errorf("%v does not say %s", bad.Violation, want)
		}
	}
}

func TestExactAmount(t *testing.T) {
	for x, want := range map[int64]string{
		0: "0.000", 1: "0.001", -1: "−0.001", 999_999: "999.999", 1_000_000: "1,000.000", -1_234_567_890: "−1,234,567.890",
	} {
		if got := exactAmount(x); got != want {
			t.Errorf("%d is %s, want %s", x, got, want)
		}
	}
}
