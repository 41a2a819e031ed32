package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/figures"
	"econ-mcp/internal/sweep/hosted"
	"econ-mcp/tools"
)

// sweepOperations are those on sweeps.
func (s *Site) sweepOperations() []operation {
	return []operation{
		reads("/sweeps", "list_sweeps", "All sweeps, newest first.", s.listSweeps),
		reads("/sweeps/{sweep_name}", "read_sweep", "A sweep: how far it is, and its design.", s.readSweep),
		reads("/sweeps/{sweep_name}/sensitivity", "read_sensitivity",
			"Of a completed sweep: for each outcome the factors with their indices, the strongest first, and where the sign flips.", s.readSensitivity),
		reads("/sweeps/{sweep_name}/points", "read_points", "The points of a completed sweep with what was measured there of one outcome.", s.readPoints),
		reads("/sweeps/{sweep_name}/map", "read_map", "An outcome of a completed sweep over one or two factors: means of the points in cells.", s.readMap),
		reads("/sweeps/{sweep_name}/figures", "list_sweep_figures", "The figures of a completed sweep, with what stands under them.", s.listSweepFigures),
		answers("/sweeps/{sweep_name}/figures/{figure}", "read_sweep_figure", "image/svg+xml", "A figure of a completed sweep, as SVG.", s.readSweepFigure),
		answers("/sweeps/{sweep_name}/files/{file}", "read_sweep_file", "application/octet-stream",
			"A file of a sweep: design.yaml, points.csv, results.parquet or sensitivity.json.", s.readSweepFile),
		writes("/sweeps/plan", "plan_sweep", "Says how many points and economies a design has and how long they take, and begins nothing.", s.planSweep),
		writes("/sweeps", "run_sweep", "Begins a sweep, or goes on with it where one of this name has the same design.", s.runSweep),
		writes("/sweeps/{sweep_name}/stop", "stop_sweep", "Ends a sweep after the months under way. What was simulated stays.", s.stopSweep),
		writes("/sweeps/{sweep_name}/resume", "resume_sweep", "Goes on with a sweep that was stopped or interrupted.", s.resumeSweep),
	}
}

// sweepRow is how far a sweep is.
type sweepRow struct {
	Name      string   `json:"sweep_name"`
	State     string   `json:"run_status" enum:"planning,queued,running,stopped,interrupted,failed,completed"`
	Running   bool     `json:"running"`
	Kind      string   `json:"kind" doc:"how points are chosen"`
	Points    int      `json:"points"`
	Economies int      `json:"economies" doc:"that the points need, each once"`
	Ready     int      `json:"simulated" doc:"of them; of a list only those of sweeps that run here"`
	Seconds   *float64 `json:"eta_seconds" doc:"that are left; null where nobody can say"`
	Hash      string   `json:"design_hash"`
	Created   string   `json:"created_at"`
	Owner     string   `json:"owner" doc:"empty = who runs the program"`
	Error     string   `json:"error"`
}

func sweepRowOf(st hosted.Status) sweepRow {
	r := sweepRow{
		Name: st.Name, State: string(st.State), Running: !st.State.Ended(), Kind: string(st.Kind), Points: st.Points, Economies: st.Economies,
		Ready: min(st.Known+st.Done, st.Economies), Seconds: st.Seconds, Hash: st.Hash, Created: st.Created.UTC().Format(time.RFC3339),
		Owner: st.Owner.Principal, Error: st.Error,
	}
	if st.State == hosted.Completed {
		r.Ready = r.Economies
	}
	return r
}

// At is when the sweep was begun.
func (r sweepRow) At() time.Time {
	t, _ := time.Parse(time.RFC3339, r.Created) // it was written so
	return t
}

// Left says how long the rest takes; empty where nobody can say.
func (r sweepRow) Left(language string) string {
	if r.Seconds == nil {
		return ""
	}
	return lasting(*r.Seconds, language)
}

type sweepListAnswer struct {
	Total  int        `json:"total"`
	Sweeps []sweepRow `json:"sweeps"`
	Next   string     `json:"next_cursor" doc:"empty after the last"`
}

