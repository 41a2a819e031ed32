package sweep

import (
	"runtime"
	"sync"
	"time"

	"econ-mcp/sim"
)

// probing is how long the speed of a machine is measured, on economies that live for so many months.
const (
	probing = 1500 * time.Millisecond
	probed  = 36
)

// Speed measures how many agent-months a second this machine simulates with so many threads (0 = all cores), of economies such as the
// plan's first.
func (p *Plan) Speed(threads int) (float64, error) {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var (
		all   sync.WaitGroup
		mu    sync.Mutex
		total float64
		fails error
	)
	for range threads {
		all.Go(func() {
			speed, err := p.probe()
			mu.Lock()
			defer mu.Unlock()
			if total += speed; err != nil {
				fails = err
			}
		})
	}
	all.Wait()
	return total, fails
}

// probe simulates one economy after the other, as a thread does.
func (p *Plan) probe() (speed float64, err error) {
	begin, done := time.Now(), 0.
	for done == 0 || time.Since(begin) < probing {
		e, err := sim.New(p.Runs[0].Scenario.BurnIn, 1)
		if err != nil {
			return 0, err
		}
		for month := 0; month < probed && (done == 0 || time.Since(begin) < probing); month++ {
			if err = e.Step(); err != nil {
				break
			}
			done += float64(e.Agents())
		}
		e.Close()
		if err != nil {
			return 0, err
		}
	}
	return done / time.Since(begin).Seconds(), nil
}
