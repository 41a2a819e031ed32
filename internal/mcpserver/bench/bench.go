// Package bench measures a server of the Model Context Protocol from outside: it starts
// the program as its users do, over stdio and over HTTP, and calls its tools as agents
// do, from a process of its own. [Run] gives a [Report]; [Bare] is the server that ours
// is compared with.
//
// The client is lean, because it takes its time from the same processors: requests are
// written by hand, and replies are looked at no closer than to see that they are right.
package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// What is to be reached.
const (
	mostFirstAnswer = 50.0  // milliseconds from the start of the process to its first answer
	mostP99         = 150.0 // milliseconds, at the largest number of callers, while all cores simulate
	mostMemory      = 96.0  // MB resident with idleSessions
	leastRatio      = 0.7   // calls a second over those of the bare server
)

const (
	idleSessions = 100
	simulations  = 2  // that run while the server is busy
	starts       = 11 // processes that are started for one figure
	startTime    = 30 * time.Second
)

// The tools that are called: one that only looks at the caller's workspace, and one that
// reads an experiment.
const (
	parameterTool  = "get_parameter"
	indicatorsTool = "get_economic_indicators"
)

// The transports.
const (
	stdio = "stdio"
	web   = "http"
)

// Settings say what is measured, and how long.
type Settings struct {
	Program    string        // to start; it has the command serve
	Bare       string        // program with the command bare-server
	Parameters []string      // names that get_parameter is asked for, in turn
	Round      time.Duration // length of one
	Rounds     int           // of each figure, of which the best counts
	Callers    []int         // at the same time, in increasing order
	Households int           // of each simulation that keeps the server busy
	Only       []string      // of [Parts]; none = all
	Log        func(string)  // is told what is being measured
}

// Report is what was measured.
type Report struct {
	Version    string       `json:"version"` // of the model
	Go         string       `json:"go"`
	Platform   string       `json:"platform"`
	Processors int          `json:"processors"`
	LoadBefore string       `json:"load_before"` // of the machine, as the system tells it; "" = unknown
	LoadAfter  string       `json:"load_after"`
	Starts     []Start      `json:"starts"`
	Memory     Memory       `json:"memory"`
	Loads      []Load       `json:"loads"`
	Bare       []Comparison `json:"bare"`
	Targets    []Target     `json:"targets"`
}

// Start is the time from the start of a process to its first answer, in milliseconds.
type Start struct {
	Transport string  `json:"transport"`
	NewFolder bool    `json:"new_folder"` // else one that has a store already
	Best      float64 `json:"best_ms"`
	Median    float64 `json:"median_ms"`
}

// Memory is the resident set of a server over HTTP, in MB of a million bytes. Each
// session has listed the tools and called one, and keeps a stream open.
type Memory struct {
	Sessions         int     `json:"sessions"`
	AtStart          float64 `json:"one_session_mb"` // with one answer given; 0 = the system does not tell
	AnonymousAtStart float64 `json:"one_session_anonymous_mb"`
	AtRest           float64 `json:"sessions_mb"`
	Anonymous        float64 `json:"sessions_anonymous_mb"` // of it, without the pages of the program's file
}

// Load is what callers that call without a pause get, in the best round.
type Load struct {
	Transport      string  `json:"transport"`
	Tool           string  `json:"tool"`
	Callers        int     `json:"callers"`
	Simulations    int     `json:"simulations"`
	CallsPerSecond float64 `json:"calls_per_second"`
	P50            float64 `json:"p50_ms"`
	P99            float64 `json:"p99_ms"`
	Max            float64 `json:"max_ms"`
	CPU            float64 `json:"server_cpu_us"` // a call, 0 where simulations run too or the system does not tell
}

// Comparison sets the server beside the bare one, on the machine at rest, in turns.
type Comparison struct {
	Transport string  `json:"transport"`
	Callers   int     `json:"callers"`
	Ours      Load    `json:"ours"`
	Bare      Load    `json:"bare"`
	Ratio     float64 `json:"ratio"` // of calls a second
}

// Target is a figure to reach.
type Target struct {
	Name    string  `json:"name"`
	Limit   float64 `json:"limit"`
	AtLeast bool    `json:"at_least"` // else at most
	Unit    string  `json:"unit"`
	Value   float64 `json:"value"` // the worst of those measured
	Met     bool    `json:"met"`
}

