package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"econ-mcp/docs"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// The resources that are there without any experiment.
const (
	parametersURI = "econ://parameters"
	modelURI      = "econ://model"
)

const experimentsURI = "econ://experiments/"

// Shelf is the library of a domain: parameters, the model, and what is stored of each
// experiment.
type Shelf struct{ Domain }

// listed is how many experiments a page of the list has.
const listed = 50

// List implements [Library].
func (s Shelf) List(_ context.Context, _ *tools.Call, cursor string) ([]Resource, string, error) {
	var list []Resource
	if cursor == "" {
		list = append(list,
			Resource{URI: parametersURI, Name: "parameters", Title: "All parameters", Description: "Every parameter: default, range, unit, meaning, effect, source", MIMEType: "text/markdown"},
			Resource{URI: modelURI, Name: "model", Title: "The model", Description: "The economy, equation by equation", MIMEType: "text/markdown"})
	}
	experiments, _, next, err := s.Lab.List(store.Filter{Limit: listed, Cursor: cursor})
	if err != nil {
		return nil, "", err
	}
	for _, x := range experiments {
		for _, link := range tools.ExperimentLinks(x.Name) {
			list = append(list, Resource{URI: link.URI, Name: link.Name, Description: link.Description, MIMEType: link.MIMEType})
		}
	}
	return list, next, nil
}

// Read implements [Library].
func (s Shelf) Read(_ context.Context, c *tools.Call, uri string) (Content, error) {
	switch uri {
	case parametersURI:
		return Content{MIMEType: "text/markdown", Text: parametersText()}, nil
	case modelURI:
		return Content{MIMEType: "text/markdown", Text: docs.Model}, nil
	}
	if name, resource, link, ok := linkAt(uri); ok {
		text, err := s.experiment(name, resource, c.Principal)
		return Content{MIMEType: link.MIMEType, Text: text}, err
	}
	e := fault.New(fault.NotFound, "uri", "there is nothing at %.120q", uri)
	e.Hint = "resources/list has what there is; of an experiment: " + strings.Join(resourceNames(), ", ")
	return Content{}, e
}

// Possible implements [Library].
func (Shelf) Possible(uri string) bool {
	name, _, _, ok := linkAt(uri)
	return uri == parametersURI || uri == modelURI || ok && namePattern.MatchString(name)
}

// linkAt takes the URI of a resource of an experiment apart, if it is one.
func linkAt(uri string) (name, resource string, link tools.Link, ok bool) {
	rest, ok := strings.CutPrefix(uri, experimentsURI)
	if !ok {
		return "", "", tools.Link{}, false
	}
	name, resource, _ = strings.Cut(rest, "/")
	link, ok = tools.FindLink(name, resource)
	return name, resource, link, ok
}

func resourceNames() []string {
	var names []string
	for _, link := range tools.ExperimentLinks("NAME") {
		names = append(names, link.URI)
	}
	return names
}

func (s Shelf) experiment(name, resource, by string) (string, error) {
	if format, language, ok := tools.ReportOf(resource); ok {
		return s.Lab.Report(name, format, language, by)
	}
	if file, ok := strings.CutPrefix(resource, "figures/"); ok {
		return s.Lab.Figure(name, strings.TrimSuffix(file, ".svg"), by)
	}
	switch resource {
	case "timeseries.csv":
		return s.Lab.CSV(name)
	case "scenario.yaml":
		data, err := s.Lab.ScenarioYAML(name, "")
		return string(data), err
	}
	return s.Lab.SummaryJSON(name)
}

// titlesZH are the Chinese titles of the resources of an experiment.
var titlesZH = map[string]string{
	"report.md":      "实验报告（表格，图以链接给出）",
	"report.html":    "实验报告（网页，含图）",
	"timeseries.csv": "实验时间序列（全部实验组、重复与月份）",
	"scenario.yaml":  "实验情景（可重新运行）",
	"summary.json":   "实验摘要（各组终值与区间）",
}

// Templates describe the resources of experiments.
func (s Shelf) Templates() []Template {
	var list []Template
	for _, link := range tools.ExperimentLinks("{name}") {
		name := strings.TrimPrefix(link.Name, "{name} ")
		list = append(list, Template{
			URI: link.URI, Name: name, Title: "Experiment: " + link.Description, TitleZH: titlesZH[name],
			Description: "Of an experiment: " + link.Description, MIMEType: link.MIMEType,
			Complete: func(_ context.Context, _ *tools.Call, _, prefix string, _ map[string]string) ([]string, error) {
				return s.names(prefix)
			},
		})
	}
	return list
}

// names are the newest experiments whose names begin with a prefix.
func (s Shelf) names(prefix string) ([]string, error) {
	var names []string
	list, _, _, err := s.Lab.List(store.Filter{Search: prefix, Limit: 200})
	for _, x := range list {
		if strings.HasPrefix(x.Name, prefix) {
			names = append(names, x.Name)
		}
	}
	return names, err
}

// parametersText is the catalogue of parameters as Markdown.
func parametersText() string {
	var b strings.Builder
	b.WriteString("# Parameters\n\nRates are shares, money is in currency units a month. Live parameters may change while an economy lives.\n")
	category := ""
	for _, row := range sim.Catalogue() {
		if row.Category != category {
			category = row.Category
			fmt.Fprintf(&b, "\n## %s\n\n| name | default | range | unit | live | meaning | drives | source |\n|---|---|---|---|---|---|---|---|\n", category)
		}
		live := ""
		if row.Live {
			live = "yes"
		}
		fmt.Fprintf(&b, "| %s | %v | %s | %s | %s | %s | %s | %s |\n", row.Name, row.Default, rangeText(row), row.Unit, live,
			cell(row.Meaning), cell(row.Effect), cell(row.Source))
	}
	return b.String()
}

func rangeText(row sim.Parameter) string {
	switch row.Type {
	case sim.TypeBoolean:
		return "true, false"
	case sim.TypeChoice:
		return strings.Join(row.Choices, ", ")
	}
	return fmt.Sprintf("%g to %g", row.Min, row.Max)
}

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
