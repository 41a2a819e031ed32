package trials

// HeldOutStatistic is one that nobody looks at while a model is estimated.
type HeldOutStatistic struct {
	Name   string
	Data   float64
	Values []float64 // of the replications
}

// HeldOutOf are the statistics that are held out, by sample: to check what was estimated without them, and nothing else.
func (r *Reality) HeldOutOf(m *Measured) [][]HeldOutStatistic {
	list := make([][]HeldOutStatistic, len(r.Samples))
	for i, of := range r.Samples {
		for _, s := range r.Data.Between(of.First, of.Last).Statistics(m.Quarters[i].Growth, r.HeldOut) {
			if s.HeldOut {
				list[i] = append(list[i], HeldOutStatistic{s.Name, s.Value(), m.Quarters[i].Values[s.Name]})
			}
		}
	}
	return list
}
