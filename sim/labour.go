package sim

import (
	"math"
	"slices"
	"sync/atomic"
)

// jobSeekers is the scratch of the month's matching.
type jobSeekers struct {
	applications atomic.Int64 // entries in households.budget during matching
	unemployed   int64        // searching this month
	found        int64        // of those, in work after matching, and later with those in the public employment programme
	place        float64      // chance of a post in the public employment programme
	priority     draws
	search       draws
}

// government posts what its employment lacks to its share of the workforce.
func (e *Economy) postGovernmentJobs() {
	g := e.government()
	staff := float64(e.p.GovernmentEmploymentShare * float64(e.people.force) * e.m.SpendingScale)
	researchers := float64(e.p.PublicResearchShare*positive(e.m.GDPTrend)) / (e.m.MeanWage * e.m.MeanSkill)
	target := int32(staff + researchers)
	e.rates.researchers = researchers / max(staff+researchers, 1)
	e.f.posted[g] = max(0, target-e.f.heads[g])
	e.f.open[g] = e.f.posted[g]
	e.f.layoff[g], e.f.wageBill[g] = 0, 0
	if excess := e.f.heads[g] - target; excess > 0 && e.p.EnableDismissal {
		e.f.layoff[g] = e.p.DismissalRate * float64(excess) / float64(e.f.heads[g])
	}
}

// separate ends jobs, by chance or by layoff. Where AI is in use, layoffs at firms that use
// it fall on workers in proportion to their exposure, and those laid off are marked as
// displaced, which lowers their chances elsewhere; new tasks make workers less exposed.
func (e *Economy) separate(s span) {
	draws, change := e.draws(forSeparation), e.draws(forNewTasks)
	automating := e.automating()
	for h := s.lo; h < s.hi; h++ {
		group := e.h.exposure[h] & exposureGroup
		if automating && group > 0 && change.uniform(h, 0) < e.p.AINewTaskRate {
			e.h.exposure[h]--
		}
		i := e.h.employer[h]
		if i == nobody {
			e.h.idle[h] = min(e.h.idle[h]+1, mostIdle)
			if e.h.ability != nil && e.inForce(h) {
				e.h.skill[h] = forgotten(e.h.skill[h], e.p.SkillLoss)
			}
			continue
		}
		if e.h.ability != nil {
			e.relearn(h, i)
		}
		layoff, taken := e.f.layoff[i], false
		if automating && layoff > 0 && int(i) < e.firms() && e.f.automated[i] > 0 {
			layoff, taken = float64(layoff*exposures[group]), true
		}
		u := draws.uniform(h, 0)
		if u >= e.p.SeparationRate+layoff {
			continue
		}
		if taken && u >= e.p.SeparationRate {
			e.h.exposure[h] |= displaced
		}
		e.endJob(h, s.sum)
	}
}

// endJobs runs the month's separations.
func (e *Economy) endJobs() {
	e.separations += e.overHouseholds((*Economy).separate).count[sumSeparations]
}

const (
	mostIdle    = 9999 // months without a job that are counted
	decayMonths = 120  // for which the reservation wage falls
)

// reservationWage is the lowest wage per unit of labour that a job seeker
// accepts: a share of the mean wage that falls with each month without work, or
// a premium on the present wage.
func reservationWage(meanWage, ratio, decay float64, idle int) float64 {
	w := ratio * meanWage
	for range min(idle, decayMonths) {
		w *= decay
	}
	return w
}

// match fills posts (Delli Gatti et al. 2011, section 3.2, made parallel). Each
// post is a ball in an urn. The unemployed and a few of the employed draw M
// balls, of which each counts with the matching efficiency, and apply to the
// best acceptable one. Firms take applicants in the order of a hashed priority
// until their posts are full; those turned down apply to the next best in the
// next round, in M rounds.
func (e *Economy) match() {
	k := &e.seekers
	k.applications.Store(0)
	k.search, k.priority = e.draws(forJobSearch), e.draws(forJobPriority)
	e.urn.fill(e, e.everyFirm, func(e *Economy, i int) int64 {
		if i == int(e.programme()) { // which takes those who find nothing else
			return 0
		}
		return int64(e.f.posted[i])
	})
	sum := e.overHouseholds((*Economy).applyForJobs)
	k.unemployed, k.found = sum.count[sumUnemployedSeekers], 0

	waiting := e.h.budget[:k.applications.Load()]
	for round := 1; len(waiting) > 0; round++ {
		slices.Sort(waiting)
		rejected := e.hire(waiting)
		if round == e.p.JobSearchIntensity {
			return
		}
		n := 0
		for _, a := range rejected {
			if i := e.bestPost(int(uint32(a))); i != nobody {
				waiting[n] = application(i, uint32(a))
				n++
			}
		}
		waiting = waiting[:n]
	}
}

