package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/term"
)

// atTerminal says whether a person sits there who can be asked.
func atTerminal(cmd *cobra.Command) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	return ok && term.IsTerminal(in) && term.IsTerminal(cmd.ErrOrStderr())
}

// prompt asks a person for a line.
func prompt(ctx context.Context, in io.Reader, out io.Writer, what string) (string, error) {
	fmt.Fprintf(out, "\r%s ", term.Printable(what))
	answers := make(chan string, 1)
	go func() {
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			line = ""
		}
		answers <- strings.TrimSpace(line)
	}()
	select {
	case answer := <-answers:
		return answer, nil
	case <-ctx.Done():
		fmt.Fprintln(out) // what is said next does not belong to the question
		return "", context.Cause(ctx)
	}
}

// agreed asks a person for consent. Only y and yes mean yes.
func agreed(ctx context.Context, in io.Reader, out io.Writer, what string) (bool, error) {
	answer, err := prompt(ctx, in, out, what+" [y/N]")
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}
