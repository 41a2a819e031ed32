package sim

import "sync/atomic"

// programmePosts is the size of the public employment programme: posts per person
// above the threshold among those without another job.
func programmePosts(p *Params, others, labourForce float64) int32 {
	return int32(p.JobPostingMultiplier * positive(others-float64(p.UnemploymentThreshold*labourForce)))
}

// planProgramme sets the size of the public employment programme and dismisses those
// beyond it. Wage rounds, the central bank and confidence look at slack: unemployment
// with those in the programme, who can be hired like the unemployed.
func (e *Economy) planProgramme() {
	g := e.programme()
	heads, posts := e.f.heads[g], int32(0)
	if e.p.EnableDynamicJobPosting {
		force := float64(e.people.force)
		posts = programmePosts(&e.p, float64(e.m.Unemployment*force)+float64(heads), force)
	}
	e.f.posted[g], e.f.layoff[g], e.f.wageBill[g] = max(0, posts-heads), 0, 0
	if heads > posts {
		e.f.layoff[g] = float64(heads-posts) / float64(heads)
	}
}

// runProgramme lets the public employment programme take people who found no job in
// the month's matching, by lot. It offers work only to those whom nobody else hires, so it
// competes for no applicant; its members go on looking for a better job (the buffer stock of
// Mitchell 1998).
func (e *Economy) runProgramme() {
	posts, idle := e.f.posted[e.programme()], e.seekers.unemployed-e.seekers.found
	if posts > 0 && idle > 0 {
		e.seekers.place = float64(posts) / float64(idle)
		e.seekers.found += e.overHouseholds((*Economy).placeInProgramme).count[sumPlaced]
	}
}

func (e *Economy) placeInProgramme(s span) {
	g, draws := e.programme(), e.draws(forProgramme)
	for h := s.lo; h < s.hi; h++ {
		if !e.isUnemployed(h) || draws.uniform(h, 0) >= e.seekers.place {
			continue
		}
		s.sum.count[sumPlaced]++
		e.h.employer[h], e.h.idle[h] = g, 0
		atomic.AddInt64(&e.f.labour[g], int64(e.h.skill[h]))
		atomic.AddInt32(&e.f.heads[g], 1)
	}
}
