package design

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

//go:embed testdata/questions.yaml
var labelled []byte

// Labelled is a question with what a careful reader takes from it.
type Labelled struct {
	Question string          `yaml:"q"`
	Type     Type            `yaml:"type"`
	HeldOut  bool            `yaml:"held_out"` // not looked at when the reader is tuned
	Levers   []LabelledLever `yaml:"levers"`
}

// LabelledLever is a lever with what the question says of it; what it does not say is nil.
type LabelledLever struct {
	Parameter string    `yaml:"parameter"`
	Direction Direction `yaml:"direction"`
	Value     *float64  `yaml:"value"`
	Start     *int      `yaml:"target_month"`
	Duration  *int      `yaml:"duration_months"`
	Ramp      *int      `yaml:"ramp_months"`
}

// Questions are the labelled questions, in English and Chinese.
func Questions() ([]Labelled, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(labelled))
	decoder.KnownFields(true)
	var list []Labelled
	if err := decoder.Decode(&list); err != nil {
		return nil, fmt.Errorf("testdata/questions.yaml: %w", err)
	}
	return list, nil
}

// Score counts the questions of one part that were read rightly.
type Score struct {
	Questions int `json:"questions"`
	Types     int `json:"types"`  // of the right type
	Levers    int `json:"levers"` // with exactly the right levers, directions, sizes and times
}

// Miss is a question that was read otherwise than its label says.
type Miss struct {
	Labelled
	Got Reading
	Err error
}

// Evaluation holds the reader against the labelled questions.
type Evaluation struct {
	Tuned, HeldOut Score
	English        Score // of both parts
	Chinese        Score
	Misses         []Miss
}

// Evaluate reads every labelled question about the economy as calibrated.
func Evaluate() (Evaluation, error) {
	list, err := Questions()
	if err != nil {
		return Evaluation{}, err
	}
	var e Evaluation
	base := scenario.New("baseline", sim.Defaults())
	for _, q := range list {
		plan, err := Read(q.Question, base)
		rightType, rightLevers := err == nil && plan.Type == q.Type, err == nil && q.fits(plan.Levers)
		part, language := &e.Tuned, &e.English
		if q.HeldOut {
			part = &e.HeldOut
		}
		if IsChinese(q.Question) {
			language = &e.Chinese
		}
		for _, s := range []*Score{part, language} {
			s.add(rightType, rightLevers)
		}
		if !rightType || !rightLevers {
			e.Misses = append(e.Misses, Miss{q, plan, err})
		}
	}
	return e, nil
}

func (s *Score) add(rightType, rightLevers bool) {
	s.Questions++
	if rightType {
		s.Types++
	}
	if rightLevers {
		s.Levers++
	}
}

// fits says whether levers are those of the label: all of them and no other.
func (q Labelled) fits(levers []Lever) bool {
	if len(levers) != len(q.Levers) {
		return false
	}
	for _, want := range q.Levers {
		if !slices.ContainsFunc(levers, want.fits) {
			return false
		}
	}
	return true
}

func (want LabelledLever) fits(l Lever) bool {
	if l.Parameter != want.Parameter || l.Direction != want.Direction {
		return false
	}
	if want.Value != nil {
		x, ok := toFloat(l.Value)
		if !ok || math.Abs(x-*want.Value) > 1e-4*max(1e-2, math.Abs(*want.Value)) {
			return false
		}
	}
	for _, span := range []struct {
		want *int
		got  int
	}{{want.Start, l.StartMonth}, {want.Duration, l.DurationMonths}, {want.Ramp, l.RampMonths}} {
		if span.want != nil && *span.want != span.got {
			return false
		}
	}
	return true
}

// Row is the accuracy on one part of the labelled questions.
type Row struct {
	Part          string  `json:"part"`
	Questions     int     `json:"questions"`
	TypeAccuracy  float64 `json:"type_accuracy"`
	LeverAccuracy float64 `json:"lever_accuracy"`
}

// Rows are the accuracies by part, and by language over both parts.
func (e Evaluation) Rows() []Row {
	var rows []Row
	for _, part := range []struct {
		name  string
		score Score
	}{{"tuned", e.Tuned}, {"held out", e.HeldOut}, {"English", e.English}, {"Chinese", e.Chinese}} {
		n := float64(max(1, part.score.Questions))
		rows = append(rows, Row{part.name, part.score.Questions, float64(part.score.Types) / n, float64(part.score.Levers) / n})
	}
	return rows
}

// Document is the JSON form of an evaluation.
type Document struct {
	Parts []Row `json:"parts"`
}

// Document is what programs read of an evaluation: no misses, so that none of the held-out
// part is seen.
func (e Evaluation) Document() Document { return Document{e.Rows()} }
