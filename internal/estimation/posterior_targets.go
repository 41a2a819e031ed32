package estimation

import (
	"fmt"
	"math"
	"slices"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
)

// PosteriorSettings are what the key posterior of a file of targets says.
type PosteriorSettings struct {
	Points int // sets of parameters of the first wave; ten a parameter, at least 20, if not given
	More   int // of each later wave; half as many if not given
	Waves  int // at most

	Cutoff float64 // of implausibility
	Rank   int     // which implausibility of a set counts: 1 = the largest, 2 = the second largest

	// Observation is what the uncertainty of the data's moments comes from: [Replications] of the model, of which the data count as one
	// (Wood 2010), or the [Bootstrap] of the data.
	Observation string

	// Discrepancy is the standard deviation by which even the best parameters miss the moments of the data, as a share of the standard
	// deviation of each moment; Discrepancies are those of single moments.
	Discrepancy   float64
	Discrepancies map[string]float64

	Draws      int // of the posterior that are written
	Predictive int // of them with which the economy is simulated, to hold the data against it; 0 = none, else 20 or more
}

// What the uncertainty of the data's moments comes from.
const (
	Bootstrap    = "bootstrap"
	Replications = "replications"
)

func usualPosterior() PosteriorSettings {
	return PosteriorSettings{
		Waves: 3, Cutoff: bayes.Cutoff, Rank: 2, Observation: Replications, Discrepancy: .5, Discrepancies: map[string]float64{}, Draws: 1000,
		Predictive: 50,
	}
}

func (p *PosteriorSettings) read(node *yaml.Node) error {
	return strict.Fields{
		"points": &p.Points, "more_points": &p.More, "waves": &p.Waves, "cutoff": &p.Cutoff, "rank": &p.Rank, "observation": &p.Observation,
		"discrepancy": &p.Discrepancy, "discrepancies": p.readDiscrepancies, "draws": &p.Draws, "predictive": &p.Predictive,
	}.Read(node, "posterior")
}

func (p *PosteriorSettings) readDiscrepancies(node *yaml.Node) error {
	entries, err := strict.Mapping(node, "discrepancies")
	if err != nil {
		return err
	}
	for _, e := range entries {
		var sd float64
		if e.Value.Decode(&sd) != nil || !(sd >= 0) || math.IsInf(sd, 0) {
			return strict.At(fault.Type(e.Key.Value, strict.KindOf(e.Value), "number, 0 or more, in standard deviations of the moment"), e.Value)
		}
		p.Discrepancies[e.Key.Value] = sd
	}
	return nil
}

// The least points of a first wave, and of a later one.
const (
	leastPoints = 20
	leastMore   = 10
)

// complete fills in what depends on the number of parameters: ten points for each (Loeppky, Sacks and Welch 2009, "Choosing the Sample
// Size of a Computer Experiment", Technometrics 51(4)).
func (p *PosteriorSettings) complete(parameters int) {
	if p.Points == 0 {
		p.Points = max(leastPoints, 10*parameters)
	}
	if p.More == 0 {
		p.More = max(leastMore, p.Points/2)
	}
}

func (p *PosteriorSettings) check(parameters int) error {
	least := parameters + 6 // a linear trend, and points to tell how far it is off
	between := func(name string, value, low, high int) error {
		if value < low || value > high {
			return fault.Range("posterior."+name, fmt.Sprint(value), fmt.Sprintf("%d to %d", low, high))
		}
		return nil
	}
	for _, err := range []error{
		between("points", p.Points, least, 2000), between("more_points", p.More, 1, 2000), between("waves", p.Waves, 1, 20),
		between("rank", p.Rank, 1, 3), between("draws", p.Draws, 100, 100_000),
	} {
		if err != nil {
			return err
		}
	}
	switch {
	case p.Predictive != 0 && (p.Predictive < leastJudged || p.Predictive > 1000):
		return fault.Range("posterior.predictive", fmt.Sprint(p.Predictive), fmt.Sprintf("0, or %d to 1000", leastJudged))
	case !(p.Cutoff > 0) || math.IsInf(p.Cutoff, 0):
		return fault.Range("posterior.cutoff", fmt.Sprint(p.Cutoff), "above 0")
	case !(p.Discrepancy >= 0) || math.IsInf(p.Discrepancy, 0):
		return fault.Range("posterior.discrepancy", fmt.Sprint(p.Discrepancy), "0 or more")
	case !slices.Contains([]string{Bootstrap, Replications}, p.Observation):
		return fault.Unknown(fault.NotFound, "observation", p.Observation, []string{Bootstrap, Replications})
	}
	return nil
}

// discrepancy of a moment, in its own unit.
func (p *PosteriorSettings) discrepancy(m *Moment) float64 {
	for _, name := range m.names() {
		if share, given := p.Discrepancies[name]; given {
			return share * m.SD
		}
	}
	return p.Discrepancy * m.SD
}
