package web

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"econ-mcp/internal/report"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/figures"
	"econ-mcp/tools"
)

// drawnSweeps are the figures of the sweeps that were looked at last. They are made of all runs of a sweep.
type drawnSweeps struct {
	mu   sync.Mutex
	list []*drawnSweep // the one that was asked for last at the end
}

type drawnSweep struct {
	name, hash, language string
	list                 []figures.Figure
	left                 []string
}

// mostDrawn is of how many sweeps and languages figures are kept.
const mostDrawn = 4

// of draws the figures of a sweep, for which all its runs are read; whoever asks for what is kept does not wait.
func (d *drawnSweeps) of(ctx context.Context, s *Site, name, language string) (*drawnSweep, error) {
	doc, err := s.Sweeps.Found(name)
	if err != nil {
		return nil, err
	}
	found, err := s.Sweeps.File(name, sweep.SensitivityFile) // the same design may have been carried out again, by another build
	if err != nil {
		return nil, err
	}
	wanted := drawnSweep{name: name, hash: fmt.Sprintf("%s %x", doc.Hash, sha256.Sum256(found)), language: language}
	if kept := d.kept(wanted); kept != nil {
		return kept, nil
	}
	if err := s.heavy.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.heavy.Release(1)
	if kept := d.kept(wanted); kept != nil { // drawn meanwhile
		return kept, nil
	}
	p, r, err := s.Sweeps.Results(ctx, name)
	if err != nil {
		return nil, err
	}
	wanted.list, wanted.left = figures.Of(p, r, doc.Sensitivity, name, language)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.list = append(d.list, &wanted); len(d.list) > mostDrawn {
		d.list = slices.Delete(d.list, 0, 1)
	}
	return &wanted, nil
}

// kept is what was drawn of a sweep, or nil.
func (d *drawnSweeps) kept(wanted drawnSweep) *drawnSweep {
	d.mu.Lock()
	defer d.mu.Unlock()
	k := slices.IndexFunc(d.list, func(o *drawnSweep) bool {
		return o.name == wanted.name && o.hash == wanted.hash && o.language == wanted.language
	})
	if k < 0 {
		return nil
	}
	found := d.list[k]
	d.list = append(slices.Delete(d.list, k, k+1), found)
	return found
}

// mapData is an outcome over factors as a table: of one factor a row for each of its cells, of two the cells of both.
type mapData struct {
	Outcome  int
	X, Y     string
	Alone    bool // no two factors vary together
	Title    string
	XName    string
	YName    string
	Log      bool // along x
	Columns  []string
	Rows     []mapLine
	Flips    bool // the sign changes between neighbours
	Outcomes []outcomeAnswer
	Factors  []factorAnswer
}

type mapLine struct {
	Head  string
	At, Y float64 // of one factor: the middle of the cell, and the mean, as they are shown
	Cells []mapCellText
}

// mapCellText is a cell in words. Class says how high it is, and on which sides the sign changes.
type mapCellText struct {
	Text, Class, About string
	Points             int // 0 = they are not told
}

// mapLevels is how many colours either side of zero has.
const mapLevels = 5

// mapOf is the map that the address asks for; by default of the first outcome over its leading factor.
func (s *Site) mapOf(r *http.Request, name string, d *sweep.Design, doc *sweep.Document, language string) (*mapData, error) {
	if len(doc.Sensitivity) == 0 {
		return nil, nil
	}
	query := r.URL.Query()
	in := mapArgs{sweepArgs: sweepArgs{tools.Name(name), languageArgs{language}}, X: query.Get("x"), Y: query.Get("y")}
	in.Outcome, _ = strconv.Atoi(query.Get("outcome")) // 0 without any, or where it is no number
	in.Outcome = min(max(in.Outcome, 0), len(doc.Sensitivity)-1)
	if lead := ranked(doc.Sensitivity[in.Outcome].Factors); in.X == "" && len(lead) > 0 {
		in.X = lead[0].Factor
		if !query.Has("y") && len(lead) > 1 && d.Kind != sweep.OneAtATime {
			in.Y = lead[1].Factor
		}
	}
	m, err := s.measured(name, in.Outcome)
	if err != nil {
		return nil, err
	}
	answer, err := s.readMap(r.Context(), nil, in)
	if err != nil {
		return nil, err
	}
	readable := map[string]figures.Factor{}
	for k, f := range figures.Factors(d, m.Points, language) {
		readable[d.Factors[k].Name] = f
	}
	out := &mapData{
		Outcome: in.Outcome, X: answer.X.Factor, Y: answer.Y.Factor, Alone: d.Kind == sweep.OneAtATime, Title: answer.Outcome.Title,
		XName: axisName(readable[answer.X.Factor]), Log: readable[answer.X.Factor].Log, Factors: factorsOf(d, nil, language),
	}
	for k := range doc.Sensitivity {
		out.Outcomes = append(out.Outcomes, outcomeOf(d, k, doc.Sensitivity[k].Quantity, language))
	}
	words := cellWords{quantityWords{m.quantity, language}, answer.Outcome.Scale, language}
	across := namesOf(answer.X, readable[answer.X.Factor], language)
	if out.Y == "" {
		words.along(out, answer, across, readable[answer.X.Factor])
		return out, nil
	}
	out.YName = axisName(readable[answer.Y.Factor])
	out.Columns = across
	words.over(out, answer, namesOf(answer.Y, readable[answer.Y.Factor], language))
	return out, nil
}

