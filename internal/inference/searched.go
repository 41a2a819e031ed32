package inference

import "econ-mcp/internal/stats"

// Found is what an experiment found whose inquiry looks for a number: one of the two, or neither yet.
type Found struct {
	EqualCost *EqualCost `json:"equal_cost,omitempty"`
	Threshold *Threshold `json:"threshold,omitempty"`
}

// EqualCost is the number with which an arm costs the government as much as another, and what both cost
// in the experiment itself. Costs are nominal currency units, added up over the window.
type EqualCost struct {
	Match      string       `json:"match"`
	To         string       `json:"to"`
	By         string       `json:"by"`
	Unit       string       `json:"unit"`
	Measure    string       `json:"measure" enum:"net,gross"`
	From       int          `json:"from_month"`
	Until      int          `json:"to_month"`
	Amount     float64      `json:"amount" doc:"found on the pilot"`
	Pilot      Pilot        `json:"pilot"`
	Cost       stats.Number `json:"cost" doc:"of match, on the experiment's own seeds; null until the window is over"`
	CostTo     stats.Number `json:"cost_to"`
	Difference stats.Number `json:"difference"`
	CILow      stats.Number `json:"ci_low"`
	CIHigh     stats.Number `json:"ci_high"`
	N          int          `json:"n"`
	Confidence float64      `json:"confidence"`
}

// Pilot is how a number was found before an experiment, on seeds of its own.
type Pilot struct {
	Replications  int     `json:"replications"`
	Evaluations   int     `json:"evaluations" doc:"amounts that were tried"`
	Cost          float64 `json:"cost"`
	StandardError float64 `json:"standard_error"`
	CostTo        float64 `json:"cost_to"`
	StandardTo    float64 `json:"standard_error_to"`
}

// Threshold is the value of a parameter at which its effect on an outcome crosses a level.
type Threshold struct {
	Parameter  string       `json:"parameter"`
	Unit       string       `json:"unit"`
	Outcome    string       `json:"outcome"`
	Against    string       `json:"against"`
	From       int          `json:"from_month"`
	Until      int          `json:"to_month"`
	Crosses    float64      `json:"crosses"`
	Relative   bool         `json:"relative" doc:"crosses and effects are shares of the mean of against"`
	Found      bool         `json:"found" doc:"false: the effect crosses it nowhere within the range"`
	Value      stats.Number `json:"value"`
	CILow      stats.Number `json:"ci_low" doc:"inverted paired t test; null where the range ends first"`
	CIHigh     stats.Number `json:"ci_high"`
	More       int          `json:"more_crossings" doc:"above value"`
	Shape      string       `json:"shape" enum:"rising,falling,flat,not_monotonic" doc:"tested on five equally spaced values"`
	Points     []DosePoint  `json:"points" doc:"by value"`
	N          int          `json:"n" doc:"pairs"`
	Confidence float64      `json:"confidence"`
}

// DosePoint is the effect of a value, paired by seed.
type DosePoint struct {
	Arm    string       `json:"arm"`
	Value  float64      `json:"value"`
	Effect stats.Number `json:"effect"`
	CILow  stats.Number `json:"ci_low"`
	CIHigh stats.Number `json:"ci_high"`
}
