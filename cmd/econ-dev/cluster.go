package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/broker"
	"econ-mcp/internal/sweep/cluster"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// newCluster measures a broker and a recorder by themselves, and says where many workers would wait for them.
func newCluster() *cobra.Command {
	var runs, clients int
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Measure what one broker and one recorder can do, and simulate sweeps on up to 10,000 threads",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := os.MkdirTemp("", "cluster-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(folder)
			b, err := broker.Start(broker.Config{Addr: "127.0.0.1:0", Folder: filepath.Join(folder, "broker"), Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				return err
			}
			defer b.Close()
			m := measured{folder: folder, url: b.URL(), out: cmd.OutOrStdout()}
			return m.all(cmd.Context(), runs, clients)
		},
	}
	cmd.Flags().IntVar(&runs, "runs", 20_000, "economies that are recorded")
	cmd.Flags().IntVar(&clients, "clients", 16, "workers that draw tasks and simulate nothing")
	return cmd
}

// measured is what is measured with a broker.
type measured struct {
	folder, url string
	out         io.Writer
	js          jetstream.JetStream
	conn        *nats.Conn
	perTask     int // runs
}

// processors is what this process, with the broker in it, took of the processors until now.
func processors() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func (m *measured) all(ctx context.Context, runs, clients int) (err error) {
	if m.conn, err = nats.Connect(m.url); err != nil {
		return err
	}
	defer m.conn.Close()
	if m.js, err = jetstream.New(m.conn); err != nil {
		return err
	}
	p, err := planOf(ctx, runs)
	if err != nil {
		return err
	}
	submit := cluster.Submit{
		Plan: p, Folder: filepath.Join(m.folder, "runs"), Broker: cluster.Address{URL: m.url}.As("--on"), AgentMonths: 5 * 600 * 1.2 * 14,
		Log: slog.New(slog.DiscardHandler),
	}
	sent, err := m.send(ctx, submit)
	if err != nil {
		return err
	}
	m.perTask = len(p.Runs) / sent
	began, before := time.Now(), processors()
	if err := m.drain(ctx, p, sent, clients); err != nil {
		return err
	}
	tasks := time.Since(began).Seconds() / float64(sent)
	fmt.Fprintf(m.out, "broker: %d tasks of about %d economies given out, their records taken, by %d workers that simulate nothing:\n"+
		"  %.0f tasks a second, %.0f records a second, %.2f ms of the processors a task (broker and workers)\n",
		sent, m.perTask, clients, 1/tasks, float64(m.perTask)/tasks, 1000*(processors()-before)/float64(sent))
	began, before = time.Now(), processors()
	recorded, err := submit.Run(ctx)
	if err != nil {
		return err
	}
	record := time.Since(began).Seconds() / float64(recorded)
	fmt.Fprintf(m.out, "recorder: %d records entered and on the disk: %.0f a second, %.3f ms of the processors each\n",
		recorded, 1/record, 1000*(processors()-before)/float64(recorded))
	m.table(tasks, record)
	return nil
}

// planOf is a sweep of so many small economies.
func planOf(ctx context.Context, runs int) (*sweep.Plan, error) {
	d, err := sweep.Read(fmt.Appendf(nil, `inquiry:
  background: {set: {num_households: 600}}
  arms: {vat: {events: [{set: {vat_rate: 10%%}, from: 1}]}}
  outcomes: [{metric: real_consumption, window: [1, 4]}]
  design: {months: 4, replications: 1, burn_in: 6}
factors:
  arms.vat.events[0].set.vat_rate: {from: 5%%, to: 25%%}
  wage_adjustment_rate: {from: 0.05, to: 0.1}
design: {kind: latin_hypercube, points: %d}
`, runs/2), nil, nil)
	if err != nil {
		return nil, err
	}
	return sweep.NewPlan(ctx, d, builtIn{})
}

type builtIn struct{}

func (builtIn) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

