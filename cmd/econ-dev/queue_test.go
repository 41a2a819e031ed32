package main

import (
	"math"
	"testing"
)

// exact is the rate of a closed network of one queue and a delay with exponential times, by mean value analysis (Reiser and
// Lavenberg 1980): R(n) = b (1 + Q(n-1)), X(n) = n / (Z + R(n)), Q(n) = X(n) R(n).
func exact(workers int, task, broker float64) (rate float64) {
	queue := 0.
	for n := 1; n <= workers; n++ {
		response := broker * (1 + queue)
		rate = float64(n) / (task + response)
		queue = rate * response
	}
	return rate
}

func TestFarm(t *testing.T) {
	for _, f := range []farm{
		{Workers: 1, Task: 1, Broker: .1, Recorder: .01, Spread: 1},
		{Workers: 8, Task: 1, Broker: .1, Recorder: .01, Spread: 1},
		{Workers: 11, Task: 1, Broker: .1, Recorder: .01, Spread: 1}, // where it bends
		{Workers: 40, Task: 1, Broker: .1, Recorder: .01, Spread: 1},
		{Workers: 1000, Task: 2, Broker: .001, Recorder: .0005, Spread: 1},
	} {
		if got, want := f.simulate(400_000, 1).Rate, exact(f.Workers, f.Task, f.Broker); math.Abs(got/want-1) > .01 {
			t.Errorf("%+v: %g tasks a second, by mean value analysis %g", f, got, want)
		}
	}
	// The bounds of Denning and Buzen (1978), which times that are always the same attain.
	few := farm{Workers: 10, Task: 2, Broker: .001, Recorder: .01}.simulate(10_000, 1)
	if want := 10 / 2.001; math.Abs(few.Rate/want-1) > .001 || few.Busy < .999 || few.Behind != 0 {
		t.Errorf("ten workers: %+v, want %g", few, want)
	}
	many := farm{Workers: 10_000, Task: 2, Broker: .001, Recorder: .01}.simulate(100_000, 1)
	if math.Abs(many.Rate/1000-1) > .001 || math.Abs(many.Broker-1) > .001 || many.Recorder != 1 || math.Abs(many.Behind-900) > 2 ||
		math.Abs(many.Busy-.2) > .002 {
		t.Errorf("ten thousand workers: %+v", many)
	}
}
