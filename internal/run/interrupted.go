package run

import "fmt"

// Interrupted says that a simulation was stopped between two months, because
// its context was done.
type Interrupted struct {
	BurnIn    bool // the month is one of the burn-in
	Month, Of int  // the month that was not simulated any more, from 1
	Cause     error
}

// Error gives a sentence such as "interrupted in month 37 of 120".
func (e *Interrupted) Error() string {
	phase := "month"
	if e.BurnIn {
		phase = "burn-in month"
	}
	return fmt.Sprintf("interrupted in %s %d of %d", phase, e.Month, e.Of)
}

// Unwrap returns the error of the context.
func (e *Interrupted) Unwrap() error { return e.Cause }
