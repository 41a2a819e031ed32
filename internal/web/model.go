package web

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"econ-mcp/docs"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// modelOperations are those on what the economy is.
func (s *Site) modelOperations() []operation {
	return []operation{
		reads("/model", "describe_model", "The monthPhases of a month in their order, and the sections of the model's description.", s.describe),
		reads("/model/sections/{section}", "read_model_section",
			"A section of the model's description: Markdown with its equations, and its parameters.", s.readSection),
		reads("/model/parameters", "search_model",
			"Parameters and indicators whose name, label or meaning has all words, in English or Chinese.", s.searchModel),
		reads("/model/books", "read_books", "Balance sheets of the sectors at the end of a month of a run, and the payments between them in it. "+
			"Amounts in 1/1000 of a currency unit, exact. The first call for a run simulates it again, which takes up to some ten seconds.",
			s.readBooks),
	}
}

func (s *Site) modelPages() []shown {
	of := func(pattern, name string, data func(*http.Request, *page) (any, error)) shown {
		return shown{Pattern: pattern, Template: name, Here: "/model", Script: "model.js", Style: "model.css", Data: data}
	}
	return []shown{
		of("/model", "model", func(r *http.Request, p *page) (any, error) {
			p.Title = p.T("Model", "模型")
			return s.describe(r.Context(), nil, struct{}{})
		}),
		of("/model/parameters", "model_parameters", func(r *http.Request, p *page) (any, error) {
			p.Title = p.T("Parameters and indicators", "参数与指标")
			q := r.URL.Query()
			in := modelSearch{Search: q.Get("search"), Category: q.Get("category")}
			found, err := s.searchModel(r.Context(), nil, in)
			return modelSearchPage{in, found, modelCategoriesOf(found.Parameters)}, err
		}),
		of("/model/books", "model_books", s.booksPage),
		of("/model/{section}", "model_section", func(r *http.Request, p *page) (any, error) {
			found, err := s.readSection(r.Context(), nil, modelSectionArgs{r.PathValue("section")})
			p.Title = found.ID + " " + p.T(found.Title, found.TitleZH)
			if found.ID == "references" {
				p.Title = p.T(found.Title, found.TitleZH)
			}
			return modelSectionPage{found, modelHTML(found.ID)}, err
		}),
	}
}

type modelAnswer struct {
	ModelVersion string              `json:"model_version"`
	Phases       []phaseAnswer       `json:"phases" doc:"Of a month, in their order"`
	Sections     []modelSectionTitle `json:"sections"`
}

type phaseAnswer struct {
	Number  int    `json:"number"`
	Name    string `json:"name"`
	Title   string `json:"title"`
	TitleZH string `json:"title_zh"`
	Actor   string `json:"actor" doc:"Who acts, or in which market"`
	ActorZH string `json:"actor_zh"`
	Lane    int    `json:"lane" doc:"Place of the actor among all, from 1"`
	Row     int    `json:"row" doc:"In a picture with a column for each actor, in which time runs to the right and down"`
	Section string `json:"section" doc:"Of the description, where it is told"`
}

type modelSectionTitle struct {
	ID      string `json:"section"`
	Title   string `json:"title"`
	TitleZH string `json:"title_zh"`
}

// Submodel says whether a section describes a submodel.
func (t modelSectionTitle) Submodel() bool { return strings.HasPrefix(t.ID, "7.") }

// Lanes are the actors in the order of their places.
func (modelAnswer) Lanes() []modelWords { return monthLanes }

// Rows is how many rows the picture of the month has.
func (a modelAnswer) Rows() int { return a.Phases[len(a.Phases)-1].Row }

// Path is the line that leads through the phases, in the units of the picture: a column for each actor, and its rows.
func (a modelAnswer) Path() string {
	var b strings.Builder
	for k, phase := range a.Phases {
		x, y := float64(phase.Lane)-.5, float64(phase.Row)-.5
		switch {
		case k == 0:
			fmt.Fprintf(&b, "M%g %g", x, y)
		case phase.Row == a.Phases[k-1].Row:
			fmt.Fprintf(&b, "H%g", x)
		default: // down to the space between the rows, and along it
			fmt.Fprintf(&b, "V%gH%gV%g", y-.5, x, y)
		}
	}
	return b.String()
}

