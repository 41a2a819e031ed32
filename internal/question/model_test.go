package question

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/presets"
)

// example is a model that answers as the prompt says, and keeps what it was told.
type example struct{ answer, system, user string }

func (e *example) Complete(_ context.Context, system, user string, _ json.RawMessage) (json.RawMessage, error) {
	e.system, e.user = system, user
	return json.RawMessage(e.answer), nil
}

// The worked examples of the prompt are answers that pass the check, with no number left over.
func TestWorkedExamples(t *testing.T) {
	for i, status := range []Status{Ready, AskedBack, OutOfScope} {
		x := workedExamples[i]
		e := &example{answer: x.answer}
		o := Options{Find: presetFinder{}}
		r, err := Write(t.Context(), e, x.question, o, func(q inquiry.Inquiry) error { _, err := q.Scenarios(o.Find); return err })
		if err != nil || r.Status != status {
			t.Fatalf("%s: %s, %v", x.question, r.Status, err)
		}
		if status == Ready && (len(r.LeftOver) > 0 || r.Inquiry.Question != x.question) {
			t.Errorf("%s: left over %+v of %q", x.question, r.LeftOver, r.Inquiry.Question)
		}
		for _, want := range append(presets.Names(), "vat_rate", "real_income_tenth_1", "unemployed", "needs_clarification") {
			if !strings.Contains(e.system, want) {
				t.Errorf("the prompt has no %s", want)
			}
		}
		if n := len(e.system); n > 64<<10 {
			t.Errorf("the prompt has %d bytes", n)
		}
	}
}

// A model, which may be anywhere, is told what is wrong and nothing of the machine.
func TestModelsAreToldNothingOfTheMachine(t *testing.T) {
	for _, answer := range []string{
		workedExamples[0].answer, `{"status":"needs_clarification","ask":"?","choices":[{"said":"a","inquiry":{"outcomes":[{"metric":"cpi"}]}}]}`,
	} {
		e := &example{answer: answer}
		_, err := Write(t.Context(), e, workedExamples[0].question, Options{Find: presetFinder{}}, func(inquiry.Inquiry) error {
			return fault.New(fault.NotFound, "config", "it cannot be read").WithDetail("open secret.yaml")
		})
		if told := fmt.Sprint(err, e.user); !strings.Contains(e.user, "it cannot be read") || strings.Contains(told, "secret") {
			t.Errorf("told %s", told)
		}
	}
}

// Numbers of a question are found in what they became.
func TestStatedNumbers(t *testing.T) {
	base := 0.08
	for _, tt := range []struct {
		s    stated
		n    float64
		want bool
	}{
		{stated{x: 0.15}, 15, true}, {stated{x: 0.15, now: &base}, 7, true}, {stated{x: 0.096, now: &base}, 20, true},
		{stated{x: 24, time: true}, 2, true}, {stated{x: 121, time: true}, 10, true}, {stated{x: -0.1}, 10, true},
		{stated{x: 0.15, now: &base}, 12, false}, {stated{x: 24, time: true}, 3, false}, {stated{x: 500}, 50, false},
	} {
		if got := tt.s.says(tt.n); got != tt.want {
			t.Errorf("%+v says %g: %v", tt.s, tt.n, got)
		}
	}
}
