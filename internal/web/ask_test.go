package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/store"
)

// reading is what the API answers of a question.
type reading struct {
	Status string
	Parts  []struct {
		Text, Kind, Note string
		From, To         int
	}
	Asked []struct {
		Ask     string
		Choices []struct {
			Said    string
			Inquiry json.RawMessage
		}
	} `json:"asked_back"`
	Assumed, Nearest []string
	Proposal         *plan
}

// plan is what the API answers of an inquiry.
type plan struct {
	ReadBack string `json:"read_back"`
	Assumed  []string
	Arms     []string
	Changes  []struct {
		Label string
		Cells []string
	}
	Levers []struct {
		Pointer, Name, Unit, When string
		Value, From               any
		Min, Max, Factor          float64
		Left                      float64 `json:"slider_min"`
		Right                     float64 `json:"slider_max"`
	}
	Outcomes []struct{ Metric, Label string }
	Size     struct {
		Households, Months, Replications, Economies int
		Seconds                                     float64 `json:"estimated_seconds"`
		Memory                                      int64   `json:"memory_bytes"`
		Lines                                       []string
	}
	Power    string
	PlanHash string `json:"plan_hash"`
	Inquiry  json.RawMessage
}

// post sends JSON and reads what is answered, which must be good.
func (o *opened) post(t *testing.T, path string, body, into any) {
	t.Helper()
	r, text := o.send(t, request{method: "POST", path: "/api/v1" + path, body: body, token: "token-of-ada-0001"})
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, r.StatusCode, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

func (o *opened) mustRead(t *testing.T, args map[string]any) (r reading) {
	t.Helper()
	o.post(t, "/ask/read", args, &r)
	return r
}

func asking(question string) map[string]any { return map[string]any{"question": question} }

// Each part of a question is told, in its order and by its code points, with what it became; all together are the question.
func TestPartsOfQuestion(t *testing.T) {
	o := mustSite(t, withTokens)
	for _, tt := range []struct {
		question, language string
		used               map[string]string // part by what it became
		left               []string
	}{
		{
			"What happens to prices if VAT rises from 8% to 10%?", "",
			map[string]string{"outcome: Consumer prices": "prices", "VAT": "VAT", "the value after the change": "to 10%"}, nil,
		},
		{"What if 👩‍👩‍👧 VAT rises to 10% 𝒲?", "", map[string]string{"VAT": "VAT"}, []string{"𝒲"}},
		{"把增值税从8%提高到10%会怎样？", "", map[string]string{"增值税": "增值税", "变化的方向": "提高"}, nil},
		{"把增值税从8%提高到10%会怎样？", "en", map[string]string{"VAT": "增值税", "which way it changes": "提高"}, nil},
		{"Who wins the world cup?", "", map[string]string{"outcome: Income Gini": "Who wins"}, []string{"world cup"}},
		{"房价会跌吗？", "", nil, []string{"房价"}},
		{"What does a tariff of 10% do in Germany?", "", map[string]string{"the scenario de_like": "Germany"}, nil},
	} {
		args := asking(tt.question)
		args["language"] = tt.language
		r := o.mustRead(t, args)
		all, at := "", 0
		used, left := map[string]string{}, []string(nil)
		for _, p := range r.Parts {
			if p.From != at || p.To != at+len([]rune(p.Text)) {
				t.Errorf("%q: %q from %d to %d, after %d", tt.question, p.Text, p.From, p.To, at)
			}
			all, at = all+p.Text, p.To
			switch p.Kind {
			case "used":
				used[p.Note] = p.Text
			case "left_over":
				left = append(left, p.Text)
			}
		}
		if all != tt.question {
			t.Errorf("the parts of %q are %q", tt.question, all)
		}
		for note, text := range tt.used {
			if used[note] != text {
				t.Errorf("%q: %q is %q, want %q of %v", tt.question, note, used[note], text, used)
			}
		}
		if !slices.Equal(left, tt.left) {
			t.Errorf("%q: left over %q, want %q", tt.question, left, tt.left)
		}
	}
}

// A question that is understood is proposed with its arms, levers and sizes; what was asked beside it counts.
func TestReadyQuestion(t *testing.T) {
	o := mustSite(t, withTokens)
	r := o.mustRead(t, map[string]any{
		"question": "What happens to prices if VAT rises from 8% to 10%?", "households": 500, "months": 24, "replications": 5, "base": "crisis",
	})
	p := r.Proposal
	if r.Status != "ready" || p == nil {
		t.Fatalf("it is %s", r.Status)
	}
	if !slices.Equal(p.Arms, []string{"control", "vat_rate_10"}) || len(p.Changes) != 1 || p.Changes[0].Label != "VAT (vat_rate)" ||
		!slices.Equal(p.Changes[0].Cells, []string{"8%", "10%, from month 1 on"}) {
		t.Errorf("the arms %v: %v", p.Arms, p.Changes)
	}
	l := p.Levers[0]
	if len(p.Levers) != 1 || l.Pointer != "/arms/vat_rate_10/events/0/set/vat_rate" || l.Value != .1 || l.From != .08 ||
		l.Min != 0 || l.Max != .6 || l.Factor != 100 || l.Unit != "% of the net price" || l.Left > .08 || l.Right < .1 {
		t.Errorf("the lever: %+v", l)
	}
	if s := p.Size; s.Households != 500 || s.Months != 24 || s.Replications != 5 || s.Economies != 10 ||
		s.Seconds <= 0 || s.Memory <= 0 || len(s.Lines) != 4 {
		t.Errorf("the size: %+v", s)
	}
	if p.Outcomes[0].Metric != "cpi" || p.Outcomes[0].Label != "Consumer prices" || p.Power == "" || len(p.PlanHash) != 64 ||
		!strings.Contains(p.ReadBack, "the scenario crisis") || !strings.Contains(string(p.Inquiry), `"preset":"crisis"`) {
		t.Errorf("the proposal: %+v", p)
	}
	zh := o.mustRead(t, map[string]any{"question": "Raise VAT to 10%", "language": "zh"}).Proposal
	if zh.Changes[0].Cells[1] != "10%，自第1个月起" ||
		zh.Levers[0].Unit != "%（不含税价格之比）" || zh.Outcomes[0].Label != "实际消费" {
		t.Errorf("in Chinese: %+v", zh)
	}
	auto := o.mustRead(t, map[string]any{"question": "Raise VAT to 10%", "replications": "auto"}).Proposal
	if auto.Size.Replications != 100 || !strings.HasPrefix(auto.Size.Lines[0], "at most 200 economies") {
		t.Errorf("replications that are added: %+v", auto.Size)
	}
}

// What can be read in several ways is asked back with choices that can be planned as they are; what is beyond the model says so.
func TestAskedBack(t *testing.T) {
	o := mustSite(t, withTokens)
	r := o.mustRead(t, asking("Raise taxes"))
	if r.Status != "needs_clarification" || r.Proposal != nil || len(r.Asked) != 1 || len(r.Asked[0].Choices) != 3 {
		t.Fatalf("%+v", r)
	}
	for k, name := range []string{"income_tax_rate", "vat_rate", "corporate_tax_rate"} {
		c := r.Asked[0].Choices[k]
		var p plan
		o.post(t, "/ask/plan", map[string]any{"inquiry": c.Inquiry}, &p)
		if p.Levers[0].Name != name || !slices.Contains(p.Assumed, c.Said) {
			t.Errorf("%s became %+v, assumed %q", c.Said, p.Levers, p.Assumed)
		}
		if other := strings.Contains(strings.Join(p.Assumed, " "), "income tax"); other != (name == "income_tax_rate") {
			t.Errorf("of %s is assumed %q", c.Said, p.Assumed)
		}
	}
	two := o.mustRead(t, asking("Is it better to cut income tax or to raise unemployment benefits when the economy is in crisis?"))
	if len(two.Asked) != 2 {
		t.Fatalf("%+v", two)
	}
	var p plan // the other question is answered as first proposed, and the record says so
	o.post(t, "/ask/plan", map[string]any{"inquiry": two.Asked[0].Choices[1].Inquiry}, &p)
	if taken := two.Asked[1].Ask + " " + two.Asked[1].Choices[0].Said; !slices.Contains(p.Assumed, taken) || len(p.Levers) != 2 {
		t.Errorf("no %q among %q", taken, p.Assumed)
	}
	if r := o.mustRead(t, asking("谁会赢得世界杯？")); r.Status != "out_of_scope" || r.Proposal != nil || len(r.Nearest) == 0 {
		t.Errorf("the world cup: %+v", r)
	}
}

// A value that was moved makes another plan, and the record says so; what the reader made of the question keeps what it assumed.
func TestMovedValue(t *testing.T) {
	o := mustSite(t, withTokens)
	read := o.mustRead(t, asking("What if we give everyone 500 a month?")).Proposal
	var same, moved plan
	o.post(t, "/ask/plan", map[string]any{"inquiry": read.Inquiry}, &same)
	if len(read.Assumed) == 0 || !slices.Equal(same.Assumed, read.Assumed) || same.PlanHash != read.PlanHash {
		t.Errorf("the same inquiry: %s, assumed %q; was %s, %q", same.PlanHash, same.Assumed, read.PlanHash, read.Assumed)
	}
	text := strings.Replace(string(read.Inquiry), "0.16666667", "0.3", 1)
	o.post(t, "/ask/plan", map[string]any{"inquiry": json.RawMessage(text)}, &moved)
	if moved.PlanHash == read.PlanHash || moved.Levers[0].Value != .3 ||
		!strings.Contains(strings.Join(moved.Assumed, " "), "changed by hand") {
		t.Errorf("30 percent: %+v", moved)
	}
}

// What is wrong with an inquiry names the field, and changes nothing.
func TestWrongInquiries(t *testing.T) {
	o := mustSite(t, withTokens)
	for body, want := range map[string]string{
		`{"inquiry":{"arms":{"a":{"set":{"vat_rate":2}}}}}`:                                        "vat_rate",
		`{"inquiry":{"arms":{"a":{"set":{"vat_rat":0.2}}}}}`:                                       "vat_rat",
		`{"inquiry":{"design":{"months":0}}}`:                                                      "months",
		`{"inquiry":{"background":{"set":{"num_households":3}}}}`:                                  "num_households",
		`{"inquiry":{"background":{"set":{"num_households":100000000}},"design":{"months":6000}}}`: "num_households",
		`{"inquiry":{"background":{"preset":"../secret"}}}`:                                        "preset",
		`{"inquiry":[]}`: "inquiry",
		`{}`:             "inquiry",
	} {
		for _, path := range []string{"/ask/plan", "/experiments"} {
			r, text := o.send(t, request{method: "POST", path: "/api/v1" + path, body: body, token: "token-of-ada-0001"})
			if r.StatusCode < 400 || r.StatusCode == http.StatusInternalServerError || !strings.Contains(text, want) ||
				strings.Contains(text, "column") {
				t.Errorf("%s %s: %d %s", path, body, r.StatusCode, text)
			}
		}
	}
	long := asking(strings.Repeat("税", 4001))
	r, text := o.send(t, request{method: "POST", path: "/api/v1/ask/read", body: long, token: "token-of-ada-0001"})
	if r.StatusCode < 400 {
		t.Errorf("4,001 characters: %d %s", r.StatusCode, text)
	}
	if _, total, _, err := o.app.Lab.List(t.Context(), store.Filter{}); err != nil || total != 0 {
		t.Errorf("%d experiments were begun, %v", total, err)
	}
}

// What is shown is what runs: the plan has the hash that was said, the experiment is captured with its question, and its end is noted.
func TestStartQuestion(t *testing.T) {
	o := mustSite(t, withTokens)
	p := o.mustRead(t, map[string]any{
		"question": "What if we give everyone 500 a month?", "households": 500, "months": 6, "replications": 2,
	}).Proposal
	begin := map[string]any{"inquiry": p.Inquiry, "plan_hash": p.PlanHash, "experiment_name": "gift"}
	start := func(token string) (int, string) {
		r, text := o.send(t, request{method: "POST", path: "/api/v1/experiments", body: begin, token: token})
		return r.StatusCode, text
	}
	if status, text := start("token-of-bob-0001"); status != http.StatusForbidden {
		t.Errorf("who may only read: %d %s", status, text)
	}
	begin["plan_hash"] = strings.Repeat("0", 64)
	if status, text := start("token-of-ada-0001"); status != http.StatusConflict {
		t.Errorf("another plan: %d %s", status, text)
	}
	begin["plan_hash"] = p.PlanHash
	var begun struct {
		Name     string `json:"experiment_name"`
		PlanHash string `json:"plan_hash"`
	}
	o.post(t, "/experiments", begin, &begun)
	if begun.Name != "gift" || begun.PlanHash != p.PlanHash {
		t.Fatalf("%+v, want the plan %s", begun, p.PlanHash)
	}
	if status, text := start("token-of-ada-0001"); status != http.StatusConflict {
		t.Errorf("the same name again: %d %s", status, text)
	}
	x, err := o.app.Store.Experiment(t.Context(), "gift")
	if err != nil {
		t.Fatal(err)
	}
	registered, _ := lab.RegistrationOf(x)
	if x.Principal != "ada" || x.Question != "What if we give everyone 500 a month?" || lab.PlanHash(x.Plan) != p.PlanHash ||
		!slices.Equal(registered.Assumed, p.Assumed) || len(p.Assumed) == 0 || x.Captured.Hypothesis == "" {
		t.Errorf("the record: %q of %s, %+v", x.Question, x.Principal, registered)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if s, err := o.app.Lab.Wait(ctx, "gift", nil); err != nil || s.State != "completed" {
		t.Fatalf("it is %s, %v", s.State, err)
	}
	noted := func() string {
		x, err := o.app.Store.Experiment(ctx, "gift")
		if err != nil {
			t.Fatal(err)
		}
		return x.Captured.Status
	}
	for tick := time.NewTicker(10 * time.Millisecond); noted() != "completed"; { // by the laboratory, soon after the end
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("its end is noted as %q", noted())
		}
	}
}

// The page reads a question without a script, takes a choice, says what is wrong beside its field, and shows hostile text as text.
func TestAskPage(t *testing.T) {
	o := mustSite(t, withTokens)
	get := func(token string, query url.Values) string {
		t.Helper()
		r, text := o.send(t, request{path: "/?" + query.Encode(), token: token})
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%v: %d %s", query, r.StatusCode, text)
		}
		return text
	}
	for name, tt := range map[string]struct {
		query  url.Values
		want   []string
		absent []string
	}{
		"nothing asked": {url.Values{}, []string{"For example", "/?question="}, []string{`id="plan"`, `id="understood"`}},
		"understood": {
			url.Values{"question": {"Raise VAT to 12%"}, "months": {"24"}},
			[]string{`<a class="mark used"`, "12%, from month 1 on", `placeholder="24"`}, nil,
		},
		"in Chinese": {
			url.Values{"question": {"增值税提高到12%会怎样？"}, "lang": {"zh"}},
			[]string{`lang="zh-Hans"`, "已读懂", "12%，自第1个月起"}, nil,
		},
		"asked back": {
			url.Values{"question": {"Raise taxes"}},
			[]string{"choice=2", "What does “taxes” mean here?"}, []string{`id="plan"`},
		},
		"chosen": {
			url.Values{"question": {"Raise taxes"}, "choice": {"2"}},
			[]string{"VAT (vat_rate)", `id="plan"`, "✓"}, nil,
		},
		"no such choice": {url.Values{"question": {"Raise taxes"}, "choice": {"99"}}, []string{"choice=2"}, []string{`id="plan"`}},
		"beyond": {
			url.Values{"question": {"Who wins the world cup?"}},
			[]string{"beyond what the model can say", "not used"}, []string{`id="plan"`},
		},
		"wrong months": {
			url.Values{"question": {"Raise VAT to 12%"}, "months": {"-3"}},
			[]string{`id="wrong-months" role="alert">months = -3`}, []string{`id="plan"`},
		},
		"wrong economy": {
			url.Values{"question": {"Raise VAT to 12%"}, "base": {"nowhere"}},
			[]string{`id="wrong-base" role="alert">unknown`}, []string{`id="plan"`},
		},
		"hostile": {
			url.Values{"question": {"Raise VAT to 12% <script>alert(1)</script>\u202e"}, "base": {`"><script>`}},
			[]string{"&lt;script&gt;"}, []string{"<script>alert", `"><script>`},
		},
		"too long": {url.Values{"question": {strings.Repeat("tax ", 2000)}}, []string{"4,000 characters"}, []string{`id="plan"`}},
	} {
		page := get("token-of-ada-0001", tt.query)
		for _, want := range tt.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in %s", name, want, page)
			}
		}
		for _, absent := range tt.absent {
			if strings.Contains(page, absent) {
				t.Errorf("%s: %q in the page", name, absent)
			}
		}
	}
	page := get("token-of-bob-0001", url.Values{"question": {"Raise VAT to 12%"}})
	if !strings.Contains(page, `data-writes="false"`) || !strings.Contains(page, "12%, from month 1 on") {
		t.Errorf("who may only read: %s", page)
	}
}

// Each example that the page offers is understood without asking back.
func TestExamples(t *testing.T) {
	o := mustSite(t, withTokens)
	for _, language := range []string{"en", "zh"} {
		_, page := o.send(t, request{path: "/?lang=" + language, token: "token-of-ada-0001"})
		n := 0
		for _, rest := range strings.Split(page, `href="/?question=`)[1:] {
			text, _, _ := strings.Cut(rest, `"`)
			question, err := url.QueryUnescape(html.UnescapeString(text))
			if err != nil {
				t.Fatal(err)
			}
			if r := o.mustRead(t, asking(question)); r.Status != "ready" {
				t.Errorf("%s is %s: %s", question, r.Status, fmt.Sprint(r.Asked))
			}
			n++
		}
		if n < 4 {
			t.Errorf("%d examples in %s", n, language)
		}
	}
}
