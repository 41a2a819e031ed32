// Package model speaks to language models: to every endpoint that understands OpenAI's chat
// completions (OpenAI itself, Ollama, vLLM, llama.cpp) and to Anthropic's messages.
//
//	p, err := model.New(model.Settings{Provider: "openai", Model: "gpt-5-mini", Key: os.Getenv(model.KeyVariable("openai"))})
//	reply, err := p.Reply(ctx, messages, tools, func(text string) { fmt.Print(text) })
//
// Answers are streamed: text is handed on as it comes. A model calls tools in the provider's
// function-calling form; one that cannot writes <tool_call> blocks into its text, in the form
// of [Instructions], which [ParseCalls] reads.
//
// An answer is either complete, with the reason for which the model stopped, or an [Error].
package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

// Roles of messages.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool" // the result of a call
)

// Message is one turn of a conversation.
type Message struct {
	Role    string     `json:"role"`
	Text    string     `json:"text,omitempty"`
	Calls   []ToolCall `json:"calls,omitempty"`   // of the assistant
	CallID  string     `json:"callId,omitempty"`  // of a tool message: the call that it answers
	IsError bool       `json:"isError,omitempty"` // of a tool message: the call failed
}

// ToolCall is a model's wish to call a tool.
type ToolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Source    string          `json:"source,omitempty"` // only in the text form: where the tool is
	Arguments json.RawMessage `json:"arguments"`        // a JSON object, unless there is a problem
	// Problem says why the call must not be made; "" = nothing is wrong. It is the answer
	// with which the model can mend its call. Arguments then holds what came, as a JSON string.
	Problem string `json:"problem,omitempty"`
}

// Function is a tool as a model sees it.
type Function struct {
	Name        string // as in [ToolCall]; where a provider does not allow its characters, it is sent under another
	Description string
	Parameters  json.RawMessage // JSON schema of an object; nil = no parameters
}

// Reasons for which a model stops.
const (
	StopEnd     = "end"     // it has said what it wanted
	StopCalls   = "calls"   // it waits for the results of its calls
	StopLength  = "length"  // it ran into the limit of tokens: the text is not whole
	StopRefusal = "refusal" // it does not want to answer, or a filter of the provider did not let it
)

// Reply is a model's answer.
type Reply struct {
	Message   Message
	Stop      string // one of the Stop constants; "" beside an error
	TokensIn  int    // as the provider counts; 0 = it did not say
	TokensOut int
}

// Providers are the names for [Settings], in the order in which they are offered.
var Providers = []string{"openai", "anthropic"}

