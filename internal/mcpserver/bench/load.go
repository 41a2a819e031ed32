package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// parameterCall asks for one parameter after the other.
func (b *bench) parameterCall(i int) string {
	return `{"name":"` + parameterTool + `","arguments":{"parameter_name":"` + b.Parameters[i%len(b.Parameters)] + `"}}`
}

// indicatorsCall asks for the latest month of an experiment.
func indicatorsCall(experiment string) func(int) string {
	params := `{"name":"` + indicatorsTool + `","arguments":{"experiment_name":"` + experiment + `"}}`
	return func(int) string { return params }
}

// best is the best of all rounds.
func (b *bench) best(ctx context.Context, p *process, callers []*caller, params func(int) string) (Load, error) {
	var best Load
	for range b.Rounds {
		if err := b.round(ctx, p, callers, params, &best); err != nil {
			return best, err
		}
	}
	return best, nil
}

// round lets all callers call for a while, and keeps the figures if they are the best.
func (b *bench) round(ctx context.Context, p *process, callers []*caller, params func(int) string, best *Load) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	took := make([][]time.Duration, len(callers))
	errs := make([]error, len(callers))
	cpu := p.cpuTime()
	begin := time.Now()
	end := begin.Add(b.Round)
	var calling sync.WaitGroup
	for i, c := range callers {
		calling.Go(func() { took[i], errs[i] = c.callUntil(end, params, i) })
	}
	calling.Wait()
	elapsed := time.Since(begin)
	cpu = p.cpuTime() - cpu
	if err := errors.Join(errs...); err != nil {
		return err
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	l := Load{
		Callers: len(callers), CallsPerSecond: float64(len(all)) / elapsed.Seconds(),
		P50: milliseconds(quantile(all, 0.5)), P99: milliseconds(quantile(all, 0.99)), Max: milliseconds(all[len(all)-1]),
		CPU: float64(cpu.Microseconds()) / float64(len(all)),
	}
	if l.CallsPerSecond > best.CallsPerSecond {
		*best = l
	}
	return nil
}

// quantile is the smallest value that a share q of the sorted list does not exceed.
func quantile(sorted []time.Duration, q float64) time.Duration {
	i := int(float64(len(sorted))*q+0.999999) - 1
	return sorted[min(max(i, 0), len(sorted)-1)]
}

// callUntil calls a tool without a pause, at least once, and gives the time of each call.
func (c *caller) callUntil(end time.Time, params func(int) string, from int) ([]time.Duration, error) {
	took := make([]time.Duration, 0, 1<<12)
	for begin := time.Now(); ; {
		if _, err := c.request("tools/call", params(from+len(took))); err != nil {
			return took, err
		}
		now := time.Now()
		took = append(took, now.Sub(begin))
		if now.After(end) {
			return took, nil
		}
		begin = now
	}
}

// laboratory starts experiments through a caller.
type laboratory struct{ *caller }

// experiment carries out a small experiment to its end.
func (l laboratory) experiment(name string) error {
	if err := l.tool("batch_set_parameters", `{"parameters":{"num_households":1000,"burn_in_months":0}}`, nil); err != nil {
		return err
	}
	if err := l.tool("start_simulation", fmt.Sprintf(`{"experiment_name":%q,"months":24,"replications":4,"wait_seconds":60}`, name),
		nil); err != nil {
		return err
	}
	s, err := l.status(name)
	if err == nil && s.Status != "completed" {
		err = fmt.Errorf("the experiment %s is %s", name, s.Status)
	}
	return err
}

// longest is how many months an experiment may have.
const longest = 6_000

// busy sees to it that simulations run whose first months are over.
func (l laboratory) busy(ctx context.Context, households int) error {
	err := l.tool("batch_set_parameters", fmt.Sprintf(`{"parameters":{"num_households":%d,"burn_in_months":0}}`, households), nil)
	if err != nil {
		return err
	}
	for i := range simulations {
		name := fmt.Sprintf("busy-%d", i+1)
		s, err := l.status(name)
		switch {
		case err != nil:
			err = l.tool("start_simulation", fmt.Sprintf(`{"experiment_name":%q,"months":%d}`, name, longest), nil)
			if err != nil {
				return err
			}
		case !s.Running || s.Month > longest*3/4:
			return fmt.Errorf("the simulation %s is at month %d, too near its end: measure a shorter time, or more households", name, s.Month)
		}
	}
	for i := range simulations {
		if err := l.begun(ctx, fmt.Sprintf("busy-%d", i+1)); err != nil {
			return err
		}
	}
	return nil
}

// begun waits until a simulation has months.
func (l laboratory) begun(ctx context.Context, name string) error {
	for {
		s, err := l.status(name)
		if err != nil || s.Running && s.Month > 0 {
			return err
		}
		if !s.Running {
			return fmt.Errorf("the simulation %s is %s", name, s.Status)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

type status struct {
	Running bool   `json:"running"`
	Status  string `json:"run_status"`
	Month   int    `json:"month"`
}

func (l laboratory) status(name string) (s status, err error) {
	err = l.tool("get_simulation_status", fmt.Sprintf(`{"experiment_name":%q}`, name), &s)
	return s, err
}

// tool calls a tool; its result goes to out, unless that is nil.
func (l laboratory) tool(name, arguments string, out any) error {
	reply, err := l.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(reply, &struct {
		Result struct {
			Content any `json:"structuredContent"`
		} `json:"result"`
	}{struct {
		Content any `json:"structuredContent"`
	}{out}})
}