func (s *Site) listSweeps(_ context.Context, _ *tools.Call, in tools.Page) (sweepListAnswer, error) {
	list := s.Sweeps.List()
	out := sweepListAnswer{Total: len(list)}
	if in.Cursor != "" {
		k := slices.IndexFunc(list, func(st hosted.Status) bool { return st.Name == in.Cursor })
		if k < 0 {
			return out, fault.New(fault.NotFound, "cursor", "the list has no sweep %.100q", in.Cursor).WithHint("begin with the first page")
		}
		list = list[k+1:]
	}
	for _, st := range list[:min(in.Limit, len(list))] {
		out.Sweeps = append(out.Sweeps, sweepRowOf(st))
	}
	if len(list) > in.Limit {
		out.Next = list[in.Limit-1].Name
	}
	return out, nil
}

type sweepArgs struct {
	Name tools.Name `json:"sweep_name"`
	languageArgs
}

// factorAnswer is a number of the inquiry that varies.
type factorAnswer struct {
	Name   string    `json:"factor"`
	Label  string    `json:"label"`
	Unit   string    `json:"unit"`
	Scale  float64   `json:"scale" doc:"100 where people read it in percent, else 1"`
	Log    bool      `json:"log" doc:"spread evenly in logs"`
	Low    float64   `json:"low" doc:"of the range"`
	High   float64   `json:"high"`
	Values []float64 `json:"values" doc:"that it takes; empty = all of the range"`

	of figures.Factor
}

// Said is the range, or the values, in words.
func (f factorAnswer) Said(language string) string {
	if len(f.Values) > 0 {
		var texts []string
		for _, x := range f.Values {
			texts = append(texts, f.of.Text(x))
		}
		return joinedWords(texts, language)
	}
	text := f.of.Text(f.Low) + inLanguage(language, " to ", " 至 ") + f.of.Text(f.High)
	if f.Log {
		text += inLanguage(language, ", evenly in logs", "，按对数均匀")
	}
	return text
}

type outcomeAnswer struct {
	Number int     `json:"outcome" doc:"its number, as other calls take it"`
	Title  string  `json:"title"`
	Metric string  `json:"metric"`
	From   int     `json:"from_month"`
	To     int     `json:"to_month"`
	Arm    string  `json:"arm"`
	With   string  `json:"with" doc:"arm that is subtracted; empty: a level"`
	Share  bool    `json:"relative" doc:"share of that arm's mean"`
	Unit   string  `json:"unit" doc:"of values times scale"`
	Scale  float64 `json:"scale" doc:"100 where people read it in percent, else 1"`
}

type sweepAnswer struct {
	sweepRow
	Question string          `json:"question"`
	Text     string          `json:"text" doc:"what is done at each point, in words"`
	Metrics  []string        `json:"metrics" doc:"what is measured, in words"`
	Factors  []factorAnswer  `json:"factors"`
	Outcomes []outcomeAnswer `json:"outcomes" doc:"once it is completed"`
}

func (s *Site) readSweep(_ context.Context, _ *tools.Call, in sweepArgs) (sweepAnswer, error) {
	st, err := s.Sweeps.Status(string(in.Name))
	if err != nil {
		return sweepAnswer{}, err
	}
	out := sweepAnswer{sweepRow: sweepRowOf(st)}
	d, err := s.Sweeps.Design(st.Name)
	switch {
	case st.State == hosted.Planning && err != nil: // its design is written when its points are made
		return out, nil
	case err != nil && st.Error != "":
		return out, nil // the state says why it cannot be read
	case err != nil:
		return out, err
	}
	q := d.Inquiry
	out.Question, out.Text = q.Question, q.ReadBack(in.Language)
	for _, o := range q.Outcomes {
		out.Metrics = append(out.Metrics, report.Label(o.Metric, in.Language))
	}
	out.Factors = factorsOf(d, nil, in.Language)
	if st.State == hosted.Completed {
		doc, err := s.Sweeps.Found(st.Name)
		if err != nil {
			return out, err
		}
		for k, found := range doc.Sensitivity {
			out.Outcomes = append(out.Outcomes, outcomeOf(d, k, found.Quantity, in.Language))
		}
	}
	return out, nil
}

