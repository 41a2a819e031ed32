package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxMessage is the longest message in bytes that is read.
const maxMessage = 4 << 20

// message is a JSON-RPC message of a client.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  params          `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`

	raw json.RawMessage
}

// params are the parameters that this package looks at. Those that differ in type from
// method to method stay raw.
type params struct {
	Meta          meta            `json:"_meta"`
	Name          json.RawMessage `json:"name"`
	Arguments     json.RawMessage `json:"arguments"`
	URI           json.RawMessage `json:"uri"`
	Cursor        json.RawMessage `json:"cursor"`
	RequestID     json.RawMessage `json:"requestId"`
	Notifications json.RawMessage `json:"notifications"`

	Capabilities   json.RawMessage `json:"capabilities"`   // of a client that initializes
	InputResponses json.RawMessage `json:"inputResponses"` // of one that was asked
	RequestState   json.RawMessage `json:"requestState"`
}

// meta is what a request says of itself. The revision without sessions says here what
// initialize said before.
type meta struct {
	ProgressToken json.RawMessage  `json:"progressToken"`
	Version       string           `json:"io.modelcontextprotocol/protocolVersion"`
	Capabilities  json.RawMessage  `json:"io.modelcontextprotocol/clientCapabilities"`
	LogLevel      mcp.LoggingLevel `json:"io.modelcontextprotocol/logLevel"`
}

// parse reads a message. If it is none, the second result is the reply.
func parse(raw []byte) (*message, *reply) {
	m := &message{raw: raw}
	err := json.Unmarshal(raw, m)
	mistyped, _ := errors.AsType[*json.UnmarshalTypeError](err)
	invalid := func(id json.RawMessage, text string) (*message, *reply) {
		return nil, failure(id, mcp.INVALID_REQUEST, text)
	}
	switch {
	case err != nil && mistyped == nil:
		return nil, failure(nil, mcp.PARSE_ERROR, "not JSON: "+err.Error())
	case mistyped != nil && mistyped.Field == "":
		return invalid(nil, "a message is one JSON object")
	case m.Method == "" && (m.Result != nil || m.Error != nil) && m.JSONRPC == mcp.JSONRPC_VERSION:
		return m, nil // an answer
	case len(m.ID) > 0 && m.idOrNull() == nil:
		return invalid(nil, "id must be a string or a number")
	case mistyped != nil && mistyped.Field == "method":
		return invalid(m.idOrNull(), "method must be a string")
	case m.JSONRPC != mcp.JSONRPC_VERSION:
		return invalid(m.idOrNull(), `"jsonrpc" must be "2.0"`)
	case m.Method == "":
		return invalid(m.idOrNull(), "the method is missing")
	}
	problem := ""
	if wrong, right, level := misspelt(raw, 0); wrong != "" {
		problem = fmt.Sprintf("%q is written %q", printable(wrong), right)
		switch {
		case right == "id":
			return invalid(nil, problem)
		case level == 0:
			return invalid(m.idOrNull(), problem)
		}
	}
	if mistyped != nil {
		problem = fmt.Sprintf("%s is of the wrong type (%s)", mistyped.Field, mistyped.Value)
	}
	switch {
	case problem == "":
	case len(m.ID) == 0: // notifications are never answered; this one says nothing
		m.Params = params{}
	default:
		return nil, failure(m.ID, mcp.INVALID_PARAMS, problem)
	}
	return m, nil
}

// idOrNull is the id if it is a string or a number, else nil.
func (m *message) idOrNull() json.RawMessage {
	if len(m.ID) == 0 || !bytes.ContainsAny(m.ID[:1], `"-0123456789`) {
		return nil
	}
	return m.ID
}

// isRequest says whether the message wants an answer.
func (m *message) isRequest() bool { return m.Method != "" && m.idOrNull() != nil }

// isResponse says whether the message answers a request of ours.
func (m *message) isResponse() bool { return m.Method == "" }

// instant says whether a request is answered without any work.
func (m *message) instant() bool {
	return m.Method == string(mcp.MethodPing) || m.Method == string(mcp.MethodInitialize)
}

// modern says whether the message itself declares a revision without sessions.
func (m *message) modern() bool { return mcp.IsModernProtocol(m.Params.Meta.Version) }

// text reads a parameter that must be a string; an absent one is empty.
func text(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) > 0 && json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// reply is the last message of an exchange.
type reply struct {
	body []byte
	code int // of a JSON-RPC error, else 0
}

// failure is a JSON-RPC error. The id is null where it is not known.
func failure(id json.RawMessage, code int, text string) *reply {
	return failureWith(id, mcp.JSONRPCErrorDetails{Code: code, Message: text})
}

func failureWith(id json.RawMessage, details mcp.JSONRPCErrorDetails) *reply {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &reply{body: mustMarshal(struct {
		JSONRPC string                  `json:"jsonrpc"`
		ID      json.RawMessage         `json:"id"`
		Error   mcp.JSONRPCErrorDetails `json:"error"`
	}{mcp.JSONRPC_VERSION, id, details}), code: details.Code}
}

// success is a reply whose result is JSON already.
func success(id, result json.RawMessage) *reply {
	b := make([]byte, 0, len(id)+len(result)+40)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"result":`...)
	b = append(b, result...)
	return &reply{body: append(b, '}')}
}

// notification is a message that wants no answer.
func notification(method string, params any) []byte {
	return mustMarshal(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{mcp.JSONRPC_VERSION, method, params})
}

// mustMarshal encodes what always encodes: plain structs of this package.
func mustMarshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
