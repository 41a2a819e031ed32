package sim

// Event is one innovation of the month.
type Event struct {
	Month int // of the experiment
	Firm  int // its row
	Kind  InnovationKind

	// What it improved, before and after: units of output a month per unit of
	// labour, the price without VAT in currency units, the mark-up, or the quality
	// index, by kind.
	Before, After float64

	MarketShare float64 // the firm's revenue over that of its industry in its local market, of the month
}

// Events lists the month's innovations in the order of firms; a month that was not
// simulated by this economy (it was read from a snapshot) has none.
func (e *Economy) Events() (events []Event) {
	e.eachShare(e.revenueOf, func(i int, share float64) {
		if e.f.event[i] == 0 {
			return
		}
		v := Event{
			Month: e.experimentMonth(), Firm: i, Kind: InnovationKind(e.f.event[i] - 1),
			Before: e.f.eventBefore[i], After: e.f.eventAfter[i], MarketShare: share,
		}
		if v.Kind == PriceInnovation {
			v.Before, v.After = v.Before/subunit, v.After/subunit
		}
		events = append(events, v)
	})
	return events
}

// MarketShares appends to dst each firm's revenue over that of its industry in
// its local market, in the order of firms; the makers of capital goods share one
// market. It is zero where nothing was sold.
func (e *Economy) MarketShares(dst []float64) []float64 { return e.sharesOf(e.revenueOf, dst) }

// UnitShares does the same with the quantities sold.
func (e *Economy) UnitShares(dst []float64) []float64 { return e.sharesOf(e.unitsSold, dst) }

func (e *Economy) sharesOf(sold func(i int) float64, dst []float64) []float64 {
	e.eachShare(sold, func(_ int, share float64) { dst = append(dst, share) })
	return dst
}

// eachShare calls f for each firm with its share of what its industry sold in its local
// market, and for the makers of capital goods with that of what they sold together.
func (e *Economy) eachShare(sold func(i int) float64, f func(i int, share float64)) {
	for r := range e.founders {
		first, end := int(e.shopStart[r]), int(e.shopStart[r+1])
		total := 0.0
		for i := first; i < end; i++ {
			total += sold(i)
		}
		for i := first; i < end; i++ {
			f(i, shareOf(sold(i), total))
		}
	}
}

func (e *Economy) revenueOf(i int) float64 { return float64(e.f.revenue[i]) }

// unitsSold is what a firm sold in the month; nothing before its first one.
func (e *Economy) unitsSold(i int) float64 {
	switch {
	case e.isCapital(i):
		return units(e.f.delivered[i])
	case e.f.postedPrice[i] > 0:
		return float64(e.f.revenue[i]) / e.f.postedPrice[i]
	}
	return 0
}

func shareOf(sold, total float64) float64 {
	if total <= 0 {
		return 0
	}
	return sold / total
}
