package sim

import (
	"math"
	"testing"
)

func TestSkillTail(t *testing.T) {
	if got := drawSkill(0, .5, 0); got != 882 { // exp(-.125)
		t.Errorf("the median skill is %d", got)
	}
	// The mean stays one; with an exponent of 2 the share of the best percent rises, and a quarter of the tail has
	// twice the skill at which it begins.
	const n = 200_000
	sum, begin := 0.0, float64(drawSkill(tailQuantile, .55, .5))
	var top, tail, twice float64
	for i := range n {
		x := float64(drawSkill(quantileOf((float64(i)+.5)/n), .55, .5))
		sum += x
		if i >= n*99/100 {
			top += x
		}
		if x > begin {
			tail++
			if x > 2*begin {
				twice++
			}
		}
	}
	within(t, "mean", sum/n/skillUnit, 1, .002)
	within(t, "tail", tail/n, tailShare, .001)
	within(t, "twice the skill", twice/tail, .25, .003)
	if share := top / sum; share < .06 || share > .09 {
		t.Errorf("the best percent have %v of all skill", share)
	}
	if cap := drawSkill(8, .55, .5); math.Abs(float64(cap)-tailCap*begin) > 20 {
		t.Errorf("the largest skill is %d, want %v times %v", cap, tailCap, begin)
	}
}

// quantileOf is the standard normal quantile, from the error function by Newton's method.
func quantileOf(p float64) float64 {
	z := 0.0
	for range 60 {
		step := (.5*math.Erfc(-z/math.Sqrt2) - p) / (math.Exp(-z*z/2) / math.Sqrt(2*math.Pi))
		z -= math.Max(-.5, math.Min(.5, step))
	}
	return z
}

func TestSkillIsLostAndWonBack(t *testing.T) {
	if got := forgotten(1000, .02); got != 980 {
		t.Errorf("%d left of 1000", got)
	}
	if got := forgotten(1, .1); got != 1 {
		t.Errorf("%d left of the least skill", got)
	}
	for _, test := range []struct{ skill, ability, want int32 }{{800, 1000, 802}, {999, 1000, 1000}, {1000, 1000, 1000}} {
		if got := relearned(test.skill, test.ability); got != test.want {
			t.Errorf("from %d of %d to %d, want %d", test.skill, test.ability, got, test.want)
		}
	}

	p := thousand()
	p.SkillLoss = .02
	e := mustNew(t, p, 2)
	mustStep(t, e, 36)
	checkEmployment(t, e)
	lost := map[bool][2]float64{}
	for h, ability := range e.h.ability {
		if e.h.skill[h] > ability {
			t.Fatalf("household %d knows more than it can", h)
		}
		group := lost[e.h.employer[h] == nobody]
		lost[e.h.employer[h] == nobody] = [2]float64{group[0] + 1 - float64(e.h.skill[h])/float64(ability), group[1] + 1}
		if v := e.Household(h); v.Ability != float64(ability)/skillUnit {
			t.Fatalf("household %d is seen with an ability of %v", h, v.Ability)
		}
	}
	if idle, working := lost[true][0]/lost[true][1], lost[false][0]/lost[false][1]; idle <= working || working <= 0 {
		t.Errorf("the unemployed have lost %v, those with work %v", idle, working)
	}
}

func TestSearchEffort(t *testing.T) {
	for _, test := range []struct {
		name                         string
		idle                         int
		fatigue, benefit, elasticity float64
		want                         float64
	}{
		{"off", 12, 0, .9, 0, 1},
		{"at once", 0, .6, .5, 0, 1},
		{"after four months", 4, .6, .5, 0, 1 - .6*(1-1/math.E)},
		{"for ever", 9999, .6, .5, 0, .4},
		{"a higher benefit", 0, 0, .6, 1, .5 / .6},
		{"the reference", 0, 0, .5, 2, 1},
		{"no benefit", 0, 0, 0, 1, mostSearch},
	} {
		near(t, test.name, searchEffort(test.idle, test.fatigue, test.benefit, test.elasticity), test.want)
	}
}

// Who is long out of work finds a post less often.
func TestSearchTires(t *testing.T) {
	found := func(idle int16) (n int) {
		p := thousand()
		p.SearchFatigue, p.ReservationWageRatio, p.MatchingEfficiency = .9, 0, .2
		e := idleEconomy(t, p)
		for i := range 20 {
			e.f.posted[i], e.f.open[i] = 50, 50
		}
		for h := range e.h.idle {
			e.h.idle[h] = idle
		}
		e.match()
		for _, i := range e.h.employer {
			if i != nobody {
				n++
			}
		}
		return n
	}
	if fresh, tired := found(0), found(24); tired*2 > fresh || tired == 0 {
		t.Errorf("%d of those who just lost a job find one, and %d after two years", fresh, tired)
	}
}
