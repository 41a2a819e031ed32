package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/broker"
)

// runBroker is a program that is the broker of a folder, at an address, until it is killed: what econ-mcp serve --cluster is where it has one.
func runBroker() {
	b, err := broker.Start(broker.Config{Folder: os.Args[1], Addr: os.Args[2], Log: slog.Default()})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(b.URL())
	select {}
}

// process is one that is killed at the end, if it is still there.
type process struct {
	*exec.Cmd
	stderr bytes.Buffer
	once   sync.Once
	err    error
}

func mustBegin(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...)}
	p.Stderr = &p.stderr
	must(t, p.Start())
	t.Cleanup(p.kill)
	return p
}

func (p *process) kill() {
	p.Process.Kill()
	p.wait()
}

func (p *process) wait() error {
	p.once.Do(func() { p.err = p.Wait() })
	return p.err
}

// mustBroker starts a broker and returns its URL.
func mustBroker(t *testing.T, folder, addr string) (b *process, url string) {
	t.Helper()
	b = &process{Cmd: exec.Command("econ-broker", folder, addr)}
	b.Stderr = &b.stderr
	out, err := b.StdoutPipe()
	must(t, err)
	must(t, b.Start())
	t.Cleanup(b.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the broker: %v: %s", err, b.stderr.String())
	}
	return b, strings.TrimSpace(line)
}

var (
	clusterRuns    = flag.Int("cluster-runs", 200, "economies of TestClusterIsKilled")
	clusterWorkers = flag.Int("cluster-workers", 2, "workers at a time of TestClusterIsKilled")
	clusterKills   = flag.Int("cluster-kills", 1, "how often TestClusterIsKilled kills a worker")
	submitterKills = flag.Int("cluster-submitter-kills", 1, "how often TestClusterIsKilled kills the submitter")
)

const sweepToKill = `inquiry:
  background: {set: {num_households: 600}}
  arms: {vat: {events: [{set: {vat_rate: 10%%}, from: 1}]}}
  outcomes: [{metric: real_consumption, window: [1, 4]}]
  design: {months: 4, replications: 1, burn_in: 6}
factors:
  arms.vat.events[0].set.vat_rate: {from: 5%%, to: 25%%}
  wage_adjustment_rate: {from: 0.05, to: 0.1}
design: {kind: latin_hypercube, points: %d}
`

// cpu is what a process that has ended took of the processors, in seconds.
func (p *process) cpu() float64 {
	return (p.ProcessState.UserTime() + p.ProcessState.SystemTime()).Seconds()
}

// Workers, the broker and the submitter are killed, and what is recorded is what a local run finds. With -v it says what the sweep took of
// the processors beyond the local run.
func TestClusterIsKilled(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	design, folder, runs := filepath.Join(dir, "design.yaml"), filepath.Join(dir, "on"), *clusterRuns
	must(t, os.WriteFile(design, fmt.Appendf(nil, sweepToKill, runs/2), 0o644))
	b, url := mustBroker(t, filepath.Join(dir, "broker"), "127.0.0.1:0")
	all := []*process{b}
	begin := func(args ...string) *process {
		p := mustBegin(t, "econ-mcp", args...)
		all = append(all, p)
		return p
	}
	var workers []*process
	hire := func() {
		workers = append(workers, begin("worker", "--connect", url, "--threads", "1", "--no-cache"))
	}
	submit := func() *process { return begin("sweep", design, "--out", folder, "--on", url) }
	for range *clusterWorkers {
		hire()
	}
	began, submitter := time.Now(), submit()

	// What is killed is killed at even distances.
	var kills []func()
	for range *clusterKills {
		kills = append(kills, func() {
			workers[0].kill()
			workers = workers[1:]
			hire()
		})
	}
	kills = slices.Insert(kills, len(kills)/2, func() {
		b.kill()
		b, _ = mustBroker(t, filepath.Join(dir, "broker"), strings.TrimPrefix(url, "nats://"))
		all = append(all, b)
	})
	for range *submitterKills {
		kills = append(kills, func() {
			submitter.kill()
			submitter = submit()
		})
	}
	recorded := lineCounter{}
	for k, kill := range kills {
		for recorded.count(t, filepath.Join(folder, sweep.RunsFolder, "nats-*.runs")) < runs*(k+1)/(len(kills)+1) {
			select {
			case <-t.Context().Done():
				t.Fatal(t.Context().Err())
			case <-time.After(5 * time.Millisecond): // looking takes time of the processors, too
			}
		}
		kill()
	}
	if err := submitter.wait(); err != nil {
		t.Fatalf("the sweep: %v: %s\nbroker: %s", err, submitter.stderr.String(), b.stderr.String())
	}
	took := time.Since(began)
	if n := recorded.count(t, filepath.Join(folder, sweep.RunsFolder, "nats-*.runs")); n != runs {
		t.Errorf("%d of %d economies recorded", n, runs)
	}
	// A worker that is told to end does.
	for _, w := range workers {
		must(t, w.Process.Signal(os.Interrupt))
		if err := w.wait(); err != nil {
			t.Errorf("a worker that was told to end: %v: %s", err, w.stderr.String())
		}
	}
	b.kill()

	began = time.Now()
	local := mustBegin(t, "econ-mcp", "sweep", design, "--out", filepath.Join(dir, "local"), "--no-cache")
	if err := local.wait(); err != nil {
		t.Fatalf("%v: %s", err, local.stderr.String())
	}
	want, err := os.ReadFile(filepath.Join(dir, "local", sweep.PointsFile))
	must(t, err)
	if got, err := os.ReadFile(filepath.Join(folder, sweep.PointsFile)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%s\nis not what a local run finds\n%s", err, got, want)
	}
	total, parts := 0., map[string]float64{}
	for _, p := range all {
		total += p.cpu()
		parts[filepath.Base(p.Args[0])+" "+p.Args[1][:min(6, len(p.Args[1]))]] += p.cpu()
	}
	t.Logf("%d economies, %d kills: %.1f s of the processors in %.1f s; locally %.1f s in %.1f s: %.2f ms more an economy; by program: %v",
		runs, len(kills), total, took.Seconds(), local.cpu(), time.Since(began).Seconds(), (total-local.cpu())/float64(runs)*1000, parts)
}

