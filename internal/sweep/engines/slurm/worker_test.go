//go:build unix

package slurm_test

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

var usr1, term os.Signal = syscall.SIGUSR1, syscall.SIGTERM

func TestMain(m *testing.M) {
	if mode := os.Getenv("WORKER"); mode != "" {
		os.Exit(standIn(mode, os.Getenv("WORKER_FOLDER")))
	}
	os.Exit(m.Run())
}

// standIn is a worker as the script sees it: what it is called with, what it records, how it ends.
func standIn(mode, folder string) int {
	want := []string{
		"sweep", "work", folder, "--runs", folder, "--shard", "2/3", "--threads", "1", "--wait", "10m",
	}
	if got := os.Args[1:]; !slices.Equal(got[:min(len(got), len(want))], want) || os.Getenv("GOMEMLIMIT") != "450MiB" {
		fmt.Println(got, os.Getenv("GOMEMLIMIT"))
		return 99
	}
	write := func(name string) string {
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			panic(err)
		}
		defer f.Close()
		fmt.Fprintln(f, "worker")
		text, err := os.ReadFile(f.Name())
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	calls := write("calls")
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	if mode != "useless" && mode != "waiting" {
		write("shard-2-of-3.runs")
	}
	switch mode {
	case "fails":
		return 2
	case "useless":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		<-terminated
	case "killed":
		if strings.Count(calls, "worker") == 1 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			<-terminated
		}
	case "recording", "waiting":
		fmt.Println("ready")
		<-terminated
		return 130
	case "finishing":
		fmt.Println("ready")
		<-terminated
	}
	return 0
}
