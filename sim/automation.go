package sim

// NumExposureGroups is the number of groups of households by their exposure to
// automation: low, middle, high.
const NumExposureGroups = 3

// exposures are the groups' shares of tasks that AI can do, relative to the mean
// of three groups of the same size.
var exposures = [NumExposureGroups]float64{.25, 1, 1.75}

// The column households.exposure holds the group in its lowest two bits, and
// whether AI took the last job.
const (
	exposureGroup = 3
	displaced     = 4
)

// leastAutomation is the share of automated labour below which AI is no longer in
// use.
const leastAutomation = .001

// licenceShare is what a user of AI pays for it, tax included, as a share of the
// wages saved.
func licenceShare(p *Params) float64 { return float64(p.AILicenceFee * (1 + p.RobotTaxRate)) }

// adoptionHazard is the monthly probability that a firm adopts AI: more where
// others did, less the more a tax takes of what the fee leaves, and none where
// nothing is left.
func adoptionHazard(rate, contagion, adopted, fee, cost float64) float64 {
	if cost >= 1 {
		return 0
	}
	return min(rate*(1+float64(contagion*adopted))*(1-cost)/(1-fee), 1)
}

// taskExposure is the share of a firm's tasks that AI can do, with the given mean
// and as widely and evenly spread as a share can be (u is a uniform draw).
func taskExposure(mean, u float64) float64 {
	return mean + float64((float64(2*u)-1)*min(mean, 1-mean))
}

// wagesSaved are the wages for the labour that automation replaces in an output,
// subunits.
func (e *Economy) wagesSaved(i int, output float64) float64 {
	return e.f.wage[i] * e.f.wagePremium[i] * e.f.automated[i] * output / e.efficiency(i) * e.intensity(i, output)
}

// automation runs the adoption of AI. It does nothing while nobody uses AI and
// nobody may adopt it.
func (e *Economy) automation() {
	if e.automating() {
		t := e.overFirms((*Economy).adopt)
		e.m.Adopters, e.adoptions = t.count[sumAdopters], int(t.count[sumAdoptions])
	}
}

// automating says whether AI is in use or may come into use.
func (e *Economy) automating() bool { return e.m.Adopters > 0 || e.p.AIAdoptionRate > 0 }

// adopt lets firms take up AI, by chance. New tasks for labour wear out what is
// automated. A firm for which AI does not pay any more gives it up when its
// licence is due, once a year.
func (e *Economy) adopt(s span) {
	p := &e.p
	draws := e.draws(forAdoption)
	cost := licenceShare(p)
	hazard := adoptionHazard(p.AIAdoptionRate, p.AIAdoptionContagion, float64(e.m.Adopters)/float64(e.opening.firms), p.AILicenceFee, cost)
	for i := s.lo; i < s.hi; i++ {
		share := e.f.automated[i]
		switch {
		case e.dormant(i):
		case share > 0:
			share *= 1 - p.AINewTaskRate
			if share < leastAutomation || cost >= 1 && (int(e.m.Month)-i)%12 == 0 {
				share = 0
			}
			e.f.automated[i] = share
		case draws.uniform(i, 0) < hazard:
			share = p.AIProductivityGain * taskExposure(p.AITaskExposure, draws.uniform(i, 1))
			if share < leastAutomation {
				continue
			}
			e.f.automated[i] = share
			if saved := float64(share * (1 - cost)); p.EnablePriceAdjustment {
				e.f.price[i], e.f.markUp[i] = passOn(e.f.price[i], e.priced(i), p.InnovationPricePassThrough, saved/(1-saved))
			}
			s.sum.count[sumAdoptions]++
		}
		if share > 0 {
			s.sum.count[sumAdopters]++
		}
	}
}

