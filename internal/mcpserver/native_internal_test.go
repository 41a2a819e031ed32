package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/tools"
)

// Native is a tool that answers in the terms of the protocol: its result may hold images
// or sound, and it may ask the client for something on the way. The product has none; what
// the conformance suite calls are some.
type Native struct {
	Tool   mcp.Tool // arguments are not checked against its schema
	Handle func(context.Context, *Dialogue) (*mcp.CallToolResult, error)
}

// NativePrompt is a prompt of that kind.
type NativePrompt struct {
	Prompt mcp.Prompt
	Handle func(context.Context, *Dialogue) (*mcp.GetPromptResult, error)
}

// Dialogue is a call that is being answered: what the client has said, and what can be
// said to it before the result.
type Dialogue struct {
	*tools.Call

	Arguments    json.RawMessage
	Capabilities mcp.ClientCapabilities // what the client can be asked for
	State        string                 // that the handler gave to Ask a round ago; "" = the first round

	x       *exchange
	asker   *asker
	answers mcp.InputResponses // to what was asked a round ago
}

// Offer adds tools and prompts of that kind to a server that has prompts.
func (s *Server) Offer(tools []Native, prompts []NativePrompt) error {
	a := &asker{}
	rand.Read(a.secret[:])
	for _, n := range tools {
		if err := s.add(n.Tool, "", func(x *exchange) ([]byte, error) { return n.answer(x, a) }); err != nil {
			return err
		}
	}
	for _, p := range prompts {
		s.addPrompt(p.Prompt, func(x *exchange) *reply { return p.answer(x, a) })
	}
	return nil
}

// dialogue reads what the request says beside its arguments.
func (a *asker) dialogue(x *exchange) (*Dialogue, error) {
	d := &Dialogue{Call: x.call(), Arguments: x.m.Params.Arguments, x: x, asker: a}
	var err error
	if d.Capabilities, err = x.capabilities(); err != nil {
		return nil, protocolError{mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: "the capabilities of the client are malformed"}}
	}
	if x.modern {
		if d.State, err = a.unseal(x, x.m.Params.RequestState); err != nil {
			return nil, err
		}
		if raw := x.m.Params.InputResponses; len(raw) > 0 && json.Unmarshal(raw, &d.answers) != nil {
			return nil, protocolError{mcp.JSONRPCErrorDetails{
				Code: mcp.INVALID_PARAMS, Message: "inputResponses must be an object of answers",
			}}
		}
	}
	return d, nil
}

// Log tells a client that listens to messages of the level.
func (d *Dialogue) Log(level mcp.LoggingLevel, message string) { d.x.tell(level, message) }

// answer calls the tool. What it returns is the members of the result.
func (n Native) answer(x *exchange, a *asker) ([]byte, error) {
	d, err := a.dialogue(x)
	if err != nil {
		return nil, err
	}
	result, err := n.Handle(x.ctx, d)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// answer fills in the prompt.
func (p NativePrompt) answer(x *exchange, a *asker) *reply {
	d, err := a.dialogue(x)
	if err == nil {
		var result *mcp.GetPromptResult
		if result, err = p.Handle(x.ctx, d); err == nil {
			return x.finish(mustMarshal(result), false)
		}
	}
	if e, ok := errors.AsType[replier](err); ok {
		return e.reply(x)
	}
	return x.refuse(err, mcp.INVALID_PARAMS, "")
}

// protocolError is an error that is told as one of the protocol: the model could do
// nothing about it.
type protocolError struct{ details mcp.JSONRPCErrorDetails }

func (e protocolError) Error() string { return e.details.Message }

func (e protocolError) reply(x *exchange) *reply { return failureWith(x.m.ID, e.details) }
