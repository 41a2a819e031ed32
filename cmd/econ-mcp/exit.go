package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
)

const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitStore       = 3   // the data folder cannot be used
	exitAsks        = 4   // a person has to choose
	exitBeyond      = 5   // the question is out of scope
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// newExitCodes is a page of help, not a command.
func newExitCodes() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes and the errors of all commands mean",
		Long: `The exit code of every command:

    0  all went well
    1  something failed: a simulation, the disk, another server, a rerun that gave other bits;
       econ-mcp doctor has findings, or econ-mcp chat came to a limit (limit_exceeded)
    2  wrong usage or input: an unknown flag, name or value, experiments that cannot be
       compared. Nothing was simulated, nothing was changed
    3  the data folder or its database cannot be opened
    4  somebody has to choose: econ-mcp ask understands the question in more than one way and
       asks back, or a model's inquiry was not confirmed; econ-mcp host select lists tools.
       Nothing was simulated
    5  econ-mcp ask: the question is out of scope. Nothing was simulated
  130  interrupted (Ctrl-C, SIGTERM, SIGHUP, SIGQUIT). What an experiment of the data folder
       has reached is saved: econ-mcp call resume_simulation experiment_name=NAME goes on with
       it. SIGQUIT first writes to stderr what every goroutine does. A second signal ends the
       program at once. A SIGHUP that was ignored at the start (nohup) stays ignored

Results go to stdout; progress, warnings and errors go to stderr. With --json (or --format
json) stdout is one JSON value, or empty after an error (but for codes 4 and 5, rerun and doctor, which
have both), and the last line of stderr is the error as JSON:

  {"error":{"code":"not_found","field":"…","message":"…","hint":"…","allowed":["…"]}}

code is unknown_parameter, out_of_range, wrong_type, not_found, required, forbidden, conflict,
limit_exceeded or invalid_state (exit code 2), unusable_folder (3), undecided (4), out_of_scope (5),
interrupted (130) or internal (1).
hint says the next move, allowed the nearest names, the choices or the range. Where
econ-mcp chat or host failed at a server or a call, "cause" stands beside "error", with
server, tool and layer: connection, http, jsonrpc, malformed, tool, timeout, cancelled,
validation, unknown or refused.`,
	}
}

// exitCodes are those of kinds of errors; every other kind means a wrong call.
var exitCodes = map[fault.Kind]int{
	codeInterrupted: exitInterrupted, codeFolder: exitStore, codeUndecided: exitAsks, codeOutOfScope: exitBeyond, fault.Internal: exitFailure,
}

// exitCode tells a wrong call from an interruption and from a failure.
func exitCode(err error) int {
	if e, ok := errors.AsType[*chat.Stopped](err); ok && e.Reason != chat.StopCancelled { // a limit was reached: the call was right
		return exitFailure
	}
	if code, ok := exitCodes[faultOf(err).Kind]; ok {
		return code
	}
	return exitUsage
}

// Codes of errors that only the command line has.
const (
	codeInterrupted fault.Kind = "interrupted"
	codeFolder      fault.Kind = "unusable_folder"
	codeUndecided   fault.Kind = "undecided"
	codeOutOfScope  fault.Kind = "out_of_scope"
)

// asksJSON says whether a call wants JSON. It looks at the arguments themselves, since parsing may
// have stopped at a wrong flag before --json.
func asksJSON(args []string) bool {
	for i, arg := range args {
		switch arg {
		case "--":
			return false
		case "--json", "--json=true", "--format=json":
			return true
		case "--format":
			if i+1 < len(args) && args[i+1] == "json" {
				return true
			}
		}
	}
	return false
}

// writeErrorJSON writes an error in the envelope of the tools, as one line. The cause says
// where a call of the host failed.
func writeErrorJSON(w io.Writer, err error) {
	var cause *host.Error
	if e, ok := errors.AsType[*hostError](err); ok {
		cause = e.cause
	}
	data, _ := json.Marshal(struct { // texts always encode
		Error *fault.Error `json:"error"`
		Cause *host.Error  `json:"cause,omitempty"`
	}{faultOf(err), cause})
	fmt.Fprintln(w, string(data))
}

// sentenceOf is an error for people, with the next move.
func sentenceOf(err error) string {
	if _, ok := errors.AsType[*chat.Stopped](err); ok {
		e := faultOf(err)
		return e.Message + "; " + e.Hint
	}
	return err.Error()
}

// faultOf is an error with a code, a field and a hint, as far as it has them.
func faultOf(err error) *fault.Error {
	if _, ok := errors.AsType[*run.Interrupted](err); ok {
		message, hint, _ := strings.Cut(err.Error(), "; ")
		return &fault.Error{Kind: codeInterrupted, Message: message, Hint: cmp.Or(hint, "nothing of it was kept: start it again")}
	}
	if e, ok := errors.AsType[*chat.Stopped](err); ok {
		if e.Reason == chat.StopCancelled {
			return &fault.Error{Kind: codeInterrupted, Message: e.Error(), Hint: "the transcript has what was done until then"}
		}
		flags := map[chat.Stop]string{chat.StopSteps: "steps", chat.StopTokens: "tokens", chat.StopContext: "context", chat.StopTime: "timeout"}
		hint := "allow more with --" + flags[e.Reason]
		if e.Reason == chat.StopTokens && e.Err != nil {
			hint = "ask for a shorter answer, or another model"
		}
		return &fault.Error{Kind: fault.LimitExceeded, Message: e.Error(), Hint: hint}
	}
	if e, ok := errors.AsType[*store.OpenError](err); ok {
		return &fault.Error{Kind: codeFolder, Field: "--data", Message: fmt.Sprintf("cannot open %s: %s", e.Path, e.Reason), Hint: e.Hint}
	}
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return fault.New(fault.Internal, "", "%s", err)
	}
	whole := *e
	if before, _, wrapped := strings.Cut(err.Error(), e.Error()); wrapped {
		whole.Message = before + e.Message // which arm, which file
	}
	return &whole
}
