package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"econ-mcp/internal/host"
)

// Kind is what an [Event] tells.
type Kind string

const (
	KindQuestion Kind = "question" // the user asks; Text
	KindDelta    Kind = "delta"    // the next words of a model; Text. Not in transcripts
	KindMessage  Kind = "message"  // what a model, or a step of a plan, says beside its calls; Text
	KindCall     Kind = "call"     // a tool is called; Call
	KindProgress Kind = "progress" // of a call; Call, Done, Total, Text. Not in transcripts
	KindResult   Kind = "result"   // of a call; Call
	KindError    Kind = "error"    // a call failed, Call; or the session cannot go on, Text
	KindNote     Kind = "note"     // what comes of a call that failed, where that is no harm; Text
	KindAnswer   Kind = "answer"   // to the question; Text
	KindSaved    Kind = "saved"    // the report was handed to another server; Text is its path
	KindEnd      Kind = "end"      // Text is why: [Stop]
)

// Event is a step of a session as it happens, and a line of its transcript.
type Event struct {
	Time      time.Time `json:"time"`
	Kind      Kind      `json:"kind"`
	Step      int       `json:"step,omitempty"` // answers of a model, or steps of a plan, from 1
	Text      string    `json:"text,omitempty"`
	Provider  string    `json:"provider,omitempty"` // of a question
	Call      *Called   `json:"call,omitempty"`
	Done      float64   `json:"done,omitempty"`
	Total     float64   `json:"total,omitempty"`
	TokensIn  int       `json:"tokens_in,omitempty"` // of a message and an end, as the provider counts
	TokensOut int       `json:"tokens_out,omitempty"`
}

// Called is a call of a tool, with its outcome as soon as there is one.
type Called struct {
	ID        string          `json:"id"`
	Server    string          `json:"server,omitempty"` // "" = none was found
	Tool      string          `json:"tool"`
	Source    string          `json:"source,omitempty"` // as the model gave it
	Arguments json.RawMessage `json:"arguments"`
	// Until is the condition until which the call is repeated, such as "running = false".
	Until   string       `json:"until,omitempty"`
	Seconds float64      `json:"seconds,omitempty"`
	Result  *host.Result `json:"result,omitempty"`
	Error   *host.Error  `json:"error,omitempty"`
}

// FullName is the tool with its server, as far as that is known.
func (c Called) FullName() string {
	if c.Server == "" {
		return c.Tool
	}
	return c.Server + "." + c.Tool
}

// sourceAgain is the source for making the call again: the model's, where it led to no tool.
func (c Called) sourceAgain() string {
	if c.Server != "" {
		return ""
	}
	return c.Source
}

// Stop is why a session ended.
type Stop string

const (
	StopAnswered  Stop = "answered"
	StopSteps     Stop = "steps"     // the limit of steps
	StopTokens    Stop = "tokens"    // the limit of tokens: ours, or the provider's for one answer
	StopContext   Stop = "context"   // the limit of the conversation, after all that could be left out of it
	StopTime      Stop = "time"      // the limit of time
	StopCancelled Stop = "cancelled" // by the user
	StopFailed    Stop = "failed"
)

// Stopped is a session that ended at a limit, or because the user ended it, before there was
// an answer. What had happened until then is in the transcript.
type Stopped struct {
	Reason Stop
	Err    error // the cause; nil = our limit of steps or tokens
}

// stoppedBy says which limit it was; else the user ended the session.
var stoppedBy = map[Stop]string{
	StopSteps:   "stopped at the limit of steps, without an answer",
	StopTokens:  "stopped at the limit of tokens, without an answer",
	StopContext: "stopped as the conversation has no room left, without an answer",
	StopTime:    "stopped at the limit of time, without an answer",
}

// Error says which limit it was.
func (s *Stopped) Error() string {
	if s.Reason == StopTokens && s.Err != nil { // the limit is not ours
		return "stopped without a whole answer: " + s.Err.Error()
	}
	return cmp.Or(stoppedBy[s.Reason], "cancelled before there was an answer")
}

// Unwrap gives the cause.
func (s *Stopped) Unwrap() error { return s.Err }

// asHostError is a failed call's error as events have it.
func asHostError(err error) *host.Error {
	if e, ok := errors.AsType[*host.Error](err); ok {
		return e
	}
	return &host.Error{Message: err.Error(), Err: err}
}
