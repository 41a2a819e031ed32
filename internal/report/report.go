package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
)

// Formats and Languages are what a report may be written in.
var (
	Formats   = []string{"markdown", "html", "json"}
	Languages = []string{English, Chinese}
)

// Background is what a report tells beside the analysis: what was said before the
// experiment ran, and what became of its verdict under other behaviour. Its texts are in
// the language of the report.
type Background struct {
	Claim      *Claim       // that the experiment is to judge; nil = none
	Hypothesis string       // "" = the study's
	Plan       []Said       // what was planned, line by line
	PlanHash   string       // SHA-256 of the plan as it was stored; "" = no plan
	Robustness []Robustness // empty = not tried
	Found      inference.Found
	Repeat     string // a command that makes the same experiment from nothing; "" = none is known
}

// Said is a line of a plan.
type Said struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

// Robustness is the verdict of an experiment with one thing changed in
// both arms, from their burn-in on: a behavioural parameter or, of the structure, the size or the economy that they are; or with
// the parameters of a draw of a posterior.
type Robustness struct {
	Parameter      string            `json:"parameter,omitempty"`
	Factor         float64           `json:"factor,omitempty"` // of the value in the experiment itself
	Preset         string            `json:"preset,omitempty"`
	Posterior      string            `json:"posterior,omitempty"` // whose draw it is
	Draw           int               `json:"draw,omitempty"`      // from 1
	Set            string            `json:"set,omitempty"`       // parameters of the draw
	Estimated      string            `json:"estimated,omitempty"` // scenario of the posterior, where the experiment is of another
	Structure      bool              `json:"structure"`
	ExperimentName string            `json:"experiment_name"`
	Verdict        inference.Verdict `json:"verdict"`
	Outcome        string            `json:"outcome"` // of the hypothesis
	Difference     stats.Number      `json:"difference"`
	CILow          stats.Number      `json:"ci_low"`
	CIHigh         stats.Number      `json:"ci_high"`
	Percent        stats.Number      `json:"percent"` // of the control, with its interval: amounts of economies of different sizes
	PercentLow     stats.Number      `json:"percent_low"`
	PercentHigh    stats.Number      `json:"percent_high"`
	Kept           bool              `json:"kept"` // the verdict is that of the experiment itself
}

// Report is an experiment told for people: a list of sections in one language.
type Report struct {
	Experiment string             `json:"experiment_name"`
	Language   string             `json:"language"`
	Title      string             `json:"title"`
	Answer     string             `json:"answer"`
	Verdict    inference.Verdict  `json:"verdict,omitempty"` // on the hypothesis; left out where none was registered
	PlanHash   string             `json:"plan_hash,omitempty"`
	Robustness []Robustness       `json:"robustness,omitempty"`
	Found      inference.Found    `json:"found,omitzero"`
	Sections   []Section          `json:"sections"`
	Analysis   inference.Analysis `json:"analysis"`
	figures    []NamedFigure      // by the sections' names
}

// Section is a part of a report: paragraphs, then a table, then figures.
type Section struct {
	Name       string     `json:"-"` // the same in all languages
	Title      string     `json:"title"`
	Paragraphs []string   `json:"paragraphs"`
	Heads      []string   `json:"heads,omitempty"`
	Rows       [][]string `json:"rows,omitempty"`
	Code       string     `json:"code,omitempty"`
	Figures    []Caption  `json:"figures,omitempty"`
}

// Numeric says which columns of the table hold numbers only, which are aligned to the right.
func (s Section) Numeric() []bool { return table{s.Heads, s.Rows}.numeric() }

// say appends the paragraphs that are not empty.
func (s *Section) say(paragraphs ...string) {
	for _, text := range paragraphs {
		if text != "" {
			s.Paragraphs = append(s.Paragraphs, text)
		}
	}
}

// Caption names a figure and tells what stands under it.
type Caption struct {
	Name    string `json:"name"` // of [Report.Figures]
	Caption string `json:"caption"`
}