func (s *Site) describe(context.Context, *tools.Call, struct{}) (modelAnswer, error) {
	out := modelAnswer{ModelVersion: sim.ModelVersion}
	row, before := 1, 0
	for k, name := range sim.Phases() {
		of := monthPhases[name]
		actor, lane := monthLanes[of.lane], of.lane+1
		if lane <= before {
			row++
		}
		before = lane
		out.Phases = append(out.Phases, phaseAnswer{k + 1, name, of.En, of.Zh, actor.En, actor.Zh, lane, row, of.section})
	}
	for _, section := range docs.Sections() {
		out.Sections = append(out.Sections, modelTitleOf(section))
	}
	return out, nil
}

func modelTitleOf(section docs.Section) modelSectionTitle {
	return modelSectionTitle{section.ID, section.Title, modelTitlesZH[section.ID]}
}

type modelSectionArgs struct {
	Section string `json:"section" max:"20" doc:"Such as 7.3"`
}

type modelSection struct {
	modelSectionTitle
	Text       string           `json:"text" doc:"Markdown, in English; of what stands in backquotes, names with brackets are functions"`
	Parameters []modelParameter `json:"parameters" doc:"That the section names"`
	Phases     []string         `json:"phases" doc:"Of the month, that it tells of"`
	Before     string           `json:"previous" doc:"Section; empty at the first"`
	After      string           `json:"next" doc:"Section; empty at the last"`
}

// modelSectionPage is what the page of a section shows.
type modelSectionPage struct {
	modelSection
	HTML template.HTML
}

// PhaseTitles are the monthPhases of a section for people.
func (a modelSection) PhaseTitles() (list []modelWords) {
	for _, name := range a.Phases {
		list = append(list, monthPhases[name].modelWords)
	}
	return list
}

func (s *Site) readSection(_ context.Context, _ *tools.Call, in modelSectionArgs) (modelSection, error) {
	list := docs.Sections()
	k := slices.IndexFunc(list, func(s docs.Section) bool { return s.ID == in.Section })
	if k < 0 {
		return modelSection{}, fault.New(fault.NotFound, "section", "the model's description has no section %.40q", in.Section).
			InChinese("模型说明没有第 %.40q 节", in.Section).WithHint("/model lists them: 1 to 8, 7.0 to 7.28, references")
	}
	out := modelSection{modelSectionTitle: modelTitleOf(list[k]), Text: list[k].Text}
	for _, row := range modelParameters() {
		if slices.Contains(row.Sections, in.Section) {
			out.Parameters = append(out.Parameters, row)
		}
	}
	for _, name := range sim.Phases() {
		if monthPhases[name].section == in.Section {
			out.Phases = append(out.Phases, name)
		}
	}
	if k > 0 {
		out.Before = list[k-1].ID
	}
	if k+1 < len(list) {
		out.After = list[k+1].ID
	}
	return out, nil
}

// modelParameter is a parameter with all that is known of it.
type modelParameter struct {
	Name      string      `json:"name"`
	Label     string      `json:"label"`
	LabelZH   string      `json:"label_zh"`
	Category  string      `json:"category"`
	Type      string      `json:"type" enum:"number,integer,boolean,choice,schedule"`
	Default   tools.Value `json:"default" doc:"In the baseline"`
	Range     string      `json:"range"`
	Unit      string      `json:"unit"`
	Live      bool        `json:"live" doc:"May change while an economy is simulated"`
	Technical bool        `json:"technical" doc:"Changes no result"`
	Meaning   string      `json:"meaning"`
	MeaningZH string      `json:"meaning_zh"`
	Effect    string      `json:"effect" doc:"What it drives"`
	Source    string      `json:"source" doc:"Of the default"`
	Sections  []string    `json:"sections" doc:"Of the model's description that name it"`
}

// modelParameters are all of them, category by category.
var modelParameters = sync.OnceValue(func() (list []modelParameter) {
	categories, sections := sim.Categories(), docs.Sections()
	for _, row := range sim.Catalogue() {
		of := modelParameter{
			Name: row.Name, Label: row.Label, LabelZH: row.LabelZH, Category: row.Category, Type: string(row.Type),
			Default: tools.Value{X: row.Default}, Range: row.Range(), Unit: row.Unit, Live: row.Live, Technical: row.Technical, Meaning: row.Meaning, MeaningZH: row.MeaningZH,
			Effect: row.Effect, Source: row.Source,
		}
		for k := range sections {
			if sections[k].Names(row.Name) {
				of.Sections = append(of.Sections, sections[k].ID)
			}
		}
		list = append(list, of)
	}
	slices.SortStableFunc(list, func(a, b modelParameter) int {
		return slices.Index(categories, a.Category) - slices.Index(categories, b.Category)
	})
	return list
})

