package sim

import (
	"math"
	"slices"
	"testing"
)

func TestReservationWage(t *testing.T) {
	for _, test := range []struct {
		name               string
		mean, ratio, decay float64
		idle               int
		want               float64
	}{
		{"at once", 1000, .85, .98, 0, 850},
		{"a month", 1000, .85, .98, 1, 833},       // 850 x .98
		{"two months", 1000, .85, .98, 2, 816.34}, // 833 x .98
		{"no decay", 1000, .85, 1, 60, 850},
		{"any wage", 1000, 0, .98, 0, 0},
		{"half a month's decay", 1024, 1, .5, 10, 1}, // 1024 / 2^10
	} {
		near(t, test.name, reservationWage(test.mean, test.ratio, test.decay, test.idle), test.want)
	}
	if a, b := reservationWage(1000, 1, .98, 120), reservationWage(1000, 1, .98, 9999); a != b || a <= 0 {
		t.Errorf("after ten years %v, for ever %v", a, b)
	}
}

// idleEconomy is an economy without jobs and without posts.
func idleEconomy(t *testing.T, p Params) *Economy {
	t.Helper()
	e := mustNew(t, p, 1)
	for h := range e.h.employer {
		e.h.employer[h], e.h.idle[h] = nobody, 0
	}
	for i := range e.f.heads {
		e.f.heads[i], e.f.labour[i], e.f.posted[i], e.f.open[i] = 0, 0, 0, 0
	}
	e.seekers.search, e.seekers.priority = e.draws(forJobSearch), e.draws(forJobPriority)
	return e
}

// checkEmployment holds the employers' books against the households'.
func checkEmployment(t *testing.T, e *Economy) {
	t.Helper()
	heads, labour := make([]int32, e.firms()+1), make([]int64, e.firms()+1)
	for h, i := range e.h.employer {
		if i != nobody {
			heads[i]++
			labour[i] += int64(e.h.skill[h])
		}
	}
	for i := range heads {
		if e.f.heads[i] != heads[i] || e.f.labour[i] != labour[i] {
			t.Fatalf("employer %d counts %d heads and %d of skill; its workers are %d with %d", i, e.f.heads[i], e.f.labour[i], heads[i],
				labour[i])
		}
	}
}

func TestHireTakesNoMoreThanPosts(t *testing.T) {
	e := idleEconomy(t, thousand())
	e.f.open[3], e.f.open[5], e.f.open[8] = 4, 10, 0
	var waiting, reversed []int64
	for h := range uint32(60) {
		firm := int32(3) // 40 applicants for 4 posts
		switch {
		case h >= 55:
			firm = 8 // 5 for none
		case h >= 40:
			firm = 5 // 15 for 10
		}
		waiting = append(waiting, application(firm, h))
	}
	slices.Sort(waiting)
	byPriority := func(first, last int) []int {
		order := []int{}
		for h := first; h < last; h++ {
			order = append(order, h)
		}
		slices.SortFunc(order, func(a, b int) int {
			return int(e.seekers.priority.bits(a, 0)>>33) - int(e.seekers.priority.bits(b, 0)>>33)
		})
		return order
	}
	wantThree, wantFive := byPriority(0, 40)[:4], byPriority(40, 55)[:10]

	rejected := e.hire(slices.Clone(waiting))
	for h := range 60 {
		want := nobody
		switch {
		case slices.Contains(wantThree, h):
			want = 3
		case slices.Contains(wantFive, h):
			want = 5
		}
		if e.h.employer[h] != want {
			t.Errorf("household %d works at %d, want %d", h, e.h.employer[h], want)
		}
	}
	if e.f.open[3] != 0 || e.f.open[5] != 0 || e.f.open[8] != 0 || e.seekers.found != 14 {
		t.Errorf("posts left %d, %d, %d; %d found work", e.f.open[3], e.f.open[5], e.f.open[8], e.seekers.found)
	}
	if len(rejected) != 60-14 {
		t.Errorf("%d were turned down, want %d", len(rejected), 60-14)
	}
	seen := map[uint32]bool{}
	for _, a := range rejected {
		if h := uint32(a); seen[h] || h >= 60 || e.h.employer[h] != nobody {
			t.Errorf("household %d is among those turned down", h)
		} else {
			seen[h] = true
		}
	}
	checkEmployment(t, e)

	// The order of applications to a firm does not matter.
	other := idleEconomy(t, thousand())
	other.f.open[3], other.f.open[5] = 4, 10
	for k := len(waiting) - 1; k >= 0; k-- {
		reversed = append(reversed, waiting[k])
	}
	other.hire(reversed)
	if !slices.Equal(other.h.employer, e.h.employer) {
		t.Error("applications in another order led to other hires")
	}
}

