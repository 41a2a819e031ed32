package tools

import (
	"regexp"
	"strings"

	"econ-mcp/internal/fault"
)

// Range is the part of a series that a caller wants, in months of the experiment.
type Range struct {
	From  int  `json:"from_month,omitempty" default:"1" min:"1" doc:"First month"`
	To    int  `json:"to_month,omitempty" default:"0" min:"0" doc:"Last month; 0 = the latest"`
	Every *int `json:"every,omitempty" min:"1" max:"6000" doc:"Every so many months; default: as many as fit"`
}

func (r Range) spacing() int { return max(1, Given(r.Every)) }

// resources are what can be read of an experiment, with their types. Those that are not
// listed are what others point to, or the same in another form.
var resources = []struct {
	name, mimeType, description string
	listed                      bool
}{
	{"report.md", "text/markdown", "report with tables; figures by link", true},
	{"report.html", "text/html", "report as one page with its figures", true},
	{"timeseries.csv", "text/csv", "all indicators of all arms, replications and months", true},
	{"scenario.yaml", "application/yaml", "the scenario, as it can be run again", true},
	{"summary.json", "application/json", "final values by arm with intervals", true},
	{"inquiry", "application/json", "the inquiry that it answers, as start_simulation takes it", false},
	{"analysis.json", "application/json", "the last analysis, whole", false},
	{"report.json", "application/json", "report as data", false},
	{"report.zh.md", "text/markdown", "report in Chinese", false},
	{"report.zh.html", "text/html", "report in Chinese as one page", false},
	{"report.zh.json", "application/json", "report in Chinese as data", false},
	{"figures/overview.svg", "image/svg+xml", "the main indicators by arm", false},
	{"figures/differences.svg", "image/svg+xml", "what the treatment changes month by month", false},
	{"figures/effects.svg", "image/svg+xml", "differences with their intervals", false},
	{"figures/doses.svg", "image/svg+xml", "effects by dose", false},
	{"figures/deciles.svg", "image/svg+xml", "what the treatment changes for each decile", false},
	{"figures/lorenz.svg", "image/svg+xml", "Lorenz curves", false},
	{"figures/budget.svg", "image/svg+xml", "the public budget", false},
	{"figures/relations.svg", "image/svg+xml", "relations between indicators", false},
	{"figures/firm_sizes.svg", "image/svg+xml", "sizes of firms", false},
}

// anyFigure is a figure that only some reports have: of an outcome of the plan, say, or of conditions.
var anyFigure = regexp.MustCompile(`^figures/[a-z0-9_]{1,100}\.svg$`)

// ResourceURI is the address of a resource of an experiment.
func ResourceURI(experiment, resource string) string {
	return "econ://experiments/" + experiment + "/" + resource
}

// FindLink points to a resource of an experiment, if there is one of that name.
func FindLink(experiment, resource string) (Link, bool) {
	if arm, ok := ScenarioOf(resource); ok {
		return Link{URI: ResourceURI(experiment, resource), Name: experiment + " " + resource, MIMEType: "application/yaml",
			Description: "the scenario of " + arm + ", as start_simulation takes it"}, true
	}
	for _, r := range resources {
		if r.name == resource {
			return Link{URI: ResourceURI(experiment, resource), Name: experiment + " " + resource, MIMEType: r.mimeType,
				Description: r.description}, true
		}
	}
	if anyFigure.MatchString(resource) {
		return Link{URI: ResourceURI(experiment, resource), Name: experiment + " " + resource, MIMEType: "image/svg+xml",
			Description: "a figure of the report"}, true
	}
	return Link{}, false
}

// SweepsURI is what the resources of sweeps begin with.
const SweepsURI = "econ://sweeps/"

// SweepLinks point to the files of a completed sweep.
func SweepLinks(name string) []Link {
	return []Link{
		{SweepsURI + name + "/points.csv", name + " points.csv", "text/csv", "all points with what was measured there"},
		{SweepsURI + name + "/sensitivity.json", name + " sensitivity.json", "application/json", "what matters, for all outcomes"},
		{SweepsURI + name + "/design.yaml", name + " design.yaml", "application/yaml", "the design with its inquiry"},
	}
}

// ScenarioResource names the scenario of an arm.
func ScenarioResource(arm string) string { return "scenario/" + arm }

// ScenarioOf is the arm of a resource that is the scenario of one.
func ScenarioOf(resource string) (arm string, ok bool) {
	arm, ok = strings.CutPrefix(resource, ScenarioResource(""))
	return arm, ok && armName.MatchString(arm)
}

var armName = regexp.MustCompile(fault.NamePattern)

// ExperimentLink points to a resource of an experiment that is known to be one.
func ExperimentLink(experiment, resource string) Link {
	link, ok := FindLink(experiment, resource)
	if !ok {
		panic("no resource " + resource) // a mistake in the program
	}
	return link
}

// ExperimentLinks points to the resources of an experiment that lists show.
func ExperimentLinks(experiment string) []Link {
	var links []Link
	for _, r := range resources {
		if r.listed {
			links = append(links, ExperimentLink(experiment, r.name))
		}
	}
	return links
}

// reportEndings are those of the files of reports, by format.
var reportEndings = map[string]string{"markdown": "md", "html": "html", "json": "json"}

// ReportResource names the report in a format (markdown, html or json) and a language (en
// or zh).
func ReportResource(format, language string) string {
	name := "report."
	if language != "en" {
		name += language + "."
	}
	return name + reportEndings[format]
}

// ReportOf is the format and the language of a resource that is a report.
func ReportOf(resource string) (format, language string, ok bool) {
	for format := range reportEndings {
		for _, language := range []string{"en", "zh"} {
			if ReportResource(format, language) == resource {
				return format, language, true
			}
		}
	}
	return "", "", false
}

// JSONLength is the number of bytes that a text takes in an answer.
func JSONLength(text string) int { return len(encoded(text)) }

// Fitting is how many of the first rows of a list fit into an answer, beside some other
// members; at least one where there is one.
func Fitting[T any](rows []T) int {
	room := MaxAnswer - 1<<10
	for k := range rows {
		if room -= len(encoded(rows[k])) + 1; room < 0 && k > 0 {
			return k
		}
	}
	return len(rows)
}

func encoded(v any) []byte {
	data, err := Encode(v)
	if err != nil {
		panic(err) // texts and rows of plain values always encode
	}
	return data
}