// payLicences takes the month's licence fee and robot tax from a firm that made y
// units.
func (e *Economy) payLicences(t *tally, i int, y float64) {
	fee := int64(e.p.AILicenceFee * e.wagesSaved(i, y))
	tax := taxOn(float64(fee), e.p.RobotTaxRate)
	e.f.licence[i] = -fee - tax
	e.f.deposits[i] -= fee + tax
	t.count[sumLicences] += fee
	t.count[sumRobotTax] += tax
}

// shareLicences pays the month's licence fees to the makers of capital goods, in
// proportion to their expected sales (and to a thousandth of a unit for each, so
// that somebody is paid in any case).
func (e *Economy) shareLicences(fees int64) {
	e.flow.licencesPaid = fees
	makers := func(k int) int { return e.consumptionFirms + k }
	apportion(fees, e.capitalFirms, func(k int) int64 {
		if e.dormant(makers(k)) {
			return 0
		}
		return 1 + int64(1000*e.f.sales[makers(k)])
	}, func(k int, share int64) {
		e.f.deposits[makers(k)] += share
		e.f.licence[makers(k)] += share
		e.flow.licencesReceived += share
	})
}

// mismatch is the factor on the chances of a job seeker.
func (e *Economy) mismatch(h int) float64 {
	if e.h.exposure[h]&displaced != 0 {
		return 1 - e.p.AIMismatchPenalty
	}
	return 1
}

// retrain sends a share of the unemployed who are highly exposed, or whose job AI
// took, to a course, for which the government pays them an allowance. Where it
// succeeds they are less exposed by one group and as employable as others.
func (e *Economy) retrain(s span) {
	p := &e.p
	draws := e.draws(forRetraining)
	allowance := floorMoney(p.RetrainingCost * e.m.MeanWage)
	for h := s.lo; h < s.hi; h++ {
		x := e.h.exposure[h]
		if !e.isUnemployed(h) || x&displaced == 0 && x&exposureGroup < NumExposureGroups-1 || draws.uniform(h, 0) >= p.RetrainingRate {
			continue
		}
		if draws.uniform(h, 1) < p.RetrainingEffect {
			e.h.exposure[h] = max(x&exposureGroup, 1) - 1
		}
		e.h.income[h] += allowance
		e.h.deposits[h] += allowance
		e.h.permanent[h] += float64(p.IncomeSmoothing * float64(allowance))
		s.sum.count[sumRetrained]++
		s.sum.count[sumDisposable] += allowance
	}
}

// payRetraining runs the month's courses.
func (e *Economy) payRetraining() {
	if e.p.RetrainingRate > 0 {
		t := e.overHouseholds((*Economy).retrain)
		e.retrained = int(t.count[sumRetrained])
		e.flow.retraining = t.count[sumRetrained] * floorMoney(e.p.RetrainingCost*e.m.MeanWage)
		e.flow.disposable += t.count[sumDisposable]
	}
}

// ExposureGroup is what a month did to the households of one exposure group.
type ExposureGroup struct {
	Share        float64 // of all households
	Unemployment float64 // share of the group's labour force
	Wage         float64 // mean gross wage of the employed, currency units a month
	WageShare    float64 // of all gross wages
}

// measureExposure fills the record from the workers' sums.
func (e *Economy) measureExposure(sums *spread) {
	e.record.Households.Retrained = e.retrained
	people, wages := int64(0), int64(0)
	for k := range sums.wages {
		for _, groups := range sums.byWork {
			people += groups[k].people
		}
		wages += sums.wages[k]
	}
	for k := range sums.wages {
		employed, unemployed := sums.byWork[Employed][k].people, sums.byWork[Unemployed][k].people
		all, force := employed+unemployed+sums.byWork[OutsideLabourForce][k].people, employed+unemployed
		e.record.Households.Exposure[k] = ExposureGroup{
			Share:        float64(all) / max(float64(people), 1),
			Unemployment: float64(unemployed) / max(float64(force), 1),
			Wage:         float64(sums.wages[k]) / max(float64(employed), 1) / subunit,
			WageShare:    float64(sums.wages[k]) / max(float64(wages), 1),
		}
	}
}