func TestHireLeavesPostsOpen(t *testing.T) {
	e := idleEconomy(t, thousand())
	e.f.open[2] = 9
	rejected := e.hire([]int64{application(2, 10), application(2, 20)})
	if len(rejected) != 0 || e.f.open[2] != 7 || e.h.employer[10] != 2 || e.h.employer[20] != 2 {
		t.Errorf("%d turned down, %d posts left of 9", len(rejected), e.f.open[2])
	}
}

func TestJobToJobMove(t *testing.T) {
	e := idleEconomy(t, thousand())
	e.employ(7, 1)
	e.h.idle[7] = 0
	e.employ(7, 4)
	if e.seekers.found != 1 {
		t.Errorf("%d of the unemployed found work, want 1: a move from job to job is none", e.seekers.found)
	}
	if e.f.heads[1] != 0 || e.f.labour[1] != 0 || e.f.heads[4] != 1 || e.f.labour[4] != int64(e.h.skill[7]) {
		t.Error("the move is not in both books")
	}
}

func TestBestPost(t *testing.T) {
	p := thousand()
	p.MatchingEfficiency, p.JobSearchIntensity = 1, 20
	p.ReservationWageRatio, p.ReservationWageDecay, p.JobSwitchWageRatio = .85, .98, 1.1
	e := idleEconomy(t, p)
	e.m.MeanWage = 1000
	e.f.posted[4], e.f.open[4], e.f.wage[4] = 50, 50, 900
	e.f.posted[9], e.f.open[9], e.f.wage[9] = 50, 50, 1100
	e.f.posted[11], e.f.open[11], e.f.wage[11] = 50, 50, 849 // below .85 of the mean
	e.urn.fill(e, e.everyFirm, func(e *Economy, i int) int64 { return int64(e.f.posted[i]) })
	count := func() map[int32]int {
		found := map[int32]int{}
		for h := range e.households() {
			found[e.bestPost(h)]++
		}
		return found
	}
	// Each ball is of firm 9 with a chance of 1/3: (2/3)^20 = 3e-4 miss it.
	if got := count(); got[9] < 995 || got[11] != 0 {
		t.Errorf("with three employers the seekers chose %v", got)
	}
	e.f.open[9] = 0
	if got := count(); got[9] != 0 || got[4] < 995 {
		t.Errorf("with the best full the seekers chose %v", got)
	}
	e.f.open[4] = 0
	if got := count(); got[nobody] != e.households() {
		t.Errorf("with one post below the reservation wage the seekers chose %v", got)
	}
	for h := range e.h.idle {
		e.h.idle[h] = 1 // 850 x .98 = 833
	}
	if got := count(); got[11] < 995 {
		t.Errorf("after a month without work the seekers chose %v", got)
	}

	// The employed want a tenth more than they have.
	e.f.open[4], e.f.open[9] = 50, 50
	for h := range e.h.employer {
		e.h.employer[h] = 4 // at 900, x 1.1 = 990
	}
	if got := count(); got[9] < 995 || got[4] != 0 {
		t.Errorf("workers at 900 chose %v", got)
	}
	e.f.wage[9] = 989
	if got := count(); got[nobody] != e.households() {
		t.Errorf("workers at 900 moved for 989: %v", got)
	}
}

// A ball counts with the matching efficiency, so that the share who find an
// acceptable post is 1 - (1 - m)^M.
func TestMatchingEfficiency(t *testing.T) {
	p := thousand()
	p.NumHouseholds = 4000
	p.MatchingEfficiency, p.JobSearchIntensity = .2, 3
	e := idleEconomy(t, p)
	e.f.posted[0], e.f.open[0], e.f.wage[0] = 1, 1, 2*e.m.MeanWage
	e.urn.fill(e, e.everyFirm, func(e *Economy, i int) int64 { return int64(e.f.posted[i]) })
	found := 0.0
	for h := range e.households() {
		if e.bestPost(h) == 0 {
			found++
		}
	}
	// 1 - .8^3 = .488; four standard errors are 4 sqrt(.488 x .512 / 4000).
	within(t, "share who see a post", found/4000, .488, .0317)
}

