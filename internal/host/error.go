package host

import (
	"errors"
	"fmt"
	"strings"
)

// Layer is where a call failed.
type Layer string

const (
	LayerConnection Layer = "connection" // the server cannot be reached, or went away
	LayerHTTP       Layer = "http"       // it answered with a status that is an error
	LayerRPC        Layer = "jsonrpc"    // it answered with a JSON-RPC error
	LayerMalformed  Layer = "malformed"  // its answer is not what the protocol says
	LayerTool       Layer = "tool"       // the tool itself says that it failed
	LayerTimeout    Layer = "timeout"    // no answer in time
	LayerCancelled  Layer = "cancelled"  // the caller gave up
	LayerValidation Layer = "validation" // the arguments do not fit the tool's schema; nothing was sent
	LayerUnknown    Layer = "unknown"    // there is no such server or tool
	LayerRefused    Layer = "refused"    // the user, or what an agent may use, does not allow it; nothing was sent
)

// Error says what went wrong with a server or a call.
type Error struct {
	Layer   Layer    `json:"layer"`
	Server  string   `json:"server,omitempty"`
	Tool    string   `json:"tool,omitempty"`
	Code    int      `json:"code,omitempty"`   // of JSON-RPC
	Status  int      `json:"status,omitempty"` // of HTTP
	Message string   `json:"message"`
	Nearest []string `json:"nearest,omitempty"` // names that are like the unknown one
	Sent    bool     `json:"sent"`              // the call may have been carried out
	Err     error    `json:"-"`
}

// Error gives the sentence, such as
//
//	auto-connect failed for server 'excel': connection refused
//	tool not found (-32601): server 'files', tool 'reed_file'
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if e.Code != 0 {
		fmt.Fprintf(&b, " (%d)", e.Code)
	}
	var where []string
	for _, part := range []struct{ what, name string }{{"server", e.Server}, {"tool", e.Tool}} {
		if quoted := "'" + part.name + "'"; part.name != "" && !strings.Contains(e.Message, quoted) {
			where = append(where, part.what+" "+quoted)
		}
	}
	if len(where) > 0 {
		b.WriteString(": " + strings.Join(where, ", "))
	}
	if len(e.Nearest) > 0 {
		b.WriteString("; did you mean " + strings.Join(e.Nearest, ", ") + "?")
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// LayerOf is the layer of the first [Error] in err's chain; "" for another error and nil.
func LayerOf(err error) Layer {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Layer
	}
	return ""
}
