// Command econ-dev holds what developers of econ-mcp need and its users do not: the
// measurement of the server and of memory from outside, and the score of the reader of questions.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "econ-dev:", err)
		os.Exit(1)
	}
}

func execute(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	root := &cobra.Command{
		Use: "econ-dev", Short: "What developers of econ-mcp need", SilenceErrors: true, SilenceUsage: true,
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.AddCommand(newServer(), newBareServer(), newMemory(), newQuestions(), newScatter(), newCluster(), newRecovery())
	return root.ExecuteContext(ctx)
}
