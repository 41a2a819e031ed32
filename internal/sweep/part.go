package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"econ-mcp/sim"
)

// Part is what one message brings to a worker: runs of a plan, of one burnt-in state or several. It is the same part whatever is known of
// it already, so that who comes back to a plan finds out which parts are with workers.
type Part struct {
	ID     string // of the runs that it holds
	pieces []piece
}

// mostOfPart bounds the economies of a part, and so the size of what is sent.
const mostOfPart = 512

// Parts cut all runs of a plan into parts of about so many agent-months, burn-ins included, or one economy each. The same plan with the
// same agent-months has the same parts.
func (p *Plan) Parts(agentMonths float64) (list []Part) {
	var part Part
	size, runs := 0., 0
	end := func() {
		if runs > 0 {
			part.ID = part.id()
			list = append(list, part)
		}
		part, size, runs = Part{}, 0, 0
	}
	for _, whole := range p.pieces(Shard{1, 1}, func(Run) bool { return false }) {
		first := whole.runs[0]
		own, burnIn := first.agentMonths(first.Months), first.agentMonths(first.Scenario.BurnIn.BurnInMonths)
		atOnce := int(min(mostOfPart, max(1, (agentMonths-burnIn)/own)))
		for chunk := range slices.Chunk(whole.runs, atOnce) {
			adds := burnIn + own*float64(len(chunk))
			if size+adds > agentMonths || runs+len(chunk) > mostOfPart {
				end()
			}
			part.pieces = append(part.pieces, piece{chunk, whole.shared || len(chunk) < len(whole.runs)})
			size, runs = size+adds, runs+len(chunk)
		}
	}
	end()
	return list
}

func (t Part) id() string {
	h := sha256.New()
	for _, piece := range t.pieces {
		for _, r := range piece.runs {
			h.Write([]byte(r.key))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// tasks are what is not known of a part, a task a burnt-in state.
func (p *Plan) tasks(of Part, known Known) (list []Task) {
	for _, piece := range of.pieces {
		t := Task{Model: sim.ModelVersion, Seed: piece.runs[0].Seed, Shared: piece.shared, Measure: p.measure}
		for _, i := range p.metrics {
			t.Metrics = append(t.Metrics, i.String())
		}
		for _, r := range piece.runs {
			if p.knows(known, r) {
				continue
			}
			text := *r.Scenario
			text.Description, text.DescriptionZH, text.Source = "", "", "" // which say nothing to a worker
			t.Runs = append(t.Runs, TaskRun{r.key, string(text.EncodeChanged()), r.Months, r.Replications})
		}
		if len(t.Runs) > 0 {
			list = append(list, t)
		}
	}
	return list
}