// New tells the analysis of a study in English ("en") or Chinese ("zh"). A cancelled context
// ends it early, with the context's error.
func New(ctx context.Context, s *tables.Study, a *inference.Analysis, b Background, language string) (*Report, error) {
	if !slices.Contains(Languages, language) {
		return nil, fault.Range("language", fmt.Sprintf("%q", language), Languages...)
	}
	r := &Report{
		Experiment: s.Name, Language: language, Title: s.Name, PlanHash: b.PlanHash, Robustness: b.Robustness, Found: b.Found, Analysis: *a,
	}
	if s.Question != "" {
		r.Title = s.Question
	}
	w := reportWriter{s: s, a: a, b: b, language: language, r: r}
	w.drawn = w.figures().Report(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name string
		told func() Section
	}{
		{"answer", w.answer}, {"found", w.found}, {"question", w.question}, {"plan", w.plan}, {"design", w.design}, {"beside", w.beside},
		{"results", w.results}, {"over_time", w.overTime}, {"distribution", w.distribution}, {"budget", w.budget},
		{"uncertainty", w.uncertainty}, {"robustness", w.robustness}, {"relations", w.relations}, {"innovation", w.innovation},
		{"interventions", w.interventions}, {"trust", w.trust}, {"method", w.method}, {"reproduction", w.reproduction},
	} {
		if s := part.told(); s.Title != "" {
			s.Name = part.name
			r.Sections = append(r.Sections, s)
		}
	}
	return r, nil
}

// Figures lists the figures of the report, in their order.
func (r *Report) Figures() []NamedFigure { return r.figures }

// Encode writes the report in one of [Formats]. Markdown names its figures as
// links relative to it (figures/NAME.svg), HTML holds them: no further one is drawn once
// the context is cancelled.
func (r *Report) Encode(ctx context.Context, format string) (string, error) {
	switch format {
	case "markdown":
		return r.markdown(), nil
	case "html":
		return r.html(ctx)
	case "json":
		data, err := json.MarshalIndent(r, "", "  ")
		return string(data), err
	}
	return "", fault.Range("format", fmt.Sprintf("%q", format), Formats...)
}

func (r *Report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", escapeCell(r.Title))
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		for _, p := range s.Paragraphs {
			fmt.Fprintf(&b, "\n%s\n", escapeCell(p))
		}
		if len(s.Rows) > 0 {
			b.WriteString("\n")
			table{s.Heads, s.Rows}.markdown(&b)
		}
		if s.Code != "" {
			fmt.Fprintf(&b, "\n```\n%s\n```\n", s.Code)
		}
		for _, f := range s.Figures {
			fmt.Fprintf(&b, "\n![%s](figures/%s.svg)\n\n*%s*\n", f.Name, f.Name, f.Caption)
		}
	}
	return b.String()
}

// Section is the part of a name, which all languages share; ok is false where the report has nothing to say there.
func (r *Report) Section(name string) (s Section, ok bool) {
	k := slices.IndexFunc(r.Sections, func(s Section) bool { return s.Name == name })
	if k < 0 {
		return Section{}, false
	}
	return r.Sections[k], true
}

// SVG is a figure as an element that may stand in a page, or alone in a file. One that
// the report does not have is [fault.NotFound].
func (r *Report) SVG(name string) ([]byte, error) {
	f, err := r.figure(name)
	if err != nil {
		return nil, err
	}
	data, err := plot.SVG(f)
	if err != nil {
		return nil, err
	}
	if at := bytes.Index(data, []byte("<svg")); at > 0 { // no XML declaration inside a page
		data = data[at:]
	}
	return bytes.TrimSpace(data), nil
}

// PNG is a figure as an image, with the error of [Report.SVG].
func (r *Report) PNG(name string) ([]byte, error) {
	f, err := r.figure(name)
	if err != nil {
		return nil, err
	}
	return plot.PNG(f)
}

// PDF is a figure as a page, with the error of [Report.SVG].
func (r *Report) PDF(name string) ([]byte, error) {
	f, err := r.figure(name)
	if err != nil {
		return nil, err
	}
	return plot.PDF(f)
}

func (r *Report) figure(name string) (plot.Figure, error) {
	var names []string
	for _, f := range r.figures {
		if f.Name == name {
			return f.Figure, nil
		}
		names = append(names, f.Name)
	}
	return nil, fault.In("figure", fault.Unknown(fault.NotFound, "figure", name, names))
}