func axisName(f figures.Factor) string {
	if f.Unit == "" {
		return f.Label
	}
	return f.Label + ", " + f.Unit
}

// namesOf are the names of the cells of an axis.
func namesOf(a axisAnswer, f figures.Factor, language string) (names []string) {
	for k, x := range a.Values {
		switch {
		case !a.Bins:
			names = append(names, f.Text(x))
		case k > 0:
			names = append(names, f.Text(a.Values[k-1])+inLanguage(language, " to ", " 至 ")+f.Text(x))
		}
	}
	return names
}

// cellWords write cells, whose values are scaled.
type cellWords struct {
	quantityWords
	scale    float64
	language string
}

func (w cellWords) text(x float64) string {
	if math.IsNaN(x) {
		return report.Absent
	}
	return w.value(x / w.scale)
}

// along is a row for each cell of one factor.
func (w cellWords) along(out *mapData, a mapAnswer, names []string, f figures.Factor) {
	out.Columns = []string{
		inLanguage(w.language, "mean", "均值"), inLanguage(w.language, "lowest", "最低"), inLanguage(w.language, "highest", "最高"),
		inLanguage(w.language, "points", "点数"),
	}
	for k, c := range a.Rows[0].Cells {
		at := a.X.Values[k]
		if a.X.Bins {
			if at = (at + a.X.Values[k+1]) / 2; f.Log {
				at = math.Sqrt(a.X.Values[k] * a.X.Values[k+1])
			}
		}
		line := mapLine{Head: names[k], At: at * f.By, Y: float64(c.Mean)}
		for _, x := range []float64{float64(c.Mean), float64(c.Least), float64(c.Most)} {
			line.Cells = append(line.Cells, mapCellText{Text: w.text(x)})
		}
		line.Cells = append(line.Cells, mapCellText{Text: strconv.Itoa(c.Points)})
		if k > 0 && w.With != "" && flips(a.Rows[0].Cells[k-1], c) {
			out.Flips = true
			for i := range line.Cells {
				line.Cells[i].Class = "flip-above"
			}
		}
		out.Rows = append(out.Rows, line)
	}
}

// over has the highest cells of the second factor on top, as a figure has them.
func (w cellWords) over(out *mapData, a mapAnswer, names []string) {
	low, high, several := math.Inf(1), math.Inf(-1), false
	for _, row := range a.Rows {
		for _, c := range row.Cells {
			several = several || c.Points > 1
			if !math.IsNaN(float64(c.Mean)) {
				low, high = min(low, float64(c.Mean)), max(high, float64(c.Mean))
			}
		}
	}
	for i := len(a.Rows) - 1; i >= 0; i-- {
		line := mapLine{Head: names[i]}
		for j, c := range a.Rows[i].Cells {
			cell := mapCellText{Text: w.text(float64(c.Mean)), Class: w.level(float64(c.Mean), low, high)}
			if several && c.Points > 0 {
				cell.Points = c.Points
				cell.About = w.text(float64(c.Least)) + inLanguage(w.language, " to ", " 至 ") + w.text(float64(c.Most))
			}
			if w.With != "" && j > 0 && flips(a.Rows[i].Cells[j-1], c) {
				cell.Class, out.Flips = cell.Class+" flip-left", true
			}
			if w.With != "" && i+1 < len(a.Rows) && flips(a.Rows[i+1].Cells[j], c) {
				cell.Class, out.Flips = cell.Class+" flip-above", true
			}
			line.Cells = append(line.Cells, cell)
		}
		out.Rows = append(out.Rows, line)
	}
}

// flips says whether the sign changes from one cell to another.
func flips(a, b mapCell) bool { return float64(a.Mean)*float64(b.Mean) < 0 }

// level is the class of a colour: of a difference by its distance from zero, else by where it is between the lowest and the highest.
func (w cellWords) level(x, low, high float64) string {
	switch {
	case math.IsNaN(x):
		return "none"
	case w.With == "":
		if high > low {
			return "up" + strconv.Itoa(int(math.Round(mapLevels*(x-low)/(high-low))))
		}
		return "up0"
	}
	most := max(math.Abs(low), math.Abs(high))
	if most == 0 {
		return "up0"
	}
	n := strconv.Itoa(int(math.Round(mapLevels * math.Abs(x) / most)))
	if x < 0 {
		return "down" + n
	}
	return "up" + n
}
