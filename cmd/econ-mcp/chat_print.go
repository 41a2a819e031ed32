package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/term"
)

// chatPrinter shows a session as it happens: what is said and done on stdout, progress on a
// terminal at stderr. For JSON, it collects the calls.
type chatPrinter struct {
	out      io.Writer
	line     term.Line
	made     []chat.Called
	said     string // of a model, since its last call
	language string // of the answer
}

// shownWidth is how many characters are shown of arguments, results and lines of the answer.
const shownWidth = 100

func newChatPrinter(cmd *cobra.Command) *chatPrinter {
	p := &chatPrinter{out: cmd.OutOrStdout(), line: term.NewLine(cmd.ErrOrStderr()), made: []chat.Called{}}
	if wantsJSON(cmd) {
		p.out = io.Discard
	}
	return p
}

// event shows an event.
func (p *chatPrinter) event(e chat.Event) {
	if e.Kind == chat.KindProgress {
		p.line.Report(e.Done, e.Total, e.Call.FullName()+": "+e.Text)
		return
	}
	p.line.Clear()
	if (e.Kind == chat.KindResult || e.Kind == chat.KindError) && e.Call != nil {
		p.made = append(p.made, *e.Call)
	}
	switch e.Kind {
	case chat.KindQuestion:
		fmt.Fprintf(p.out, "%s\n", printableLines(e.Text))
	case chat.KindDelta:
		p.said += e.Text
		fmt.Fprint(p.out, printableLines(e.Text))
	case chat.KindMessage:
		if p.said == "" && e.Text != "" { // of a plan, or a replay: it was not streamed
			fmt.Fprintf(p.out, "\n%2d. %s\n", e.Step, printableLines(e.Text))
		}
		p.newLine()
	case chat.KindCall:
		fmt.Fprintf(p.out, "    → %s %s\n", term.Printable(e.Call.FullName()), term.Printable(shortened(string(e.Call.Arguments), shownWidth)))
	case chat.KindResult:
		text := strings.Join(strings.Fields(chat.TextOf(*e.Call.Result)), " ")
		fmt.Fprintf(p.out, "    ← %.1f s  %s\n", e.Call.Seconds, term.Printable(shortened(text, shownWidth)))
	case chat.KindError:
		if e.Call != nil {
			fmt.Fprintf(p.out, "    ✗ %s\n", term.Printable(hostErrorOf(e.Call)))
		}
	case chat.KindNote:
		fmt.Fprintf(p.out, "      %s\n", term.Printable(e.Text))
	case chat.KindAnswer:
		p.language = chat.LanguageOf(e.Text)
		if p.said != "" { // the answer itself was streamed
			p.newLine()
			return
		}
		fmt.Fprintf(p.out, "\n%s\n%s\n", term.Say(p.language, "Answer", "回答"), term.Wrap(printableLines(e.Text), shownWidth, "", ""))
	case chat.KindSaved:
		fmt.Fprintf(p.out, "\n%s %s\n", term.Say(p.language, "The report is saved as", "报告已保存为"), term.Printable(e.Text))
	}
}

// newLine ends what a model said.
func (p *chatPrinter) newLine() {
	if p.said != "" && !strings.HasSuffix(p.said, "\n") {
		fmt.Fprintln(p.out)
	}
	p.said = ""
}

// table shows a table of the tool show_table.
func (p *chatPrinter) table(text string) {
	p.line.Clear()
	fmt.Fprintf(p.out, "\n%s\n\n", printableLines(text))
}

// printableLines is [term.Printable] that keeps line breaks and tabs.
func printableLines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n")
	for i := range lines {
		lines[i] = term.Printable(strings.TrimSuffix(lines[i], "\r"))
	}
	return strings.Join(lines, "\n")
}
