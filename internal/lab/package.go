package lab

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/store"
)

// File is a file of a package, by its path in it, with slashes.
type File struct {
	Path        string
	MediaType   string
	Description string
	Data        []byte
	input       bool // what the simulation was made from, rather than what came out of it
}

// Package is everything about an experiment that others need to read, check and repeat it:
// the report, its figures, the tables of effects and of all months, the scenarios, the
// plan, and RO-Crate metadata that tells what each file is, for a principal. language ""
// is that of the question, else English.
func (l *Laboratory) Package(ctx context.Context, name, language, by string) ([]File, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	report, err := l.report(ctx, name, language, by)
	if err != nil {
		return nil, err
	}
	var files []File
	add := func(path, media, description string, data []byte, input bool) {
		files = append(files, File{path, media, description, data, input})
	}
	for _, f := range []struct{ path, format, media string }{
		{"report.md", "markdown", "text/markdown"}, {"report.html", "html", "text/html"},
	} {
		text, err := report.Encode(ctx, f.format)
		if err != nil {
			return nil, err
		}
		add(f.path, f.media, "Report: what was asked, done and found", []byte(text), false)
	}
	for _, f := range report.Figures() {
		for _, drawn := range []struct {
			suffix, media string
			as            func(name string) ([]byte, error)
		}{{".svg", "image/svg+xml", report.SVG}, {".png", "image/png", report.PNG}, {".pdf", "application/pdf", report.PDF}} {
			data, err := drawn.as(f.Name)
			if err != nil {
				return nil, err
			}
			add("figures/"+f.Name+drawn.suffix, drawn.media, "Figure: "+f.Name, data, false)
		}
	}
	asCSV, asParquet, err := results(&report.Analysis)
	if err != nil {
		return nil, err
	}
	add("results.csv", "text/csv", "Effects with intervals and p-values, or levels where there is one arm. Intervals are "+intervalsAre, asCSV, false)
	add("results.parquet", "application/vnd.apache.parquet", "The rows of results.csv with typed columns", asParquet, false)
	months, err := l.CSV(ctx, name)
	if err != nil {
		return nil, err
	}
	add("timeseries.csv", "text/csv", "All indicators of all months of all runs", []byte(months), false)
	a := &report.Analysis
	study, err := l.Study(ctx, name, inference.Choice{Windows: []inference.Window{{From: a.From, To: a.To}}})
	if err != nil {
		return nil, err
	}
	var groups bytes.Buffer
	if err := csv.NewWriter(&groups).WriteAll(study.GroupRows()); err != nil {
		return nil, err
	}
	add("groups.csv", "text/csv", fmt.Sprintf(
		"Means of groups of households, industries and budget lines over months %d to %d, by arm and replication", a.From, a.To,
	), groups.Bytes(), false)
	if table, err := l.inForce(ctx, name); err != nil {
		return nil, err
	} else if table != nil {
		add("interventions.csv", "text/csv", "Months in which each intervention was in force, by replication", table, false)
	}
	var scenarios []string
	for i := range x.Arms {
		path := "scenario.yaml"
		if len(x.Arms) > 1 {
			path = "scenario-" + x.Arms[i].Name + ".yaml"
		}
		scenarios = append(scenarios, path)
		add(path, "application/yaml", "Scenario of the arm "+x.Arms[i].Name+", SHA-256 "+x.Arms[i].Hash, x.Arms[i].Scenario, true)
	}
	if hash := PlanHash(x.Plan); hash != "" {
		if r, ok := RegistrationOf(x); ok && r.Inquiry != "" {
			add(inquiryFile, "application/yaml", "What was asked, as econ-mcp ask takes it", []byte(r.Inquiry), true)
		}
		add("plan.json", "application/json", "Plan as it was stored before the first month, SHA-256 "+hash, x.Plan, true)
	}
	if report.Found != (inference.Found{}) {
		data, err := json.MarshalIndent(report.Found, "", "  ")
		if err != nil {
			return nil, err
		}
		add("found.json", "application/json", foundIn(report.Found), data, false)
	}
	record, err := recordOf(x, scenarios)
	if err != nil {
		return nil, err
	}
	add(RecordFile, "application/json", "Seeds, months and states of all runs: econ-mcp import repeats them", record, false)
	crate, err := newCrate(x, files)
	if err != nil {
		return nil, err
	}
	add(CrateFile, "application/ld+json", "", crate, false)
	return files, nil
}

// inquiryFile is where the inquiry is found in a package.
const inquiryFile = "inquiry.yaml"

// foundIn tells what an experiment found.
func foundIn(f inference.Found) string { return report.FoundText(f, report.English) }

// CrateFile is where RO-Crate metadata are found in a package.
const CrateFile = "ro-crate-metadata.json"

// The documents that a crate conforms to.
const (
	crateContext   = "https://w3id.org/ro/crate/1.1/context"
	crateTerms     = "https://w3id.org/ro/terms/workflow-run/context"
	crateVersion   = "https://w3id.org/ro/crate/1.1"
	processProfile = "https://w3id.org/ro/wfrun/process/0.5"
	crateLicence   = "https://creativecommons.org/licenses/by/4.0/"
)

// reference names another entity of a crate.
type reference struct {
	ID string `json:"@id"`
}

