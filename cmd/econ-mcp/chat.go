package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
)

// chatOptions are the flags of econ-mcp chat.
type chatOptions struct {
	hostOptions
	model                        modelOptions
	limits                       chat.Limits
	agent, language, folder      string
	transcript, replay, saveWith string
	budget                       int
	yes                          bool
}

// textBudget is what the description of tools in a prompt may take by itself, in tokens.
const textBudget = 4000

// chatLanguages are those of prompts; auto is that of the question.
var chatLanguages = []string{"en", "zh", "auto"}

func newChat() *cobra.Command {
	o := &chatOptions{}
	cmd := &cobra.Command{
		Use:   "chat QUESTION",
		Short: "Have a question answered with the tools of MCP servers",
		Long: `Answers a question with the tools of this program and of the servers of --config, and
shows each step as it happens. A model chooses the calls (--provider, --model). Without
one, neither key nor network is needed: a server that offers get_experiment_workflow, as
this program does, says which of its tools answer the question, and they are called.

The transcript has every call and result, one JSON object a line, as it happens; it is
kept when the session is interrupted, and --replay makes its calls again without a model.
Tools that may change or delete what is there are asked for first; where nobody can be
asked they are refused, unless --yes. See docs/HOST.md.`,
		Example: `  econ-mcp chat "How will AI agents reshape the labor market?"
  econ-mcp chat "Who pays for a VAT rise?" --save-with files:write_file:report.md
  econ-mcp chat --provider openai --model MODEL "Compare my two last experiments"
  econ-mcp chat --replay transcript.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd, strings.TrimSpace(strings.Join(args, " ")))
		},
	}
	f := cmd.Flags()
	o.hostOptions.define(cmd)
	o.model.define(f, 5*time.Minute)
	f.BoolVar(&o.model.textCalls, "text-calls", false,
		"the model has no function calling: tools are described in the prompt, and called in its text")
	f.IntVar(&o.budget, "budget", 0,
		fmt.Sprintf("tokens for the description of tools, 0 = no limit (default %d with --text-calls)", textBudget))
	f.BoolVar(&o.yes, "yes", false, "allow tools that may change or delete what is there")
	f.IntVar(&o.limits.Steps, "steps", 50, "answers of the model, or steps of a plan, at most; 0 = no limit")
	f.IntVar(&o.limits.Tokens, "tokens", 0, "tokens that the model may read and write together, 0 = no limit")
	f.IntVar(&o.limits.Context, "context", 100_000, "tokens that the model is given at once: older results are left out for it; 0 = no limit")
	f.DurationVar(&o.limits.Time, "timeout", time.Hour, "how long it may take, 0 = no limit")
	f.StringVar(&o.transcript, "transcript", "",
		"`file` of the transcript, which must not be there (default: a new one in transcripts in the data folder)")
	f.StringVar(&o.replay, "replay", "", "make the calls of this `file` again instead of asking a question")
	f.StringVar(&o.saveWith, "save-with", "", "hand the report to a tool: `SERVER:TOOL:PATH`, such as files:write_file:report.md")
	f.StringVar(&o.language, "language", "auto", "language of prompts: en, zh, or auto, that of the question")
	f.StringVar(&o.agent, "agent", "", "agent of the configuration, which says what may be used (default: the first)")
	f.StringVar(&o.folder, "folder", "", "`folder` in which the tool read_file may read")
	return cmd
}

// chatDocument is the JSON form of econ-mcp chat.
type chatDocument struct {
	chat.Outcome
	Transcript string        `json:"transcript"`
	Made       []chat.Called `json:"made"` // calls with their outcomes, in their order
}

// check refuses wrong values of flags, before anything is opened.
func (o *chatOptions) check(question string) error {
	for _, limit := range []struct {
		flag string
		n    int
	}{{"--steps", o.limits.Steps}, {"--tokens", o.limits.Tokens}, {"--context", o.limits.Context}, {"--budget", o.budget}} {
		if limit.n < 0 {
			return fault.Range(limit.flag, fmt.Sprint(limit.n), "0 or more")
		}
	}
	if o.limits.Time < 0 {
		return fault.Range("--timeout", o.limits.Time.String(), "0s or more")
	}
	if !slices.Contains(chatLanguages, o.language) {
		return fault.Range("--language", fmt.Sprintf("%q", o.language), chatLanguages...)
	}
	switch {
	case o.replay != "" && (question != "" || o.model.provider != noModel || o.saveWith != ""):
		e := fault.New(fault.Conflict, "--replay",
			"--replay makes the calls of a transcript: it takes no question, no provider and no --save-with")
		e.Hint = "leave them out, or --replay"
		return e
	case o.replay == "" && question == "":
		return fault.New(fault.Required, "QUESTION", "the question is missing").
			WithHint(`for example econ-mcp chat "What happens if VAT rises from 8% to 15%?"`)
	}
	return nil
}

func (o *chatOptions) run(cmd *cobra.Command, question string) error {
	if err := o.check(question); err != nil {
		return err
	}
	if o.model.textCalls && !cmd.Flags().Changed("budget") {
		o.budget = textBudget
	}
	s := &chat.Session{Limits: o.limits, Budget: o.budget, Yes: o.yes, Language: strings.TrimPrefix(o.language, "auto")}
	var err error
	if o.saveWith != "" {
		if s.SaveWith, err = chat.ParseDestination(o.saveWith); err != nil {
			return err
		}
	}
	events, err := o.replayed()
	if err != nil {
		return err
	}
	if err := checkReadFolder(o.folder); err != nil {
		return err
	}
	show := newChatPrinter(cmd)
	native := chat.NativeSettings{Folder: o.folder, Show: show.table}
	if wantsJSON(cmd) { // there is no screen to show a table on
		native.Show = nil
	}
	return o.with(cmd, &native, func(ctx context.Context, d *hostSession) error {
		client, err := o.model.client(d.log)
		if err != nil {
			return err
		}
		s.Provider = client
		if err := o.equip(cmd, d, s); err != nil {
			return err
		}
		if err := o.begin(d, s); err != nil {
			return err
		}
		s.Listen = show.event
		var outcome chat.Outcome
		if events != nil {
			outcome, err = s.Replay(ctx, events)
		} else {
			outcome, err = s.Answer(ctx, question)
		}
		show.line.Clear()
		err = cmp.Or(err, s.Transcript.Close())
		if !wantsJSON(cmd) || err != nil { // else it stands in the JSON
			fmt.Fprintln(cmd.ErrOrStderr(), "transcript:", s.Transcript.Path())
		}
		if _, stopped := errors.AsType[*chat.Stopped](err); stopped && client == nil && events == nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "The same question again goes on with what was begun.")
		}
		if err != nil {
			return err
		}
		return printed(cmd, chatDocument{outcome, s.Transcript.Path(), show.made}, func(io.Writer) {}) // it was shown
	})
}

// replayed reads the transcript of --replay; without one there are no events.
func (o *chatOptions) replayed() ([]chat.Event, error) {
	if o.replay == "" {
		return nil, nil
	}
	events, err := chat.ReadTranscript(o.replay)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "--replay", "the transcript cannot be read: %v", err)
	}
	if err != nil {
		return nil, fault.New(fault.WrongType, "--replay", "the transcript cannot be read: %v", err)
	}
	return events, nil
}

// checkReadFolder refuses a --folder that is not a folder; "" = not given.
func checkReadFolder(folder string) error {
	if info, err := os.Stat(folder); folder != "" && (err != nil || !info.IsDir()) {
		return fault.New(fault.NotFound, "--folder", "%s is no folder", folder)
	}
	return nil
}

// equip gives a session its tools and whom to ask.
func (o *chatOptions) equip(cmd *cobra.Command, d *hostSession, s *chat.Session) error {
	found, err := d.discover(cmd.Context(), false, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if s.Agent, err = d.agent(o.agent, found); err != nil {
		return err
	}
	s.Router, s.Examples = d.router, d.cache.Example
	if d.ownServer {
		s.Own = []string{builtIn}
	}
	if atTerminal(cmd) {
		s.Ask = func(ctx context.Context, what string) (bool, error) {
			return agreed(ctx, cmd.InOrStdin(), cmd.ErrOrStderr(), what)
		}
	}
	return nil
}

// begin begins the transcript: the file that was named, or a new one in the data folder.
func (o *chatOptions) begin(d *hostSession, s *chat.Session) error {
	path := cmp.Or(o.transcript, filepath.Join(d.folder, "transcripts", time.Now().Format("20060102-150405.000")+".jsonl"))
	var err error
	if s.Transcript, err = chat.NewTranscript(path); err != nil {
		return fault.New(fault.Conflict, "--transcript", "the transcript cannot be written: %v", err).
			WithHint("name a file that is not there, in a folder that can be written to")
	}
	return nil
}

// hostErrorOf is the text of a failed call.
func hostErrorOf(c *chat.Called) string {
	if c.Error == nil {
		return ""
	}
	if c.Error.Layer == host.LayerTool && c.Result != nil {
		return shortened(strings.Join(strings.Fields(chat.Complaint(*c.Result)), " "), 300)
	}
	return c.Error.Error()
}
