package tables

import (
	"cmp"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"sort"

	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// OfKinds keeps some kinds only, pooled as "all".
func (s InnovationSummary) OfKinds(kinds []string) InnovationSummary {
	out := InnovationSummary{Months: s.Months, Units: s.Units}
	for _, p := range s.Pairs {
		if slices.Contains(kinds, p.Kind) {
			p.Kind = "all"
			out.Merge(InnovationSummary{Pairs: []SharePair{p}})
		}
	}
	return out
}

// GrowthFloor is the number of employees from which a firm's growth counts.
// Smaller firms grow by single customers. The firms of Bottazzi and Secchi (2006)
// have 20 or more, which would leave too few here.
const GrowthFloor = 5

// ShareHorizons are the months after an innovation at which market shares are
// compared.
var ShareHorizons = [...]int{1, 2, 3, 6, 12}

const (
	longestHorizon = 12
	shareMemory    = longestHorizon + 2 // months: from the one before an event to the horizon
	SettledAge     = 24                 // months; younger firms grow for other reasons
	ShareCaliper   = .25                // largest log distance of the shares of a pair
	allKinds       = int(sim.NumInnovationKinds)
)

// InnovationCollector observes a simulation month by month and compares firms
// that innovated with firms that did not. Its zero value is ready for the first
// month of an experiment. Its memory grows with the firms, not with the months.
//
// Events count after a quiet spell as long as the horizon. To each belongs a
// control: a firm of the same industry that was as quiet and has no event in that
// month, with the nearest market share in the month before, at most shareCaliper
// away. It is of another local market where the industry has several, since a
// competitor loses what the innovator wins. Later events are left to both: they
// come by chance, but only to firms with staff, so that firms without any are
// those that shrink. Both firms must be settledAge old at the event
// and live at the horizon, and have had [GrowthFloor] employees in the month
// before: who has no staff does no research, shrinks, and would make any event look
// good. A firm may be the control of several events.
type InnovationCollector struct {
	Units bool // shares of the quantity sold instead of revenue

	month    int
	firms    []shareFirm
	shares   [shareMemory][]float64          // by month, as a ring
	events   [longestHorizon + 1][]sim.Event // the same
	controls []int
	pairs    [allKinds + 1][len(ShareHorizons)]SharePair
}

type shareFirm struct {
	industry, market, age int
	recent                uint32 // bit k: an event k months ago
	staffed               uint32 // bit k: at least GrowthFloor employees k months ago
}

// InnovationBytes is the memory that a collector takes for an economy of so many firms that is
// observed for a number of months.
func InnovationBytes(firms, months int) int64 {
	return int64(firms) * (int64(reflect.TypeFor[shareFirm]().Size()) + 8*int64(min(months, shareMemory)))
}

// Observe takes in the month that e has just finished.
func (c *InnovationCollector) Observe(e *sim.Economy) error {
	c.month++
	for i := range c.firms { // rows without a firm, under open entry, have no age
		c.firms[i].age = 0
		c.firms[i].recent <<= 1
		c.firms[i].staffed <<= 1
	}
	if c.firms == nil {
		p := e.Params()
		c.firms = make([]shareFirm, 0, p.NumHouseholds/p.HouseholdsPerFirm)
	}
	e.EachFirm(func(i int, v sim.FirmView) {
		for i >= len(c.firms) {
			c.firms = append(c.firms, shareFirm{industry: v.Industry, market: v.Market})
		}
		c.firms[i].industry, c.firms[i].market, c.firms[i].age = v.Industry, v.Market, v.Age
		if v.Employees >= GrowthFloor {
			c.firms[i].staffed |= 1
		}
	})
	shares := &c.shares[c.month%shareMemory]
	*shares = slices.Grow((*shares)[:0], len(c.firms))
	if c.Units {
		*shares = e.UnitShares((*shares)[:0])
	} else {
		*shares = e.MarketShares((*shares)[:0])
	}
	for len(c.firms) < len(*shares) { // rows after the last firm
		c.firms = append(c.firms, shareFirm{industry: c.firms[len(c.firms)-1].industry, market: c.firms[len(c.firms)-1].market})
	}
	list := &c.events[c.month%len(c.events)]
	*list = append((*list)[:0], e.Events()...)
	for _, v := range *list {
		c.firms[v.Firm].recent |= 1
	}
	for k, h := range ShareHorizons {
		if c.month-h > h { // the first month of the window was observed
			c.compare(k, h)
		}
	}
	return nil
}

// compare finds the controls of the events of h months ago.
func (c *InnovationCollector) compare(k, h int) {
	month := c.month - h
	before, after := c.shares[(month-1)%shareMemory], c.shares[c.month%shareMemory]
	quiet := uint32(1<<h-1) << (h + 1) // the h months before the event
	settled := func(i int) bool {
		f := &c.firms[i]
		return f.age >= SettledAge+h && f.staffed>>(h+1)&1 != 0 && f.recent&quiet == 0 && before[i] > 0
	}
	first := 0 // of the industry whose controls are listed
	end := 0
	for _, v := range c.events[month%len(c.events)] {
		if !settled(v.Firm) {
			continue
		}
		if v.Firm >= end { // events come in the order of firms
			first = v.Firm
			for first > 0 && c.firms[first-1].industry == c.firms[v.Firm].industry {
				first--
			}
			end = v.Firm + 1
			for end < len(c.firms) && c.firms[end].industry == c.firms[v.Firm].industry {
				end++
			}
			c.controls = c.controls[:0]
			for i := first; i < end; i++ {
				if settled(i) && c.firms[i].recent>>h&1 == 0 {
					c.controls = append(c.controls, i)
				}
			}
			slices.SortFunc(c.controls, func(a, b int) int {
				return cmp.Or(cmp.Compare(before[a], before[b]), a-b)
			})
		}
		several := c.firms[first].market != c.firms[end-1].market
		control := c.nearest(before, v.Firm, several)
		growth := shareGrowth(before[v.Firm], after[v.Firm])
		for _, kind := range []int{int(v.Kind), allKinds} {
			p := &c.pairs[kind][k]
			p.Events++
			if control >= 0 {
				p.add(growth, shareGrowth(before[control], after[control]))
			}
		}
	}
}

// nearest returns the listed control whose share is nearest to the firm's, or -1.
func (c *InnovationCollector) nearest(share []float64, firm int, otherMarket bool) int {
	admissible := func(i int) bool { return !otherMarket || c.firms[i].market != c.firms[firm].market }
	distance := func(i int) float64 { return math.Abs(math.Log(share[i] / share[firm])) }
	above := sort.Search(len(c.controls), func(n int) bool { return share[c.controls[n]] >= share[firm] })
	best := -1
	for n := above - 1; n >= 0 && best < 0 && distance(c.controls[n]) <= ShareCaliper; n-- {
		if admissible(c.controls[n]) {
			best = c.controls[n]
		}
	}
	for n := above; n < len(c.controls) && distance(c.controls[n]) <= ShareCaliper; n++ {
		if i := c.controls[n]; admissible(i) {
			if best < 0 || distance(i) < distance(best) {
				best = i
			}
			break
		}
	}
	return best
}

// shareGrowth is the change of a share over its mean before and after (Davis,
// Haltiwanger and Schuh 1996): from -2 for a firm that loses all to 2.
func shareGrowth(before, after float64) float64 { return 2 * (after - before) / (after + before) }

func (p *SharePair) add(event, control float64) {
	p.Pairs++
	p.Innovators += event
	p.Others += control
	p.InnovatorsSquare += event * event
	p.OthersSquare += control * control
}

// means of the growth of innovators and of their controls.
func (p *SharePair) means() (event, control float64) {
	return p.Innovators / float64(p.Pairs), p.Others / float64(p.Pairs)
}

// correlation of growth with being the innovator of a pair, over both firms of
// all pairs. As half of them are innovators, it is half of the difference of the
// means over the standard deviation of growth.
func (p *SharePair) correlation() float64 {
	n := 2 * float64(p.Pairs)
	mean := (p.Innovators + p.Others) / n
	variance := (p.InnovatorsSquare+p.OthersSquare)/n - mean*mean
	event, control := p.means()
	return (event - control) / (2 * math.Sqrt(variance))
}

// ShareResponse says what innovations of a kind did to market shares after some
// months. Numbers are means over replications, intervals Student's with the
// replication as the unit: the pairs of one economy share its markets and its
// random draws. They are NaN where there are too few replications with pairs.
type ShareResponse struct {
	Kind          string // "all" or one of the kinds
	Horizon       int    // months
	Events, Pairs int    // of settled firms, in all replications
	Replications  int    // with pairs

	Innovators, Others float64 // growth of the market share, see shareGrowth
	Difference         stats.Interval
	Correlation        stats.Interval // of that growth with being the innovator
}

// InnovationSummary is what an [InnovationCollector] found in one simulation, small
// enough to be kept with the run: whoever runs it observes each month and stores the
// summary as JSON at the end. The parts of a run that was interrupted can be merged; only
// pairs whose window reaches over the gap are missing.
type InnovationSummary struct {
	Months int         `json:"months"` // observed
	Units  bool        `json:"units"`  // shares of the quantity sold instead of revenue
	Pairs  []SharePair `json:"pairs"`  // of kinds and horizons with events
}

// SharePair holds the sums over the pairs of one kind of innovation and one horizon.
type SharePair struct {
	Kind             string  `json:"kind"` // "all" or one of the kinds
	Horizon          int     `json:"horizon_months"`
	Events           int     `json:"events"` // also those without a control
	Pairs            int     `json:"pairs"`
	Innovators       float64 `json:"innovators"` // growth of market shares
	Others           float64 `json:"others"`
	InnovatorsSquare float64 `json:"innovators_square"`
	OthersSquare     float64 `json:"others_square"`
}

// Summary is what was found so far.
func (c *InnovationCollector) Summary() InnovationSummary {
	s := InnovationSummary{Months: c.month, Units: c.Units, Pairs: []SharePair{}}
	for kind := range c.pairs {
		for k, h := range ShareHorizons {
			if p := c.pairs[kind][k]; p.Events > 0 {
				p.Kind, p.Horizon = kindName(kind), h
				s.Pairs = append(s.Pairs, p)
			}
		}
	}
	return s
}

// Merge adds a later part of the same run.
func (s *InnovationSummary) Merge(later InnovationSummary) {
	s.Months += later.Months
	for _, p := range later.Pairs {
		k := slices.IndexFunc(s.Pairs, func(q SharePair) bool { return q.Kind == p.Kind && q.Horizon == p.Horizon })
		if k < 0 {
			s.Pairs = append(s.Pairs, p)
			continue
		}
		q := &s.Pairs[k]
		q.Events, q.Pairs = q.Events+p.Events, q.Pairs+p.Pairs
		q.Innovators, q.Others = q.Innovators+p.Innovators, q.Others+p.Others
		q.InnovatorsSquare, q.OthersSquare = q.InnovatorsSquare+p.InnovatorsSquare, q.OthersSquare+p.OthersSquare
	}
}

// at returns the sums for a kind and a horizon.
func (s *InnovationSummary) at(kind string, horizon int) SharePair {
	for _, p := range s.Pairs {
		if p.Kind == kind && p.Horizon == horizon {
			return p
		}
	}
	return SharePair{}
}

// kindName names a row of a collector's pairs.
func kindName(kind int) string {
	if kind == allKinds {
		return "all"
	}
	return sim.InnovationKind(kind).String()
}

// ShareResponses summarises the replications, for all kinds together and for each
// that occurred.
func ShareResponses(replications []InnovationSummary, confidence float64) []ShareResponse {
	var out []ShareResponse
	for row := range allKinds + 1 {
		kind := row - 1
		if row == 0 {
			kind = allKinds
		}
		for _, h := range ShareHorizons {
			r := ShareResponse{Kind: kindName(kind), Horizon: h}
			var innovators, others, difference, correlation []float64
			for k := range replications {
				p := replications[k].at(r.Kind, h)
				r.Events += p.Events
				r.Pairs += p.Pairs
				if p.Pairs == 0 {
					continue
				}
				event, control := p.means()
				innovators, others = append(innovators, event), append(others, control)
				difference = append(difference, event-control)
				if x := p.correlation(); !math.IsNaN(x) {
					correlation = append(correlation, x)
				}
			}
			if r.Events == 0 && kind < allKinds {
				continue
			}
			r.Replications = len(difference)
			r.Innovators, r.Others = stats.Mean(innovators), stats.Mean(others)
			r.Difference = stats.MeanInterval(difference, confidence)
			r.Correlation = stats.MeanInterval(correlation, confidence)
			out = append(out, r)
		}
	}
	return out
}

// MarshalJSON implements [json.Marshaler].
func (r ShareResponse) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Kind            string       `json:"kind"`
		Horizon         int          `json:"horizon_months"`
		Events          int          `json:"events"`
		Pairs           int          `json:"pairs"`
		Replications    int          `json:"replications"`
		Innovators      stats.Number `json:"innovators"`
		Others          stats.Number `json:"others"`
		Difference      stats.Number `json:"difference"`
		DifferenceLow   stats.Number `json:"difference_ci_low"`
		DifferenceHigh  stats.Number `json:"difference_ci_high"`
		Correlation     stats.Number `json:"correlation"`
		CorrelationLow  stats.Number `json:"correlation_ci_low"`
		CorrelationHigh stats.Number `json:"correlation_ci_high"`
	}{
		r.Kind, r.Horizon, r.Events, r.Pairs, r.Replications, stats.Number(r.Innovators), stats.Number(r.Others),
		stats.Number(r.Difference.Mean), stats.Number(r.Difference.Low), stats.Number(r.Difference.High),
		stats.Number(r.Correlation.Mean), stats.Number(r.Correlation.Low), stats.Number(r.Correlation.High),
	})
}
