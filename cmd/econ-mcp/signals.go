package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

// untilSignal is a context that ends with the first signal that tells the program to end, so
// that what runs is saved: Ctrl-C, SIGTERM, SIGHUP (unless the program was started with that
// ignored, as by nohup) and SIGQUIT, which also writes what every goroutine does. A second
// signal ends the program at once.
func untilSignal(parent context.Context, stderr io.Writer) (ctx context.Context, stop func()) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, cancel := context.WithCancel(parent)
	arrived := make(chan os.Signal, 1)
	signal.Notify(arrived, ends...)
	go func() {
		select {
		case s := <-arrived:
			signal.Stop(arrived)
			signal.Ignore(syscall.SIGPIPE) // with its terminal, those who read what it prints may be gone
			if s == syscall.SIGQUIT {      // beside the end, which waits for nobody who reads it
				go pprof.Lookup("goroutine").WriteTo(stderr, 2)
			}
			cancel()
		case <-ctx.Done():
			signal.Stop(arrived)
		}
	}()
	return ctx, cancel
}