// lineCounter counts the lines of a growing file.
type lineCounter struct {
	read  int64
	lines int
}

// count is how many there are by now; none while there is no file.
func (c *lineCounter) count(t *testing.T, pattern string) int {
	t.Helper()
	files, err := filepath.Glob(pattern)
	must(t, err)
	if len(files) == 0 {
		return 0
	}
	f, err := os.Open(files[0])
	must(t, err)
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, c.read, 1<<40))
	must(t, err)
	c.read, c.lines = c.read+int64(len(text)), c.lines+bytes.Count(text, []byte("\n"))
	return c.lines
}

const targetsToKill = `data: quarters.csv
scenario: small.yaml
households: 500
replications: 2
parameters: {government_employment_share: [0.05, 0.3]}
only: [sd Y, growth Y sd]
posterior: {points: 8, waves: 2, more_points: 3, predictive: 20, discrepancy: 5, draws: 100}
`

// The waves of a posterior are measured by workers, of whom one is killed, and the submitter is killed, too: the posterior is that of a
// local run to the bit.
func TestPosteriorOfWorkers(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	targets := filepath.Join(dir, "targets.yaml")
	must(t, os.WriteFile(targets, []byte(targetsToKill), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "small.yaml"), []byte("parameters: {burn_in_months: 6}\n"), 0o644))
	quarters := []byte("quarter,output\n")
	for q := range 40 {
		quarters = fmt.Appendf(quarters, "%dQ%d,%.3f\n", 2000+q/4, q%4+1, 100*math.Exp(.005*float64(q)+.02*math.Sin(float64(q)/3)))
	}
	must(t, os.WriteFile(filepath.Join(dir, "quarters.csv"), quarters, 0o644))
	_, url := mustBroker(t, filepath.Join(dir, "broker"), "127.0.0.1:0")
	known := filepath.Join(dir, "known")
	ask := func(name string, more ...string) *process {
		args := []string{"estimate", "posterior", targets, "--draws", filepath.Join(dir, name+".csv"), "--out", filepath.Join(dir, name+".md")}
		return mustBegin(t, "econ-mcp", append(args, more...)...)
	}
	hire := func() *process {
		return mustBegin(t, "econ-mcp", "worker", "--connect", url, "--threads", "1", "--no-cache")
	}
	first := hire()
	submitter := ask("nats", "--known", known, "--on", url)
	recorded := lineCounter{}
	for recorded.count(t, filepath.Join(known, "wave-*", sweep.RunsFolder, "nats-*.runs")) < 3 {
		select {
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
	first.kill()
	submitter.kill()
	hire()
	hire()
	again := ask("nats", "--known", known, "--on", url)
	if err := again.wait(); err != nil {
		t.Fatalf("%v: %s", err, again.stderr.String())
	}
	local := ask("local", "--known", filepath.Join(dir, "local"))
	if err := local.wait(); err != nil {
		t.Fatalf("%v: %s", err, local.stderr.String())
	}
	want, err := os.ReadFile(filepath.Join(dir, "local.csv"))
	must(t, err)
	if got, err := os.ReadFile(filepath.Join(dir, "nats.csv")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("other draws than those of a local run: %v", err)
	}
	text := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name+".md"))
		must(t, err)
		_, rest, _ := strings.Cut(string(text), "do not edit.") // after the call, which names its files
		return rest
	}
	if text("nats") != text("local") {
		t.Error("another text than that of a local run")
	}
}
