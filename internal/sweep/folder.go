package sweep

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// The files of the folder of a sweep.
const (
	DesignFile      = "design.yaml"
	PointsFile      = "points.csv"
	ResultsFile     = "results.parquet"
	SensitivityFile = "sensitivity.json"
	RunsFolder      = "runs"
)

// Document is what a sweep found.
type Document struct {
	Hash         string        `json:"design_hash"`
	ModelVersion string        `json:"model_version"`
	Points       int           `json:"points"`
	Economies    int           `json:"economies"`
	Sensitivity  []Sensitivity `json:"sensitivity"`
}

// WriteDesign puts a design into a folder that exists, with its inquiry. Another design that is there is not overwritten: that is
// [fault.Conflict].
func (p *Plan) WriteDesign(folder string) error {
	file := filepath.Join(folder, DesignFile)
	old, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return atomicfile.WriteFile(file, p.Design.Encode(), 0o644, true)
	}
	if err != nil {
		return err
	}
	if d, err := Read(old, nil, nil); err == nil && d.Hash() == p.Hash {
		return nil
	}
	return fault.New(fault.Conflict, "design", "%s holds another design", folder)
}

// WriteResults analyses what is known of all points and writes it into a folder, as [PointsFile], [ResultsFile] and [SensitivityFile].
func (p *Plan) WriteResults(folder string, known Known) (*Document, *Results, error) {
	r, err := p.Results(known)
	if err != nil {
		return nil, nil, err
	}
	found, err := p.Analyse(r)
	if err != nil {
		return nil, nil, err
	}
	doc := &Document{p.Hash, sim.ModelVersion, len(p.Points), len(p.Runs), found}
	points, columns, err := p.Files(r)
	if err != nil {
		return nil, nil, err
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, nil, err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{PointsFile, points}, {ResultsFile, columns}, {SensitivityFile, append(text, '\n')}} {
		if err := atomicfile.WriteFile(filepath.Join(folder, f.name), f.data, 0o644, true); err != nil {
			return nil, nil, err
		}
	}
	return doc, r, nil
}
