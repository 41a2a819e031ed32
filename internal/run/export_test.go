package run

import "context"

// Within is [Simulation.Run] in so many bytes of memory.
func (s Simulation) Within(ctx context.Context, memory int64) (Simulated, error) {
	return s.within(ctx, memory)
}