// application packs a firm and a household so that sorting groups by firm.
func application(firm int32, household uint32) int64 { return int64(firm)<<32 | int64(household) }

func (e *Economy) applyForJobs(s span) {
	programme := e.programme()
	for h := s.lo; h < s.hi; h++ {
		if e.h.employer[h] == nobody {
			if !e.inForce(h) {
				continue
			}
			s.sum.count[sumUnemployedSeekers]++
		} else if e.h.employer[h] != programme && e.seekers.search.uniform(h, 0) >= e.p.OnTheJobSearchRate {
			continue
		}
		if i := e.bestPost(h); i != nobody {
			e.h.budget[e.seekers.applications.Add(1)-1] = application(i, uint32(h))
		}
	}
}

// bestPost returns the employer with the best acceptable wage among the balls
// that a household draws, among those that have posts left.
func (e *Economy) bestPost(h int) int32 {
	var least float64
	efficiency := e.p.MatchingEfficiency
	if i := e.h.employer[h]; i == nobody {
		least = reservationWage(e.m.MeanWage, e.p.ReservationWageRatio, e.p.ReservationWageDecay, int(e.h.idle[h]))
		efficiency *= float64(e.mismatch(h) * e.effort(h))
	} else {
		least = e.p.JobSwitchWageRatio * e.f.wage[i]
		if i == e.programme() { // whose wage is the same for all
			least = e.p.JobSwitchWageRatio * float64(e.rates.jobGuarantee) * skillUnit / float64(e.h.skill[h])
		}
	}
	best, wage := nobody, least
	for ball := range e.p.JobSearchIntensity {
		if e.seekers.search.uniform(h, 2*ball+1) >= efficiency {
			continue
		}
		i := e.urn.draw(0, e.seekers.search.bits(h, 2*ball+2))
		if i >= 0 && e.f.open[i] > 0 && e.f.wage[i] >= wage && i != e.h.employer[h] {
			best, wage = i, e.f.wage[i]
		}
	}
	return best
}

// hire lets each firm take its applicants, sorted by firm, as far as its posts
// go, and returns those turned down, in place.
func (e *Economy) hire(applications []int64) (rejected []int64) {
	rejected = applications[:0]
	for start := 0; start < len(applications); {
		firm := int32(applications[start] >> 32)
		end := start + 1
		for end < len(applications) && int32(applications[end]>>32) == firm {
			end++
		}
		group := applications[start:end]
		posts := int(e.f.open[firm])
		if len(group) > posts {
			e.byPriority(group)
		} else {
			posts = len(group)
		}
		for _, a := range group[:posts] {
			e.employ(int(uint32(a)), firm)
		}
		e.f.open[firm] -= int32(posts)
		rejected = append(rejected, group[posts:]...)
		start = end
	}
	return rejected
}

// byPriority orders applications to one firm by hashed priority.
func (e *Economy) byPriority(group []int64) {
	for i, a := range group {
		h := uint32(a)
		group[i] = int64(e.seekers.priority.bits(int(h), 0)>>33<<32 | uint64(h))
	}
	slices.Sort(group)
}

// employ moves a household to a new employer.
func (e *Economy) employ(h int, i int32) {
	skill := int64(e.h.skill[h])
	if old := e.h.employer[h]; old != nobody {
		e.f.labour[old] -= skill
		e.f.heads[old]--
		if e.f.left != nil && int(old) < e.firms() {
			e.f.left[old]++
		}
	} else {
		e.seekers.found++
	}
	e.h.employer[h], e.h.idle[h] = i, 0
	e.h.exposure[h] &= exposureGroup
	e.f.labour[i] += skill
	e.f.heads[i]++
}

const (
	fatigueMonths    = 4.0 // over which the part of search efficiency that falls does so; after Kroft, Lange, Notowidigdo and Katz (2016)
	referenceBenefit = .5  // replacement rate at which benefits leave search as it is
	mostSearch       = 2.0 // largest effect of low benefits
)

// searchEffort is the factor on matching efficiency of somebody who is without work for some months and has a
// benefit: employers call back less and seekers tire (Kroft et al. 2016), and a higher benefit lets them take
// their time (Chetty 2008).
func searchEffort(idle int, fatigue, benefit, elasticity float64) float64 {
	effort := 1 - float64(fatigue*(1-math.Exp(-float64(idle)/fatigueMonths)))
	if elasticity > 0 {
		effort *= min(mostSearch, math.Pow(referenceBenefit/max(benefit, 1e-3), elasticity))
	}
	return effort
}

// effort of an unemployed household.
func (e *Economy) effort(h int) float64 {
	p := &e.p
	if p.SearchFatigue == 0 && p.BenefitSearchElasticity == 0 {
		return 1
	}
	return searchEffort(int(e.h.idle[h]), p.SearchFatigue, p.UnemploymentBenefitRate, p.BenefitSearchElasticity)
}
