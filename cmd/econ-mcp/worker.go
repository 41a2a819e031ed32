package main

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"econ-mcp/internal/estimation"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/sweep/cluster"
)

func newWorker() *cobra.Command {
	var (
		broker  brokerFlags
		cache   cacheFlags
		url     string
		threads int
	)
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Simulate tasks of sweeps and posteriors that a broker has",
		Long: `Takes tasks of sweeps (econ-mcp sweep DESIGN.yaml --on URL) and of posteriors (econ-mcp estimate
posterior TARGETS.yaml --on URL) from a broker and simulates them, until it is told to end: at
Ctrl-C or SIGTERM it gives back what it has begun, and another worker takes it at once. Killed or
cut off, its tasks are given to others after 20 seconds. It waits for a broker that is away, and for
sweeps, for ever. Workers may come and go at any time, as many as there are.

The broker is econ-mcp serve --cluster of a program built with -tags cluster, or any NATS server
with JetStream (nats-server -js). A worker of another version of the model than the sweep is turned
away. What a worker does stands on stderr.`,
		Example: `  econ-mcp worker --connect nats://127.0.0.1:4222
  econ-mcp worker --connect tls://lab.example.org:4222 --token-file token --tls-ca ca.pem --threads 8`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if url == "" {
				return fault.Missing("--connect", "give the URL of a broker, such as nats://127.0.0.1:4222")
			}
			if threads < 0 {
				return fault.Range("--threads", fmt.Sprint(threads), "0 or more")
			}
			address, err := broker.address(cmd.Flags(), "--connect", url)
			if err != nil {
				return err
			}
			done, err := cluster.Worker{
				Broker: address, Threads: threads, Cache: cache.cache(), Measure: estimation.Measure, Log: slog.Default(),
			}.Run(cmd.Context())
			if err != nil {
				return err
			}
			return printed(cmd, done, func(out io.Writer) {
				fmt.Fprintf(out, "%s, %s simulated\n", report.Plural(int(done.Tasks), "task"), economies(int(done.Runs)))
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&url, "connect", "", "`URL` of the broker: nats://HOST:4222, or tls://HOST:4222")
	broker.add(f)
	f.IntVar(&threads, "threads", 0, "threads that simulate, a task each, 0 = all cores; changes no result")
	cache.add(f)
	f.Bool("json", false, "print JSON at the end")
	return cmd
}