// DefaultText is the default as people read it.
func (row modelParameter) DefaultText() string {
	switch x := row.Default.X.(type) {
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case sim.RateTable:
		return orAbsent(string(x))
	case string:
		return orAbsent(x)
	}
	return fmt.Sprint(row.Default.X)
}

func orAbsent(text string) string {
	if text == "" {
		return report.Absent
	}
	return text
}

type modelSearch struct {
	Search   string `json:"search,omitempty" max:"200" doc:"Words that all occur in name, label, unit or meaning"`
	Category string `json:"category,omitempty" max:"40" doc:"Of parameters; empty = all, and indicators"`
}

type modelFound struct {
	Parameters []modelParameter `json:"parameters"`
	Indicators []modelIndicator `json:"indicators"`
}

type modelIndicator struct {
	Name     string `json:"name"`
	Label    string `json:"label"`
	LabelZH  string `json:"label_zh"`
	Unit     string `json:"unit"`
	Formula  string `json:"formula"`
	Headline bool   `json:"headline" doc:"One of the main indicators; the others break them down"`
}

// modelSearchPage is what the page of parameters and indicators shows.
type modelSearchPage struct {
	modelSearch
	modelFound
	Groups []modelCategory
}

// modelCategory is the parameters of a category.
type modelCategory struct {
	modelWords
	Parameters []modelParameter
}

// Categories are the choices of the page.
func (modelSearchPage) Categories() (list []modelCategoryChoice) {
	for _, id := range sim.Categories() {
		list = append(list, modelCategoryChoice{id, modelCategoryNames[id]})
	}
	return list
}

type modelCategoryChoice struct {
	ID string
	modelWords
}

func modelCategoriesOf(rows []modelParameter) (list []modelCategory) {
	for k, row := range rows {
		if k == 0 || rows[k-1].Category != row.Category {
			list = append(list, modelCategory{modelWords: modelCategoryNames[row.Category]})
		}
		last := &list[len(list)-1]
		last.Parameters = append(last.Parameters, row)
	}
	return list
}

func (s *Site) searchModel(_ context.Context, _ *tools.Call, in modelSearch) (modelFound, error) {
	if in.Category != "" && !slices.Contains(sim.Categories(), in.Category) {
		return modelFound{}, fault.Unknown(fault.NotFound, "category", in.Category, sim.Categories())
	}
	wanted := strings.Fields(strings.ToLower(in.Search))
	has := func(texts ...string) bool {
		all := strings.ToLower(strings.Join(texts, "\n"))
		return !slices.ContainsFunc(wanted, func(word string) bool { return !beginsWord(all, word) })
	}
	var out modelFound
	for _, row := range modelParameters() {
		within := in.Category == "" || row.Category == in.Category
		if within && has(row.Name, row.Label, row.LabelZH, row.Unit, row.Meaning, row.MeaningZH, row.Effect) {
			out.Parameters = append(out.Parameters, row)
		}
	}
	if in.Category != "" {
		return out, nil
	}
	for i := range sim.NumOutcomes {
		info, label, chinese := i.Info(), report.Label(i, report.English), report.Label(i, report.Chinese)
		if has(info.Name, info.Unit, info.Formula, label, chinese) {
			out.Indicators = append(out.Indicators, modelIndicator{info.Name, label, chinese, info.Unit, info.Formula, !i.IsBreakdown()})
		}
	}
	return out, nil
}

// beginsWord says whether a word of a text begins with some letters: vat is in vat_rate, and not in innovation. Chinese has no blanks:
// there it is enough that the letters occur.
func beginsWord(text, letters string) bool {
	for from := 0; ; {
		k := strings.Index(text[from:], letters)
		if k < 0 {
			return false
		}
		if k += from; k == 0 || letters[0] >= 0x80 || text[k-1] < 'a' || text[k-1] > 'z' {
			return true
		}
		from = k + 1
	}
}