// send submits until all tasks are with the broker.
func (m *measured) send(ctx context.Context, s cluster.Submit) (tasks int, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		_, err := s.Run(ctx)
		ended <- err
	}()
	for want := len(s.Plan.Parts(s.AgentMonths)); ; {
		select {
		case err := <-ended:
			return 0, err
		case <-time.After(20 * time.Millisecond):
		}
		stream, err := m.js.Stream(ctx, "ECON_TASKS")
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue
		}
		if err != nil {
			return 0, err
		}
		if int(stream.CachedInfo().State.Msgs) == want {
			stop()
			<-ended
			return want, nil
		}
	}
}

// drain draws all tasks, and sends records that look like those of a simulation.
func (m *measured) drain(ctx context.Context, p *sweep.Plan, tasks, clients int) error {
	stream, err := m.js.Stream(ctx, "ECON_TASKS")
	if err != nil {
		return err
	}
	var queue jetstream.Consumer
	names := stream.ConsumerNames(ctx)
	for name := range names.Name() {
		if queue, err = stream.Consumer(ctx, name); err != nil {
			return err
		}
	}
	if queue == nil {
		return errors.Join(errors.New("nobody may draw tasks"), names.Err())
	}
	seeds := map[string]sweep.Run{}
	for _, r := range p.Runs {
		seeds[r.Key()] = r
	}
	out, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	in, err := zstd.NewReader(nil)
	if err != nil {
		return err
	}
	var done atomic.Int64
	var fails sync.Map
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			if err := m.drawAll(ctx, queue, seeds, in, out, &done, int64(tasks)); err != nil {
				fails.Store(err, true)
			}
		})
	}
	all.Wait()
	fails.Range(func(e, _ any) bool { err = e.(error); return false })
	return err
}

func (m *measured) drawAll(ctx context.Context, queue jetstream.Consumer, runs map[string]sweep.Run, in *zstd.Decoder, out *zstd.Encoder,
	done *atomic.Int64, of int64) error {
	for done.Load() < of {
		batch, err := queue.FetchNoWait(1)
		if err != nil {
			return err
		}
		for msg := range batch.Messages() {
			text, err := in.DecodeAll(msg.Data(), nil)
			if err != nil {
				return err
			}
			var order struct {
				Tasks []sweep.Task `json:"tasks"`
			}
			if err := json.Unmarshal(text, &order); err != nil {
				return err
			}
			var yield struct {
				Worker  string          `json:"worker"`
				Records []*sweep.Record `json:"records"`
			}
			for _, t := range order.Tasks {
				for k, r := range t.Runs {
					record := &sweep.Record{
						Key: r.Key, Model: sim.ModelVersion, Seed: t.Seed, Months: r.Months, State: r.Key + r.Key, Series: map[string][]stats.Number{},
					}
					for _, name := range t.Metrics {
						for month := range r.Months {
							record.Series[name] = append(record.Series[name], stats.Number(float64(runs[r.Key].Seed)/float64(k+month+7)))
						}
					}
					yield.Records = append(yield.Records, record)
				}
			}
			if text, err = json.Marshal(yield); err != nil {
				return err
			}
			sweepID := strings.Split(msg.Subject(), ".")[3]
			if _, err := m.js.Publish(ctx, "econ.results."+sweepID, out.EncodeAll(text, nil)); err != nil {
				return err
			}
			if err := msg.Ack(); err != nil {
				return err
			}
			done.Add(1)
		}
		if err := batch.Error(); err != nil {
			return err
		}
	}
	return m.conn.Flush()
}

// table simulates sweeps on many threads with what was measured.
func (m *measured) table(perTask, perRecord float64) {
	fmt.Fprint(m.out, "\nseconds of an economy | economies a task | threads | economies a second |"+
		" simulating | broker busy | recorder busy\n")
	for _, own := range []float64{.01, .1, 1, 10} {
		atOnce := max(1, min(512, int(5/own)))
		for _, threads := range []int{100, 1000, 10_000} {
			f := farm{Workers: threads, Task: own * float64(atOnce), Broker: perTask, Recorder: perRecord * float64(atOnce), Spread: .5}
			x := f.simulate(200_000, 1)
			fmt.Fprintf(m.out, "%21g | %16d | %7d | %18.0f | %8.1f %% | %9.1f %% | %11.1f %%\n", own, atOnce, threads, x.Rate*float64(atOnce),
				100*x.Busy, 100*x.Broker, 100*x.Recorder)
		}
	}
}
