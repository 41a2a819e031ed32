package lab

import (
	"bytes"
	"context"
	"log/slog"
	"slices"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/question"
	"econ-mcp/internal/run"
)

// changedByHand is what is assumed of an inquiry that is no longer what its question was read as.
const (
	changedByHand   = "values were changed by hand after the question was read"
	changedByHandZH = "读取问题之后，人工修改过数值"
)

// Confirmed is the proposal of an inquiry that somebody has looked at. Its question is read again: an inquiry that the reader
// makes of it, or offers as a choice, keeps what was assumed and left out, so that both go on record; of one that somebody
// changed since, the record says so. The same inquiry always has the same plan. Language is that of the answer, "" = that of
// the question.
func (l *Laboratory) Confirmed(written inquiry.Inquiry, language, principal string) (Proposal, error) {
	q := Question{Text: written.Question, Language: language, Principal: principal}
	if q.Text == "" {
		return l.Written(q, written)
	}
	want := written.Encode()
	same := func(other *inquiry.Inquiry) bool { return other != nil && bytes.Equal(other.Encode(), want) }
	var left []question.LeftOver
	var assumed []string
	for _, base := range slices.Compact([]string{"", written.Background.Base}) { // a preset is that of the words, or was chosen beside them
		again := q
		again.Base, again.Months, again.Seed = base, written.Design.Months, &written.Design.Seed
		if again.Replications = Replications(written.Design.Replications); again.Replications == Auto {
			again.HalfWidth, again.MaxReplications = &written.Design.HalfWidth, &written.Design.MaxReplications
		}
		for _, s := range written.Background.Set {
			if n, ok := s.Value.(int); ok && s.Name == "num_households" {
				again.Households = n
			}
		}
		r, err := l.Read(again)
		if err != nil {
			continue // what is wrong with the inquiry itself is told below
		}
		left, assumed = r.LeftOver, nil
		if r.Status == question.Ready {
			assumed = r.Assumed
		}
		if r.Status == question.Ready && same(r.Inquiry) {
			return l.Proposed(again, r)
		}
		for _, back := range r.Questions {
			for _, c := range back.Choices {
				if same(&c.Inquiry) {
					return l.Chosen(again, r, c)
				}
			}
		}
	}
	r := question.Of(written)
	r.LeftOver, r.Assumed = left, append(slices.Clone(assumed), plain(r.Language, changedByHand, changedByHandZH))
	return l.Proposed(q, r)
}

// Memory is what an inquiry takes of memory at its peak, in bytes. What would never fit is [fault.LimitExceeded].
func (l *Laboratory) Memory(q Inquired) (bytes int64, err error) {
	order := q.Order
	x, r, err := l.ordered(&order)
	if err != nil {
		return 0, err
	}
	task := run.Task{Arms: x.Arms, Seeds: run.Seeds(x.Seed, x.Replications), Months: x.Months, Footprint: Footprint}
	if r.auto() {
		task.Seeds = task.Seeds[:max(1, l.Runs.Fit(task))]
	}
	return l.Runs.Estimate(task), l.Runs.Check(task)
}

// Launch is [Laboratory.Ask] for callers that do not wait: what becomes of the experiment is noted when it ends.
func (l *Laboratory) Launch(ctx context.Context, q Inquired) (Started, error) {
	started, err := l.Ask(ctx, q)
	if started.Name == "" || q.Inquiry.Question == "" { // an experiment without a question is not captured
		return started, err
	}
	l.noteEnd(ctx, started.Name)
	return started, err
}

// noteEnd has noted what becomes of the experiment of a question when it ends.
func (l *Laboratory) noteEnd(ctx context.Context, experiment string) {
	ended := make(chan run.State, 1)
	tell := func(name string, s run.Status) {
		if name == experiment && s.State.Ended() {
			select {
			case ended <- s.State:
			default: // it was told
			}
		}
	}
	cancel := l.Runs.Subscribe(tell)
	go func() {
		state := <-ended
		cancel()
		if state == run.StateInterrupted { // it may go on later
			return
		}
		if err := l.Concluded(context.WithoutCancel(ctx), experiment, state); err != nil {
			slog.Warn("the end of an experiment could not be noted", "experiment", experiment, "error", err)
		}
	}()
	if s, ok := l.Runs.Status(experiment); ok { // it may have ended before anybody listened
		tell(experiment, s)
	}
}