func factorsOf(d *sweep.Design, points [][]float64, language string) (list []factorAnswer) {
	for k, f := range figures.Factors(d, points, language) {
		values := d.Factors[k].Values
		low, high := d.Factors[k].Low, d.Factors[k].High
		if values != nil {
			low, high = slices.Min(values), slices.Max(values)
		}
		list = append(list, factorAnswer{d.Factors[k].Name, f.Label, f.Unit, f.By, f.Log, low, high, values, f})
	}
	return list
}

func outcomeOf(d *sweep.Design, number int, q sweep.Quantity, language string) outcomeAnswer {
	named := figures.Named(d, q, language)
	return outcomeAnswer{number, named.Title, q.Metric, q.From, q.To, q.Arm, q.With, q.Share, named.Unit, named.By}
}

// planSweepArgs are a design that is to be carried out.
type planSweepArgs struct {
	Design string `json:"design" min:"1" max:"200000" doc:"YAML with inquiry, factors and design, as econ-mcp sweep takes it"`
}

type sweepSize struct {
	Points    int     `json:"points"`
	Economies int     `json:"economies" doc:"that the points need, each once"`
	BurnIns   int     `json:"burn_ins" doc:"distinct ones"`
	Seconds   float64 `json:"estimated_seconds" doc:"on this machine, as fast as it is now"`
	Hash      string  `json:"design_hash"`
}

func (s *Site) planSweep(ctx context.Context, _ *tools.Call, in planSweepArgs) (sweepSize, error) {
	size, err := s.Sweeps.Estimate(ctx, []byte(in.Design))
	return sweepSize(size), err
}

type runSweepArgs struct {
	planSweepArgs
	Name tools.Name `json:"sweep_name,omitempty" doc:"Default: sweep_{kind}_{time}"`
}

// planning is how long a call waits for the points of a design.
const planning = 30 * time.Second

func (s *Site) runSweep(ctx context.Context, c *tools.Call, in runSweepArgs) (sweepRow, error) {
	st, err := s.Sweeps.Begin(ctx, c.Caller, string(in.Name), []byte(in.Design), planning)
	if err != nil {
		return sweepRow{}, err
	}
	return sweepRowOf(st), nil
}

type sweepNameArgs struct {
	Name tools.Name `json:"sweep_name"`
}

func (s *Site) stopSweep(ctx context.Context, c *tools.Call, in sweepNameArgs) (sweepRow, error) {
	st, err := s.Sweeps.Stop(ctx, c.Caller, string(in.Name))
	if err != nil {
		return sweepRow{}, err
	}
	return sweepRowOf(st), nil
}

func (s *Site) resumeSweep(ctx context.Context, c *tools.Call, in sweepNameArgs) (sweepRow, error) {
	text, err := s.Sweeps.File(string(in.Name), sweep.DesignFile)
	if err != nil {
		return sweepRow{}, err
	}
	return s.runSweep(ctx, c, runSweepArgs{planSweepArgs{string(text)}, in.Name})
}

func (s *Site) sweepPages() []shown {
	return []shown{
		{Pattern: "/sweeps", Template: "sweeps", Here: "/sweeps", Script: "sweeps.js", Style: "sweeps.css", Data: s.sweepsPage},
		{Pattern: "/sweeps/{sweep_name}", Template: "sweep", Here: "/sweeps", Script: "sweep.js", Style: "sweeps.css", Data: s.sweepPage},
	}
}

// exampleDesign is a design that begins with what there is: a minute of work that shows what sweeps are.
const exampleDesign = `inquiry:
  question: On what does the effect of a higher VAT depend?
  background: {set: {num_households: 1000}}
  arms: {vat: {events: [{set: {vat_rate: 12%}, from: 1}]}}
  outcomes:
    - {metric: real_consumption, window: [1, 24]}
    - {metric: unemployment_rate, window: [1, 24]}
  design: {months: 24, replications: 2, burn_in: 24}
factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  consumption_habit: {from: 0.5, to: 0.9}
  wage_adjustment_rate: {from: 0.0001, to: 0.01, log: true}
design: {kind: latin_hypercube, points: 40}
`

// sweepsData is what the list of sweeps shows.
type sweepsData struct {
	sweepListAnswer
	Example string
	Kinds   []kindText
}

