package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

// Replay makes the calls of a transcript again, in their order and without a model; what was
// said between them is told again. A call that succeeded and now fails, or the other way round, is
// a difference, unless it fails because its work was done the first time; results are not compared,
// as they may contain times. A call that the user had refused is not made.
func (s *Session) Replay(ctx context.Context, events []Event) (Outcome, error) {
	question := ""
	ended := map[int]Event{} // how the call of an event ended, by the index of the event
	open := map[string]int{}
	for i, e := range events {
		switch {
		case e.Kind == KindQuestion && question == "":
			question = e.Text
		case e.Kind == KindCall && e.Call != nil:
			open[e.Call.ID] = i
		case e.Kind == KindResult || e.Kind == KindError && e.Call != nil:
			if at, ok := open[e.Call.ID]; ok {
				ended[at] = e
				delete(open, e.Call.ID)
			}
		}
	}
	if s.Language == "" {
		s.Language = LanguageOf(question)
	}
	return s.within(ctx, question, "replay", func(ctx context.Context) error {
		if err := s.consentToReplay(ctx, events); err != nil {
			return err
		}
		var polled *Called // a call that was repeated, and is repeated here until it need not be
		for i, e := range events {
			switch e.Kind {
			case KindMessage:
				s.outcome.Steps = max(s.outcome.Steps, e.Step)
				s.emit(Event{Kind: KindMessage, Step: e.Step, Text: e.Text})
			case KindAnswer:
				s.outcome.Answer = e.Text
				s.emit(Event{Kind: KindAnswer, Text: e.Text})
			case KindCall:
				if e.Call == nil || polled != nil && sameCall(*polled, *e.Call) {
					continue
				}
				s.outcome.Steps = max(s.outcome.Steps, e.Step)
				polled = nil
				if e.Call.Until != "" {
					polled = e.Call
				}
				if err := s.again(ctx, *e.Call, ended[i]); err != nil {
					return err
				}
			}
		}
		if n := len(s.outcome.Differ); n > 0 {
			return fmt.Errorf("%d of %d calls ended otherwise than in the transcript: %s", n, s.outcome.Calls, s.outcome.Differ[0])
		}
		return nil
	})
}

func sameCall(a, b Called) bool {
	return a.FullName() == b.FullName() && a.Until == b.Until && string(a.Arguments) == string(b.Arguments)
}

// consentToReplay asks once for all calls that may destroy something.
func (s *Session) consentToReplay(ctx context.Context, events []Event) error {
	var tools []host.Tool
	for _, e := range events {
		if e.Kind != KindCall || e.Call == nil {
			continue
		}
		if tool, err := s.find(e.Call.FullName(), e.Call.sourceAgain()); err == nil {
			tools = append(tools, tool)
		}
	}
	return s.consentToAll(ctx, tools)
}

// hasEnded says that a resumption failed because the simulation has ended since.
func hasEnded(c Called, r host.Result) bool {
	e, ok := envelope(r)
	return ok && c.Tool == resumer && e.Code == fault.InvalidState
}

// again repeats a call of a transcript, and notes whether it ended differently.
func (s *Session) again(ctx context.Context, c Called, before Event) error {
	if before.Call != nil && before.Call.Error != nil && before.Call.Error.Layer == host.LayerRefused {
		return nil
	}
	arguments := c.Arguments
	if !json.Valid(arguments) {
		arguments = nil
	}
	result, err := s.repeat(ctx, Request{ID: c.ID, Tool: c.FullName(), Source: c.sourceAgain(), Arguments: arguments}, c.Until)
	if ctx.Err() != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	if before.Call == nil || before.Call.Error != nil && before.Call.Error.Layer == host.LayerCancelled {
		return nil // the session ended in the middle of the call
	}
	s.tellThere(err, result)
	failed := err != nil && !thereAlready(result) && !hasEnded(c, result)
	failedBefore := before.Kind == KindError && (before.Call.Result == nil || !thereAlready(*before.Call.Result))
	if failed == failedBefore {
		return nil
	}
	then, now := "failed", "it succeeds"
	if failed {
		then, now = "succeeded", inWords(err, result).Error()
	}
	s.outcome.Differ = append(s.outcome.Differ, fmt.Sprintf("%s (%s) had %s, and now: %s", c.FullName(), c.ID, then, now))
	return nil
}
