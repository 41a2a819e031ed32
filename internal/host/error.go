package host

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"econ-mcp/internal/fault"
)

// Layer is where a call failed.
type Layer string

const (
	LayerConfiguration Layer = "configuration" // the server is configured wrongly; nothing was sent
	LayerConnection    Layer = "connection"    // the server cannot be reached, or went away
	LayerHTTP          Layer = "http"          // it answered with a status that is an error
	LayerRPC           Layer = "jsonrpc"       // it answered with a JSON-RPC error
	LayerMalformed     Layer = "malformed"     // its answer is not what the protocol says
	LayerTool          Layer = "tool"          // the tool itself says that it failed
	LayerTimeout       Layer = "timeout"       // no answer in time
	LayerCancelled     Layer = "cancelled"     // the caller gave up
	LayerValidation    Layer = "validation"    // the arguments do not fit the tool's schema; nothing was sent
	LayerUnknown       Layer = "unknown"       // there is no such server or tool
	LayerRefused       Layer = "refused"       // the user, or what an agent may use, does not allow it; nothing was sent
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
	Sent    bool     `json:"sent"`              // the request may have reached the server
	// MayHaveRun: a call that may not simply be repeated failed, and it is not known whether the
	// tool did what it was called for.
	MayHaveRun bool  `json:"may_have_run,omitempty"`
	Err        error `json:"-"`

	retryAfter time.Duration // for which the server asks to be left alone
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
	if e.MayHaveRun {
		b.WriteString("; the call may have been carried out nevertheless: check before you repeat it")
	}
	return b.String()
}

// unsure says whether a call that was sent and failed so may have been carried out: what the
// server or the tool refused was not.
func (e *Error) unsure() bool {
	switch e.Layer {
	case LayerConnection, LayerMalformed, LayerTimeout, LayerCancelled:
		return true
	case LayerHTTP:
		return e.Status == http.StatusRequestTimeout || e.Status >= 500
	}
	return false
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// unreadable says why a part of what a server wrote cannot be read.
func unreadable(what string, err error) error { return fmt.Errorf("%s: %s", what, fault.JSON(err)) }

// LayerOf is the layer of the first [Error] in err's chain; "" for another error and nil.
func LayerOf(err error) Layer {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Layer
	}
	return ""
}
