package app

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"econ-mcp/docs"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/report"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// The resources that are there without any experiment.
const (
	parametersURI = "econ://parameters"
	modelURI      = "econ://model"
	inquiryURI    = "econ://schema/inquiry"
)

const experimentsURI = "econ://experiments/"

// resources are what clients can read: parameters, the model, and what is stored of each
// experiment.
type resources struct{ *App }

var validName = regexp.MustCompile(fault.NamePattern)

// listed is how many experiments a page of the list has.
const listed = 50

// List implements [mcpserver.Resources].
func (r resources) List(ctx context.Context, cursor string) ([]mcpserver.Resource, string, error) {
	var list []mcpserver.Resource
	if cursor == "" {
		list = append(list,
			mcpserver.Resource{URI: parametersURI, Name: "parameters", Title: "All parameters",
				Description: "Every parameter: default, range, unit, meaning, effect, source", MIMEType: "text/markdown"},
			mcpserver.Resource{URI: modelURI, Name: "model", Title: "The model", Description: "The economy, equation by equation",
				MIMEType: "text/markdown"},
			mcpserver.Resource{URI: inquiryURI, Name: "inquiry", Title: "Schema of an inquiry",
				Description: "What start_simulation takes as inquiry: arms, doses, outcomes, design", MIMEType: "application/schema+json"})
	}
	experiments, _, next, err := r.Lab.List(ctx, store.Filter{Limit: listed, Cursor: cursor})
	if err != nil {
		return nil, "", err
	}
	for _, x := range experiments {
		for _, link := range tools.ExperimentLinks(x.Name) {
			list = append(list, mcpserver.Resource{URI: link.URI, Name: link.Name, Description: link.Description, MIMEType: link.MIMEType})
		}
	}
	return list, next, nil
}

// Read implements [mcpserver.Resources].
func (r resources) Read(ctx context.Context, c *tools.Call, uri string) (mcpserver.Content, error) {
	switch uri {
	case parametersURI:
		return mcpserver.Content{MIMEType: "text/markdown", Text: parametersText()}, nil
	case modelURI:
		return mcpserver.Content{MIMEType: "text/markdown", Text: docs.Model}, nil
	case inquiryURI:
		return mcpserver.Content{MIMEType: "application/schema+json", Text: string(inquiry.Schema)}, nil
	}
	if name, resource, link, ok := linkAt(uri); ok {
		text, err := r.experiment(ctx, name, resource, c.Principal)
		return mcpserver.Content{MIMEType: link.MIMEType, Text: text}, err
	}
	if name, file, ok := sweepAt(uri); ok {
		data, err := r.Sweeps.File(name, file)
		return mcpserver.Content{MIMEType: sweepTypes[file], Text: string(data)}, err
	}
	return mcpserver.Content{}, fault.New(fault.NotFound, "uri", "there is nothing at %.120q", uri).
		WithHint("resources/list has what there is; of an experiment: " + strings.Join(resourceNames(), ", "))
}

// Possible implements [mcpserver.Resources].
func (resources) Possible(uri string) bool {
	name, _, _, ok := linkAt(uri)
	_, _, ofSweep := sweepAt(uri)
	return uri == parametersURI || uri == modelURI || uri == inquiryURI || ok && validName.MatchString(name) || ofSweep
}

// sweepTypes are the files of sweeps that are resources.
var sweepTypes = func() map[string]string {
	types := map[string]string{}
	for _, link := range tools.SweepLinks("NAME") {
		types[link.URI[strings.LastIndexByte(link.URI, '/')+1:]] = link.MIMEType
	}
	return types
}()

// sweepAt takes the URI of a resource of a sweep apart, if it is one.
func sweepAt(uri string) (name, file string, ok bool) {
	rest, _ := strings.CutPrefix(uri, tools.SweepsURI)
	name, file, _ = strings.Cut(rest, "/")
	return name, file, rest != uri && sweepTypes[file] != "" && validName.MatchString(name)
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

func (r resources) experiment(ctx context.Context, name, resource, by string) (string, error) {
	if format, language, ok := tools.ReportOf(resource); ok {
		return r.Lab.Report(ctx, name, format, language, by)
	}
	if file, ok := strings.CutPrefix(resource, "figures/"); ok {
		return r.Lab.Figure(ctx, name, strings.TrimSuffix(file, ".svg"), report.English, by)
	}
	if arm, ok := tools.ScenarioOf(resource); ok {
		data, err := r.Lab.ScenarioYAML(ctx, name, arm)
		return string(data), err
	}
	switch resource {
	case "inquiry":
		q, err := r.Lab.InquiryOf(ctx, name)
		if err != nil {
			return "", err
		}
		return string(q.JSON()), nil
	case "analysis.json":
		a, err := r.Lab.AnalysisOf(ctx, name, 0, by)
		if err != nil {
			return "", err
		}
		data, err := json.Marshal(a.Analysis)
		return string(data), err
	case "timeseries.csv":
		return r.Lab.CSV(ctx, name)
	case "scenario.yaml":
		data, err := r.Lab.ScenarioYAML(ctx, name, "")
		return string(data), err
	}
	return r.Lab.SummaryJSON(ctx, name)
}

// titlesZH are the Chinese titles of the resources of an experiment.
var titlesZH = map[string]string{
	"report.md":      "实验报告（表格，图以链接给出）",
	"report.html":    "实验报告（网页，含图）",
	"timeseries.csv": "实验时间序列（全部实验组、重复与月份）",
	"scenario.yaml":  "实验情景（可重新运行）",
	"summary.json":   "实验摘要（各组终值与区间）",
}

// templates describe the resources of experiments.
func (r resources) templates() []mcpserver.Template {
	var list []mcpserver.Template
	for _, link := range tools.ExperimentLinks("{name}") {
		name := strings.TrimPrefix(link.Name, "{name} ")
		list = append(list, mcpserver.Template{
			URI: link.URI, Name: name, Title: "Experiment: " + link.Description, TitleZH: titlesZH[name],
			Description: "Of an experiment: " + link.Description, MIMEType: link.MIMEType,
			Complete: r.names,
		})
	}
	return append(list, mcpserver.Template{
		URI: tools.ResourceURI("{name}", "inquiry"), Name: "inquiry", Title: "Experiment: the inquiry", TitleZH: "实验所答之问（可再次运行）",
		Description: "Of an experiment: the inquiry that it answers; start_simulation takes it as inquiry", MIMEType: "application/json",
		Complete: r.names,
	}, mcpserver.Template{
		URI: tools.ResourceURI("{name}", tools.ScenarioResource("{arm}")), Name: "scenario of an arm", Title: "Experiment: scenario of an arm",
		TitleZH: "实验某一组的情景（可再次运行）", MIMEType: "application/yaml",
		Description: "Of an experiment: all that an arm is; start_simulation takes those of all arms as arms", Complete: r.names,
	})
}

// names are the newest experiments whose names begin with a prefix, for an argument that is
// one. It is a [mcpserver.Completer].
func (r resources) names(ctx context.Context, _, prefix string) ([]string, error) {
	var names []string
	list, _, _, err := r.Lab.List(ctx, store.Filter{Search: prefix, Limit: 200})
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
			fmt.Fprintf(&b, "\n## %s\n\n| name | default | range | unit | live | meaning | drives | source |\n|---|---|---|---|---|---|---|---|\n",
				category)
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