// entity is one of the entities of a crate; members without a value are left out.
type entity struct {
	ID             string      `json:"@id"`
	Type           string      `json:"@type"`
	Name           string      `json:"name,omitempty"`
	Description    string      `json:"description,omitempty"`
	ConformsTo     *reference  `json:"conformsTo,omitempty"`
	About          *reference  `json:"about,omitempty"`
	DatePublished  string      `json:"datePublished,omitempty"`
	License        *reference  `json:"license,omitempty"`
	Author         *reference  `json:"author,omitempty"`
	HasPart        []reference `json:"hasPart,omitempty"`
	Mentions       []reference `json:"mentions,omitempty"`
	EncodingFormat string      `json:"encodingFormat,omitempty"`
	ContentSize    string      `json:"contentSize,omitempty"`
	Instrument     *reference  `json:"instrument,omitempty"`
	Agent          *reference  `json:"agent,omitempty"`
	Object         []reference `json:"object,omitempty"`
	Result         []reference `json:"result,omitempty"`
	StartTime      string      `json:"startTime,omitempty"`
	ActionStatus   *reference  `json:"actionStatus,omitempty"`
	Error          string      `json:"error,omitempty"`
	Version        string      `json:"softwareVersion,omitempty"`
	ProfileVersion string      `json:"version,omitempty"`
}

// program is the entity of this program in a crate.
const program = "#econ-mcp"

// FilesOf lists the files that metadata describe which [Laboratory.Package] made; nil of
// any others. Paths that lead out of the package are left out.
func FilesOf(metadata []byte) (paths []string) {
	var crate struct {
		Graph []struct {
			ID   string `json:"@id"`
			Type string `json:"@type"`
		} `json:"@graph"`
	}
	if json.Unmarshal(metadata, &crate) != nil {
		return nil
	}
	ours := false
	for _, e := range crate.Graph {
		ours = ours || e.ID == program
		if e.Type == "File" && filepath.IsLocal(filepath.FromSlash(e.ID)) {
			paths = append(paths, e.ID)
		}
	}
	if !ours {
		return nil
	}
	return paths
}

// newCrate describes a package as a Process Run Crate: which program made which files from
// which others.
//
// A crate of a question was checked, without an error, by the validator of the npm package
// ro-crate 3.7.2 (rocval), and by shacl-engine 1.1.2 against the required rules of the
// shapes for ro-crate-1.1 and process-run-crate of crs4/rocrate-validator. Of the
// recommended ones two are not kept: the time at which the simulation ended is not on
// record, and the program has no address. A new member must be a term of crateContext.
func newCrate(x store.Experiment, files []File) ([]byte, error) {
	const run, agent = "#simulation", "#experimenter"
	created := x.CreatedAt.UTC().Format("2006-01-02T15:04:05-07:00") // the profile's shapes know no Z
	at := func(id string) *reference { return &reference{id} }
	description := "Experiment " + x.Name + " with an agent-based model of an economy."
	if x.Question != "" {
		description += " Question: " + x.Question
	}
	root := entity{
		ID: "./", Type: "Dataset", Name: "Experiment " + x.Name, Description: description, DatePublished: created,
		License: at(crateLicence), Author: at(agent), ConformsTo: at(processProfile), Mentions: []reference{{run}},
	}
	action := entity{
		ID: run, Type: "CreateAction", Name: "Simulation of " + x.Name, Instrument: at(program), Agent: at(agent), StartTime: created,
		Description: fmt.Sprintf(
			"%d arms, %d replications each, %d months, %d households, base seed %d", len(x.Arms), x.Replications, x.Month, x.Households, x.Seed,
		),
	}
	action.ActionStatus = at("http://schema.org/CompletedActionStatus")
	if x.State == "failed" {
		action.ActionStatus, action.Error = at("http://schema.org/FailedActionStatus"), x.Message
	}
	var described []entity
	for _, f := range files {
		root.HasPart = append(root.HasPart, reference{f.Path})
		if f.input {
			action.Object = append(action.Object, reference{f.Path})
		} else {
			action.Result = append(action.Result, reference{f.Path})
		}
		described = append(
			described,
			entity{
				ID: f.Path, Type: "File", Name: f.Path, Description: f.Description, EncodingFormat: f.MediaType, ContentSize: fmt.Sprint(len(f.Data)),
			},
		)
	}
	graph := []entity{
		{ID: CrateFile, Type: "CreativeWork", ConformsTo: at(crateVersion), About: at("./")},
		root,
		{ID: processProfile, Type: "CreativeWork", Name: "Process Run Crate", ProfileVersion: "0.5"},
		{
			ID: crateLicence, Type: "CreativeWork", Name: "Creative Commons Attribution 4.0 International",
			Description: "Results may be used by all who name their source.",
		},
		action,
		{
			ID: program, Type: "SoftwareApplication", Name: "econ-mcp",
			Description: "An agent-based macroeconomics laboratory; model version " + x.ModelVersion + ", " + x.GoVersion + ", " + x.Arch,
			Version:     x.CodeVersion,
		},
		{ID: agent, Type: "Person", Name: "Experimenter"},
	}
	if x.Principal != "" {
		graph[len(graph)-1].Name = x.Principal
	}
	return json.MarshalIndent(struct {
		Context []string `json:"@context"`
		Graph   []entity `json:"@graph"`
	}{[]string{crateContext, crateTerms}, append(graph, described...)}, "", "  ")
}