// parts are what is measured, in this order.
var parts = []struct {
	name, what string
	measure    func(*bench, context.Context) error
}{
	{"start", "time to the first answer", (*bench).starts},
	{"memory", fmt.Sprintf("memory with %d idle sessions", idleSessions), (*bench).memory},
	{stdio, "calls over stdio", func(b *bench, ctx context.Context) error { return b.loads(ctx, stdio) }},
	{web, "calls over HTTP", func(b *bench, ctx context.Context) error { return b.loads(ctx, web) }},
}

// Parts names what can be measured: start, memory, stdio, http.
func Parts() []string {
	var names []string
	for _, part := range parts {
		names = append(names, part.name)
	}
	return names
}

// Run takes the measurements. All of them take about
// Round × Rounds × len(Callers) × 10, and a quarter of a minute.
func Run(ctx context.Context, s Settings) (*Report, error) {
	folder, err := os.MkdirTemp("", "econ-mcp-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	r := &Report{Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Processors: runtime.NumCPU(), LoadBefore: machineLoad()}
	b := &bench{Settings: s, folder: folder, report: r}
	for _, part := range parts {
		if len(s.Only) > 0 && !slices.Contains(s.Only, part.name) {
			continue
		}
		s.Log(part.what)
		if err := part.measure(b, ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", part.what, err)
		}
	}
	r.LoadAfter = machineLoad()
	r.judge()
	return r, nil
}

// bench is a measurement under way.
type bench struct {
	Settings
	folder string
	report *Report
	made   int // folders, for their names
}

// newFolder is a data folder that nobody has used.
func (b *bench) newFolder() string {
	b.made++
	return filepath.Join(b.folder, fmt.Sprint(b.made))
}

// starts takes the time of the first answer.
func (b *bench) starts(ctx context.Context) error {
	for _, transport := range []string{stdio, web} {
		used := b.newFolder()
		for _, fresh := range []bool{true, false} {
			var times []float64
			for i := range starts + 1 {
				data := used
				if fresh {
					data = b.newFolder()
				}
				took, err := b.timeStart(ctx, transport, data)
				if err != nil {
					return err
				}
				if i > 0 { // the first finds the program or the folder as nobody left them
					times = append(times, milliseconds(took))
				}
			}
			slices.Sort(times)
			b.report.Starts = append(b.report.Starts, Start{transport, fresh, times[0], times[len(times)/2]})
		}
	}
	return nil
}

func (b *bench) timeStart(ctx context.Context, transport, data string) (time.Duration, error) {
	begin := time.Now()
	p, err := b.serve(ctx, transport, data)
	if err != nil {
		return 0, err
	}
	defer p.kill()
	callers, err := p.connect(1)
	if err != nil {
		return 0, err
	}
	defer closeAll(callers)
	return callers[0].answered.Sub(begin), nil
}

// memory opens sessions and looks at the size of the process when they have come to rest.
func (b *bench) memory(ctx context.Context) error {
	p, err := b.serve(ctx, web, b.newFolder())
	if err != nil {
		return err
	}
	defer p.stop()
	m := &b.report.Memory
	m.Sessions = idleSessions
	first, err := p.connect(1)
	if err != nil {
		return err
	}
	defer closeAll(first)
	m.AtStart, m.AnonymousAtStart = p.resident()
	callers, err := p.connect(idleSessions - 1)
	if err != nil {
		return err
	}
	defer closeAll(callers)
	for _, c := range append(callers, first...) {
		if _, err := c.request("tools/list", "{}"); err != nil {
			return err
		}
		if _, err := c.request("tools/call", b.parameterCall(0)); err != nil {
			return err
		}
		stop, err := c.listen()
		if err != nil {
			return err
		}
		defer stop()
	}
	m.AtRest, m.Anonymous, err = p.rest(ctx)
	return err
}

// loads measures calls on one transport: beside the bare server, then of an experiment
// that is in the store only, then while simulations run, of one of those.
func (b *bench) loads(ctx context.Context, transport string) error {
	data := b.newFolder()
	if err := b.prepare(ctx, data); err != nil {
		return err
	}
	p, err := b.serve(ctx, transport, data)
	if err != nil {
		return err
	}
	defer p.stop()
	callers, err := p.connect(slices.Max(b.Callers))
	if err != nil {
		return err
	}
	defer closeAll(callers)
	if err := b.compare(ctx, p, callers); err != nil {
		return err
	}
	lab := laboratory{callers[0]}
	for _, n := range b.Callers {
		best, err := b.best(ctx, p, callers[:n], indicatorsCall(stored))
		if err != nil {
			return err
		}
		b.add(Load{Tool: indicatorsTool}, transport, best)
	}
	for _, tool := range []struct {
		name   string
		params func(int) string
	}{{parameterTool, b.parameterCall}, {indicatorsTool, indicatorsCall("busy-1")}} {
		for _, n := range b.Callers {
			if err := lab.busy(ctx, b.Households); err != nil {
				return err
			}
			best, err := b.best(ctx, p, callers[:n], tool.params)
			if err != nil {
				return err
			}
			best.CPU = 0 // the economies' too
			b.add(Load{Tool: tool.name, Simulations: simulations}, transport, best)
		}
	}
	return nil
}

// stored is the name of an experiment that was carried out by an earlier process.
const stored = "stored"

// prepare makes it.
func (b *bench) prepare(ctx context.Context, data string) error {
	p, err := b.serve(ctx, stdio, data)
	if err != nil {
		return err
	}
	defer p.stop()
	callers, err := p.connect(1)
	if err != nil {
		return err
	}
	return laboratory{callers[0]}.experiment(stored)
}

// compare measures get_parameter here and on the bare server, round by round, so that
// both have the same share of what else the machine does.
func (b *bench) compare(ctx context.Context, p *process, callers []*caller) error {
	bare, err := b.start(ctx, p.transport, b.Bare, "bare-server", "--transport", p.transport)
	if err != nil {
		return err
	}
	defer bare.stop()
	others, err := bare.connect(len(callers))
	if err != nil {
		return err
	}
	defer closeAll(others)
	for _, n := range b.Callers {
		var ours, theirs Load
		for range b.Rounds {
			if err := b.round(ctx, p, callers[:n], b.parameterCall, &ours); err != nil {
				return err
			}
			if err := b.round(ctx, bare, others[:n], b.parameterCall, &theirs); err != nil {
				return err
			}
		}
		b.add(Load{Tool: parameterTool}, p.transport, ours)
		b.report.Bare = append(b.report.Bare, Comparison{p.transport, n, ours, theirs, ours.CallsPerSecond / theirs.CallsPerSecond})
	}
	return nil
}

// add puts what was measured under what was called.
func (b *bench) add(l Load, transport string, measured Load) {
	measured.Transport, measured.Tool, measured.Simulations = transport, l.Tool, l.Simulations
	b.report.Loads = append(b.report.Loads, measured)
}

// judge sets the worst of what was measured beside what is to be reached.
func (r *Report) judge() {
	callers := 0
	for _, l := range r.Loads {
		callers = max(callers, l.Callers)
	}
	var first, p99, memory, ratio []float64
	for _, s := range r.Starts {
		first = append(first, s.Median)
	}
	for _, l := range r.Loads {
		if l.Callers == callers && l.Simulations > 0 {
			p99 = append(p99, l.P99)
		}
	}
	if r.Memory.AtRest > 0 {
		memory = append(memory, r.Memory.AtRest)
	}
	for _, c := range r.Bare {
		ratio = append(ratio, c.Ratio)
	}
	r.atMost("first answer after the start of the process", mostFirstAnswer, "ms", first)
	r.atMost(fmt.Sprintf("p99 at %d callers while %d simulations run", callers, simulations), mostP99, "ms", p99)
	r.atMost(fmt.Sprintf("resident with %d idle sessions", idleSessions), mostMemory, "MB", memory)
	if len(ratio) > 0 {
		worst := slices.Min(ratio)
		r.Targets = append(r.Targets, Target{"calls a second over those of a bare mcp-go server", leastRatio, true, "times", worst,
			worst >= leastRatio})
	}
}

// atMost adds a target, if it was measured.
func (r *Report) atMost(name string, limit float64, unit string, measured []float64) {
	if len(measured) > 0 {
		worst := slices.Max(measured)
		r.Targets = append(r.Targets, Target{name, limit, false, unit, worst, worst <= limit})
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
