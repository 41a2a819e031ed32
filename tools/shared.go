package tools

import "encoding/json"

// Range is the part of a series that a caller wants, in months of the experiment.
type Range struct {
	From  int `json:"from_month,omitempty" default:"1" min:"1" doc:"First month"`
	To    int `json:"to_month,omitempty" default:"0" min:"0" doc:"Last month; 0 = the latest"`
	Every int `json:"every,omitempty" default:"1" min:"1" max:"12000" doc:"Every so many months"`
}

// resources are what can be read of an experiment, with their types.
var resources = []struct{ name, mimeType, description string }{
	{"report.md", "text/markdown", "report with tables and figures"},
	{"timeseries.csv", "text/csv", "all indicators of all arms, replications and months"},
	{"scenario.yaml", "application/yaml", "the scenario, as it can be run again"},
	{"summary.json", "application/json", "final values by arm with intervals"},
}

// ResourceURI is the address of a resource of an experiment.
func ResourceURI(experiment, resource string) string {
	return "econ://experiments/" + experiment + "/" + resource
}

// ExperimentLink points to a resource of an experiment: report.md, timeseries.csv,
// scenario.yaml or summary.json.
func ExperimentLink(experiment, resource string) Link {
	for _, r := range resources {
		if r.name == resource {
			return Link{URI: ResourceURI(experiment, resource), Name: experiment + " " + resource, MIMEType: r.mimeType, Description: r.description}
		}
	}
	panic("no resource " + resource) // a mistake in the program
}

// ExperimentLinks points to all resources of an experiment.
func ExperimentLinks(experiment string) []Link {
	var links []Link
	for _, r := range resources {
		links = append(links, ExperimentLink(experiment, r.name))
	}
	return links
}

// JSONLength is the number of bytes that a text takes in an answer.
func JSONLength(text string) int {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // text always encodes
	}
	return len(data)
}