// kindText says what a kind of design is for.
type kindText struct {
	Kind sweep.Kind
	Text string
}

func kindTexts(language string) (list []kindText) {
	for _, k := range sweep.Kinds {
		list = append(list, kindText{k, kindWords[k].in(language)})
	}
	return list
}

// text is said in two languages.
type text struct{ en, zh string }

func (t text) in(language string) string { return inLanguage(language, t.en, t.zh) }

var kindWords = map[sweep.Kind]text{
	sweep.OneAtATime:     {"each factor alone, the others at their base", "逐个变动因素，其余保持基准值"},
	sweep.Factorial:      {"all combinations of the factors' values", "因素取值的全部组合"},
	sweep.Fractional:     {"a regular part of all combinations of both ends", "两端取值全部组合中的规则部分"},
	sweep.List:           {"the points that the design lists", "设计中列出的点"},
	sweep.LatinHypercube: {"points that spread evenly over each factor (Latin hypercube)", "在各因素上均匀分布的点（拉丁超立方）"},
	sweep.Sobol:          {"points that fill the space evenly (Sobol' sequence)", "均匀填充空间的点（Sobol'序列）"},
	sweep.Morris:         {"screening: paths that move one factor at a time (Morris)", "筛选：逐次变动一个因素的路径（Morris法）"},
	sweep.SobolIndices:   {"shares of variance of each factor (Sobol' indices)", "各因素的方差份额（Sobol'指数）"},
}

// stateWords are the states of sweeps.
var stateWords = map[hosted.State]text{
	hosted.Planning: {"planning", "制定中"}, hosted.Queued: {"queued", "排队中"}, hosted.Running: {"running", "运行中"},
	hosted.Stopped: {"stopped", "已停止"}, hosted.Interrupted: {"interrupted", "已中断"}, hosted.Failed: {"failed", "失败"},
	hosted.Completed: {"completed", "已完成"},
}

// StateIn is the state in words.
func (r sweepRow) StateIn(language string) string {
	return stateWords[hosted.State(r.State)].in(language)
}

// KindIn is how points are chosen, in words.
func (r sweepRow) KindIn(language string) string { return kindWords[sweep.Kind(r.Kind)].in(language) }

func (s *Site) sweepsPage(r *http.Request, p *page) (any, error) {
	p.Title = p.T("Sweeps", "参数扫描")
	list, err := s.listSweeps(r.Context(), nil, tools.Page{Limit: 50, Cursor: r.URL.Query().Get("cursor")})
	return sweepsData{list, exampleDesign, kindTexts(p.Language)}, err
}

// sweepData is what the page of a sweep shows.
type sweepData struct {
	sweepAnswer
	Mine        bool // the caller may stop it and go on
	Sensitivity []sensitivityTable
	Map         *mapData
	Files       []string
}

func (s *Site) sweepPage(r *http.Request, p *page) (any, error) {
	name := r.PathValue("sweep_name")
	p.Title = name
	in := sweepArgs{tools.Name(name), languageArgs{p.Language}}
	answer, err := s.readSweep(r.Context(), nil, in)
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Kind == fault.NotFound {
		e.Hint = cmp.Or(e.Hint, p.T("the page Sweeps lists all", "“参数扫描”页列出全部"))
	}
	if err != nil {
		return nil, err
	}
	d := sweepData{sweepAnswer: answer, Files: []string{sweep.DesignFile}}
	d.Mine = p.Caller.Role == access.Admin || p.Writes() && p.Caller.Principal == answer.Owner
	if answer.State != string(hosted.Completed) {
		return d, nil
	}
	d.Files = hosted.Files
	doc, err := s.Sweeps.Found(name)
	if err != nil {
		return nil, err
	}
	design, err := s.Sweeps.Design(name)
	if err != nil {
		return nil, err
	}
	if d.Sensitivity = tablesOf(doc, design, p.Language); len(d.Sensitivity) > mostTables {
		d.Sensitivity = d.Sensitivity[:mostTables]
	}
	d.Map, err = s.mapOf(r, name, design, doc, p.Language)
	return d, err
}

// mostTables are shown on a page; the API has all.
const mostTables = 12
