package lab

import (
	"context"

	"econ-mcp/internal/access"
)

// may refuses an act on an experiment that is another's and not shared.
func (l *Laboratory) may(ctx context.Context, by access.Caller, act, experiment string) error {
	owner, err := l.Store.Owner(ctx, experiment)
	if err != nil {
		return err
	}
	return by.May(act, access.Thing{
		Kind: "experiment", Name: experiment, Field: "experiment_name", Owner: owner,
	})
}
