package inference

import "math"

// The level of a comparison holds for all that one caller ever asks about the same arms, planned or not, verdict by
// verdict: each question has a share of the level of its own, by its number, and the shares add up to 1. What is asked
// later changes no earlier answer. It does not hold for what is asked because series of the same seeds, which are no
// verdicts, looked like it: that needs seeds that nobody looked at. That most of the level belongs to what was
// planned, and the rest to what was not, is prospective allocation (Moyé 1998, "P-Value Interpretation and Alpha
// Allocation in Clinical Trials", Annals of Epidemiology 8(6)); that the rest suffices for any number of questions is
// alpha spending (Tian and Ramdas 2021, "Online Control of the Familywise Error Rate", Statistical Methods in Medical
// Research 30(4), section 3).
const (
	shareOfPlan  = .8  // the first plan
	shareOfPlans = .05 // all later ones together, which need seeds that nobody looked at
	shareBeyond  = .15 // all that is asked beyond plans together

	ofOutcomes = 7. / 8  // of the share of a plan: its outcomes
	ofTable    = 1. / 16 // who gains, and the public budget, each
	ofTilt     = 1. / 5  // of that of who gains: whether the poorest and the richest tenth differ
)

// spendingPower is how fast shares fall with the number of the question (Tian and Ramdas, section 6), and
// spendingZeta what they would add up to: Riemann's zeta of it.
const (
	spendingPower = 1.6
	spendingZeta  = 2.285765665
)

// spent is the share of the k-th of any number of questions, from 1, which have 1 together.
func spent(k int) float64 { return math.Pow(float64(max(k, 1)), -spendingPower) / spendingZeta }

// share is the part of the level that a plan has.
func (p *Planned) share() float64 {
	if p.Earlier == 0 {
		return shareOfPlan
	}
	return shareOfPlans * spent(p.Earlier)
}

// next is the plan once more with another seed, as the next of its owner's plans for the same arms.
func (p Planned) next() *Planned {
	p.Earlier++
	return &p
}

// shareOfQuestion is the part of the level that the k-th question beyond plans has.
func shareOfQuestion(k int) float64 { return shareBeyond * spent(k) }
