package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

// farm is a sweep on many machines as a network of queues: workers simulate a task, wait for the broker, and begin the next one; what they
// send waits for the recorder, for which nobody waits. Times are in seconds.
type farm struct {
	Workers  int     // threads that simulate
	Task     float64 // simulating a task, mean
	Broker   float64 // of the broker for a task: given out, its results taken, acknowledged
	Recorder float64 // of the recorder for a task's results
	Spread   float64 // of these times: 0 = always the same, 1 = exponential (between them, the weight of the exponential part)
}

// flow is how a farm does.
type flow struct {
	Rate     float64 // tasks a second that workers end
	Busy     float64 // share of their time that workers simulate
	Broker   float64 // share of its time that the broker is busy
	Recorder float64 // the same of the recorder; 1 = what arrives waits longer and longer
	Behind   float64 // results a second that arrive and are not recorded
}

// event is the time at which a worker comes to the broker.
type event struct {
	at     float64
	worker int
}

type agenda []event

func (a agenda) Len() int           { return len(a) }
func (a agenda) Less(i, j int) bool { return a[i].at < a[j].at }
func (a agenda) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(e any)        { *a = append(*a, e.(event)) }

func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// simulate lets the farm work on so many tasks, after as many workers have come once to begin at different times.
func (f farm) simulate(tasks int, seed uint64) flow {
	draws := rand.New(rand.NewPCG(seed, 1))
	time := func(mean float64) float64 { return mean * (1 - f.Spread + f.Spread*draws.ExpFloat64()) }
	var coming agenda
	for w := range f.Workers {
		coming = append(coming, event{draws.Float64() * (f.Task + f.Broker), w})
	}
	heap.Init(&coming)
	var begin, free, recorded, simulated, served, wrote float64 // of broker and recorder: until when they are busy
	warm := max(f.Workers, tasks/10)
	for n := range warm + tasks {
		if n == warm {
			begin, simulated, served, wrote = free, 0, 0, 0
			recorded = max(recorded, begin)
		}
		e := heap.Pop(&coming).(event)
		s := time(f.Broker)
		free = max(free, e.at) + s
		served += s
		r := time(f.Recorder)
		recorded = max(recorded, free) + r
		wrote += r
		t := time(f.Task)
		simulated += t
		heap.Push(&coming, event{free + t, e.worker})
	}
	span := free - begin
	rate := float64(tasks) / span
	return flow{
		Rate: rate, Busy: math.Min(1, simulated/span/float64(f.Workers)), Broker: math.Min(1, served/span), Recorder: math.Min(1, wrote/span),
		Behind: math.Max(0, rate-1/f.Recorder),
	}
}
