package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
)

// BenchmarkHostCall is what the host adds to a call over HTTP, routing, validation and
// statistics included, over the client that it is built on: less than 1 ms at the median.
// The two take turns, so that what else the machine does falls on both.
func BenchmarkHostCall(b *testing.B) {
	address := serveHTTP(b, build(b))
	bare, err := client.NewStreamableHttpClient(address)
	must(b, err)
	defer bare.Close()
	must(b, bare.Start(b.Context()))
	_, err = bare.Initialize(
		b.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: "bare", Version: "1"}}},
	)
	must(b, err)
	router, _ := mustRouter(b, host.Server{ID: "econ", Transport: host.HTTP, URL: address, Active: true, Timeout: time.Minute})
	_, err = router.Discover(b.Context(), "", false)
	must(b, err)
	tool, err := router.Find("get_parameter", "")
	must(b, err)
	arguments := json.RawMessage(`{"parameter_name":"vat_rate"}`)
	var without, with []time.Duration
	round := func() {
		began := time.Now()
		_, err := bare.CallTool(
			context.Background(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "get_parameter", Arguments: arguments}},
		)
		must(b, err)
		between := time.Now()
		_, err = router.Call(context.Background(), tool, chat.Request{Arguments: arguments}, nil)
		must(b, err)
		without, with = append(without, between.Sub(began)), append(with, time.Since(between))
	}
	for range 20 { // connections are made, schemas compiled
		round()
	}
	without, with = nil, nil
	for b.Loop() {
		round()
	}
	slices.Sort(without)
	slices.Sort(with)
	added := with[len(with)/2] - without[len(without)/2]
	b.ReportMetric(float64(without[len(without)/2].Microseconds()), "bare-µs")
	b.ReportMetric(float64(with[len(with)/2].Microseconds()), "host-µs")
	b.ReportMetric(float64(added.Microseconds()), "added-µs")
	if added > time.Millisecond {
		b.Errorf("the host adds %v at the median, want 1ms at most", added)
	}
}

// BenchmarkHostMemory is the most memory that the host has while ten servers are connected and
// list their tools: under 60 MB. That of its own is given beside it; the rest are pages of
// the program file, which the system shares and drops as it likes.
func BenchmarkHostMemory(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("the system does not say how much memory is whose")
	}
	program := build(b)
	address := serveHTTP(b, program)
	servers := map[string]any{"econ": map[string]any{"command": "none", "isActive": false}}
	for i := range 10 {
		servers[fmt.Sprintf("lab%d", i)] = map[string]any{"url": fmt.Sprintf("%s/w/w%d", address, i)}
	}
	config := writeConfig(b, servers, nil)
	own, all := 0.0, 0.0
	for b.Loop() {
		var out bytes.Buffer
		command := exec.Command(program, "host", "tools", "--refresh", "--config", config, "--data", filepath.Join(b.TempDir(), "data"))
		command.Stdout = &out
		must(b, command.Start())
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		for running := true; running; {
			select {
			case err := <-ended:
				must(b, err)
				running = false
			case <-time.After(time.Millisecond):
				own = max(own, megabytes(command.Process.Pid, "RssAnon"))
				all = max(all, megabytes(command.Process.Pid, "VmRSS"))
			}
		}
		if n := strings.Count(out.String(), "get_parameter "); n != 10 {
			b.Fatalf("%d of 10 servers answered", n)
		}
	}
	b.ReportMetric(all, "MB")
	b.ReportMetric(own, "MB-of-its-own")
	if all == 0 || all > 60 {
		b.Errorf("the host takes %.0f MB, want 60 at most", all)
	}
}

// megabytes reads a figure of a process; 0 where it has ended.
func megabytes(pid int, name string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), name+":")
	kB := 0.0
	if fields := strings.Fields(rest); len(fields) > 0 {
		kB, _ = strconv.ParseFloat(fields[0], 64)
	}
	return kB * 1024 / 1e6
}
