package lab

import (
	"context"

	"econ-mcp/internal/report"
)

// Doses is the parameter in whose value alone arms of an experiment differ from the control; nil where fewer than two of them do.
func (l *Laboratory) Doses(ctx context.Context, name string) (*report.DoseScale, error) {
	_, s, err := l.outline(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(s.Arms) < 3 {
		return nil, nil
	}
	return report.DosesOf(s), nil
}