func TestSeparations(t *testing.T) {
	p := thousand()
	p.SeparationRate, p.FirstMonthJobRate = .2, 1
	e := mustNew(t, p, 1)
	full := int32(0) // an employer with workers
	for e.f.heads[full] == 0 {
		full++
	}
	e.f.layoff[full] = 1
	before := slices.Clone(e.h.employer)
	inFull := int(e.f.heads[full])
	sum := e.overHouseholds((*Economy).separate)
	left := 0
	for h, i := range e.h.employer {
		switch {
		case i == nobody:
			left++
			if e.h.idle[h] != 0 {
				t.Errorf("household %d has been idle for %d months on its first day", h, e.h.idle[h])
			}
		case i == full:
			t.Errorf("household %d kept its job at the firm that closed", h)
		case i != before[h]:
			t.Errorf("household %d moved from %d to %d", h, before[h], i)
		}
	}
	if sum.count[sumSeparations] != int64(left) {
		t.Errorf("%d separations counted, %d left", sum.count[sumSeparations], left)
	}
	n := float64(e.households() - inFull)
	within(t, "separations by chance", float64(left-inFull), .2*n, 4*math.Sqrt(n*.2*.8))
	checkEmployment(t, e)

	// Next month those without work grow older, and a rate of zero parts nobody.
	e.p.SeparationRate = 0
	clear(e.f.layoff)
	again := e.overHouseholds((*Economy).separate)
	if again.count[sumSeparations] != 0 {
		t.Errorf("%d separations at a rate of zero", again.count[sumSeparations])
	}
	for h, i := range e.h.employer {
		if i == nobody && e.h.idle[h] != 1 {
			t.Fatalf("household %d has been idle for %d months, want 1", h, e.h.idle[h])
		}
	}
}

func TestGovernmentJobs(t *testing.T) {
	p := thousand()
	p.GovernmentEmploymentShare, p.DismissalRate, p.EnableDismissal = .1, .5, true // wants 100
	e := mustNew(t, p, 1)
	g := e.government()
	for _, test := range []struct {
		heads, posts int32
		layoff       float64
	}{
		{60, 40, 0},
		{100, 0, 0},
		{125, 0, .1}, // .5 x 25/125
		{0, 100, 0},
	} {
		e.f.heads[g] = test.heads
		e.postGovernmentJobs()
		if e.f.posted[g] != test.posts || e.f.open[g] != test.posts {
			t.Errorf("%d employees: %d posts, %d open, want %d", test.heads, e.f.posted[g], e.f.open[g], test.posts)
		}
		near(t, "layoff probability", e.f.layoff[g], test.layoff)
	}
	e.p.EnableDismissal = false
	e.f.heads[g] = 125
	e.postGovernmentJobs()
	near(t, "layoff probability where dismissal is off", e.f.layoff[g], 0)
}

// A whole month of matching: nobody is hired beyond the posts or below the
// reservation wage, and the books agree.
func TestMatchingOfAMonth(t *testing.T) {
	e := mustNew(t, thousand(), 2)
	mustStep(t, e, 6)
	runBetween(t, e, "", "separations")
	before := slices.Clone(e.h.employer)
	idle := slices.Clone(e.h.idle)
	runBetween(t, e, "separations", "matching")
	hired := make([]int32, e.firms()+1)
	found, unemployed := int64(0), int64(0)
	for h, i := range e.h.employer {
		if before[h] == nobody {
			unemployed++
		}
		if i == before[h] {
			continue
		}
		hired[i]++ // panics if a job was lost
		if before[h] != nobody {
			if e.f.wage[i] < e.p.JobSwitchWageRatio*e.f.wage[before[h]] {
				t.Errorf("household %d moved from a wage of %v to %v", h, e.f.wage[before[h]], e.f.wage[i])
			}
			continue
		}
		found++
		if least := reservationWage(e.m.MeanWage, e.p.ReservationWageRatio, e.p.ReservationWageDecay, int(idle[h])); e.f.wage[i] < least {
			t.Errorf("household %d took a wage of %v, its reservation wage is %v", h, e.f.wage[i], least)
		}
		if e.h.idle[h] != 0 {
			t.Errorf("household %d is in work and idle for %d months", h, e.h.idle[h])
		}
	}
	if found == 0 || found != e.seekers.found || unemployed != e.seekers.unemployed {
		t.Errorf("%d of %d unemployed found work, counted %d of %d", found, unemployed, e.seekers.found, e.seekers.unemployed)
	}
	for i, n := range hired {
		if e.f.open[i] < 0 || n != e.f.posted[i]-e.f.open[i] {
			t.Errorf("employer %d hired %d on %d posts, of which %d are open", i, n, e.f.posted[i], e.f.open[i])
		}
	}
	checkEmployment(t, e)
}
