package sim

import "testing"

func TestProgrammePosts(t *testing.T) {
	p := Params{UnemploymentThreshold: .05, JobPostingMultiplier: .5}
	for _, test := range []struct {
		others float64
		want   int32
	}{{80, 15}, {50, 0}, {20, 0}, {81.9, 15}} { // half of those above 50 of 1000, whole posts
		if got := programmePosts(&p, test.others, 1000); got != test.want {
			t.Errorf("%g without another job: %d posts, want %d", test.others, got, test.want)
		}
	}
}

// Its posts are no balls in the urn of others' posts, and its members leave for any job
// that pays a person of their skill more.
func TestProgrammeIsALastResort(t *testing.T) {
	p := thousand()
	p.EnableDynamicJobPosting, p.UnemploymentThreshold, p.JobGuaranteeWage = true, 0, 1
	e := mustNew(t, p, 1)
	mustStep(t, e, 24)
	if e.f.posted[e.programme()] == 0 && e.f.heads[e.programme()] == 0 {
		t.Fatal("no programme")
	}
	e.match()
	if last := e.urn.cum[e.programme()] - e.urn.cum[e.government()]; last != 0 {
		t.Errorf("the programme has %d balls", last)
	}
	h := 0
	for e.h.employer[h] != e.programme() {
		h++
	}
	e.h.skill[h] = 3 * skillUnit
	for i := range e.f.open {
		e.f.open[i], e.f.posted[i] = 1, 1
		e.f.wage[i] = .5 * e.m.MeanWage // half of the mean wage a unit of skill: more than one mean wage
	}
	e.p.MatchingEfficiency = 1
	e.urn.fill(e, e.everyFirm, func(e *Economy, i int) int64 {
		if i == int(e.programme()) {
			return 0
		}
		return 1
	})
	if e.bestPost(h) == nobody {
		t.Error("a skilled member of the programme refuses a job that pays half more")
	}
}

// Who enters the programme has found a job, as unemployment counts members as employed.
func TestJobFindingCountsTheProgramme(t *testing.T) {
	p := thousand()
	p.EnableDynamicJobPosting, p.UnemploymentThreshold, p.JobPostingMultiplier = true, 0, 1
	p.MatchingEfficiency = .01 // hardly another job is found
	e := mustNew(t, p, 1)
	mustStep(t, e, 2)
	entered := float64(e.f.heads[e.programme()])
	mustStep(t, e, 1)
	entered = float64(e.f.heads[e.programme()]) - entered
	if rate := e.Latest().Value(JobFindingRate); entered <= 0 || rate < entered/float64(e.seekers.unemployed) {
		t.Errorf("%g more in the programme, of %d who searched: job-finding rate %g", entered, e.seekers.unemployed, rate)
	}
}