var keyVariables = map[string]string{"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}

// KeyVariable is the environment variable that holds the key of a provider; "" = there is no
// such provider.
func KeyVariable(provider string) string { return keyVariables[provider] }

// Settings say which model to speak to.
type Settings struct {
	Provider  string        // "openai", which is every endpoint like it, or "anthropic"
	Model     string        // as the provider calls it
	BaseURL   string        // such as http://localhost:11434/v1; "" = the provider's own
	Key       string        // "" = none, which only another BaseURL can do without
	TextCalls bool          // the model has no function calling, only the text form
	Silence   time.Duration // how long a model may say nothing before it is given up; 0 = for ever
	HTTP      *http.Client  // nil = the default client; redirections are not followed
	Log       *slog.Logger  // nil = none; told of waiting and repeating, never of keys or texts
}

// Client is a connection to a model. It is safe for many goroutines.
type Client struct {
	settings Settings
	wire     wire
}

// wire is how a provider is spoken to: it asks once and adds what comes to a draft.
type wire interface {
	ask(ctx context.Context, r request, w *watch, d *draft) error
}

// request is what is asked: the names of tools are already those that may be sent.
type request struct {
	messages []Message
	tools    []Function
	forced   bool // the model has to call the tool, of which there is one
}

// New makes a client. Nothing is sent. Errors, of package fault, tell of settings that
// cannot work: an unknown provider, no model, a bad URL, a key that is missing.
func New(s Settings) (*Client, error) {
	variable := KeyVariable(s.Provider)
	switch {
	case variable == "":
		return nil, fault.Unknown(fault.NotFound, "provider", s.Provider, Providers)
	case s.Model == "":
		return nil, fault.New(fault.InvalidState, "model", "no model is named for provider %q", s.Provider).
			WithHint("name one with --model, as the provider calls it")
	case s.BaseURL == "" && s.Key == "":
		return nil, fault.New(fault.InvalidState, "key", "provider %q needs a key", s.Provider).
			WithHint("set " + variable + ", or --base-url for a server that needs none")
	}
	if s.BaseURL != "" {
		u, err := url.Parse(s.BaseURL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.User != nil {
			return nil, fault.New(fault.WrongType, "base_url", "the base URL of provider %q cannot be used", s.Provider).
				WithHint("write it like http://localhost:11434/v1, with neither password nor query")
		}
	}
	var client http.Client
	if s.HTTP != nil {
		client = *s.HTTP
	}
	// Following one would turn the POST into a GET, whose answer would be taken for the provider's.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s.HTTP = &client
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.Provider == "anthropic" {
		return &Client{s, claude{s}}, nil
	}
	return &Client{s, openAI{s}}, nil
}

// Name is the provider and the model, such as "openai:gpt-5-mini".
func (c *Client) Name() string { return c.settings.Provider + ":" + c.settings.Model }

// FunctionCalling says whether tools may be given to Reply. Without it, they are described in the
// prompt and called in the form of [Instructions].
func (c *Client) FunctionCalling() bool { return !c.settings.TextCalls }

// Reply asks the model for the next message. delta gets text as it comes; nil = nobody listens.
// Beside an error, which is an [Error], stands what had come until then, without calls. Answers
// 429 and 5xx are waited for and repeated three times, as long as ctx allows it.
func (c *Client) Reply(ctx context.Context, messages []Message, tools []Function, delta func(text string)) (Reply, error) {
	if c.settings.TextCalls {
		if len(tools) > 0 {
			return Reply{}, &Error{Provider: c.settings.Provider, Message: "the model has no function calling: tools belong in the prompt"}
		}
		messages = asText(messages)
	}
	return c.ask(ctx, request{messages: messages, tools: tools}, delta)
}

// answerTool is the tool that a model has to call to answer in a schema.
const answerTool = "answer"

// answerTries is how often an answer in a schema is asked for.
const answerTries = 3

// Complete asks for an answer in JSON that fits a schema: by a forced call of a tool, as not every
// endpoint keeps a response format, or in the text without function calling. An answer that does
// not fit is sent back with what is wrong, twice.
func (c *Client) Complete(ctx context.Context, system, user string, schema json.RawMessage) (json.RawMessage, error) {
	r := request{tools: []Function{{answerTool, "Gives the answer.", schema}}, forced: true}
	form := "Call the tool " + answerTool + "."
	if c.settings.TextCalls {
		r, form = request{}, "Answer with one JSON object, and nothing else, that fits this schema:\n"+string(schema)
		system = strings.TrimSpace(system + "\n\n" + form)
	}
	r.messages = []Message{{Role: RoleSystem, Text: system}, {Role: RoleUser, Text: user}}
	for try := 1; ; try++ {
		reply, err := c.ask(ctx, r, nil)
		if err != nil {
			return nil, err
		}
		answer := json.RawMessage(unfenced(reply.Message.Text))
		if calls := reply.Message.Calls; len(calls) > 0 {
			answer = calls[0].Arguments
		}
		switch reply.Stop {
		case StopRefusal:
			return nil, &Error{Provider: c.settings.Provider, Message: "the model refused to answer"}
		case StopLength:
			return nil, &Error{Provider: c.settings.Provider, Message: "the answer ran into the limit of tokens"}
		}
		wrong := errors.New("it is empty")
		if len(answer) > 0 {
			wrong = host.Validate(host.Tool{Input: schema}, answer)
		}
		if wrong == nil {
			return answer, nil
		}
		if try == answerTries {
			return nil, &Error{Provider: c.settings.Provider, Message: "the answer does not fit the schema that was asked for", Err: wrong}
		}
		r.messages = append(r.messages, reply.Message)
		for _, call := range reply.Message.Calls {
			r.messages = append(r.messages, Message{Role: RoleTool, CallID: call.ID, Text: wrong.Error(), IsError: true})
		}
		if len(reply.Message.Calls) == 0 {
			r.messages = append(r.messages, Message{Role: RoleUser, Text: "The answer does not fit: " + wrong.Error() + ". " + form})
		}
	}
}

func (c *Client) ask(ctx context.Context, r request, delta func(text string)) (Reply, error) {
	names := newNames(r.tools)
	r.tools, r.messages = names.functions, names.outward(r.messages)
	d := &draft{delta: delta}
	w := &watch{ctx: ctx, settings: c.settings}
	heard, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.settings.Silence > 0 {
		w.silence = time.AfterFunc(c.settings.Silence, func() { cancel(errSilent) })
		defer w.silence.Stop()
	}
	err := c.wire.ask(heard, r, w, d)
	// If the connection dies after the model has ended, nothing is lost.
	if d.stop == "" {
		if err == nil || errors.Is(err, io.EOF) {
			err = errCut
		}
		return d.partial(), w.failure(err, d, errors.Is(context.Cause(heard), errSilent))
	}
	return d.reply(names), nil
}

// unfenced takes a Markdown fence off an answer: servers without schemas leave it there.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "```"); ok {
		_, rest, _ = strings.Cut(rest, "\n")
		s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "```"))
	}
	return s
}
