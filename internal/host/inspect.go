package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

// inspector watches a stream that all answers of a server share, and reports what is no message and
// answers to requests that were not made. The SDK ignores both, and the call that such a line was
// meant for would wait until its time-out.
type inspector struct {
	report  func(err error, answer bool) // answer: it was meant for a call
	excerpt func(text []byte) string
	last    atomic.Int64 // id of a request
}

// requested notes the id of a request. Ids only grow.
func (i *inspector) requested(id any) {
	if n, ok := id.(int64); ok {
		for last := i.last.Load(); n > last && !i.last.CompareAndSwap(last, n); last = i.last.Load() {
		}
	}
}

// inspect looks at a line, or at the data of an event, and says whether it is a message.
func (i *inspector) inspect(text []byte) bool {
	var m struct {
		ID     int64  `json:"id"`
		Method string `json:"method"`
	}
	if !isMessage(json.Unmarshal(text, &m)) {
		answer := bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))
		i.report(fmt.Errorf("the server wrote something that is not a message: %q", i.excerpt(text)), answer)
		return false
	}
	if m.Method == "" && m.ID > i.last.Load() {
		i.report(fmt.Errorf("the server answered the request %d, which was not made", m.ID), true)
	}
	return true
}

// isMessage says whether a text was an object, given the error of reading it: an id may be a
// string, which is no error here.
func isMessage(err error) bool {
	e, ok := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || ok && e.Field != ""
}

// inspectedEvents is a stream of events that is inspected.
type inspectedEvents struct {
	io.ReadCloser
	*inspector
	line, data []byte
	kind       string
}

// mostInspected is the size up to which an event is inspected, in bytes.
const mostInspected = 1 << 20

func (s *inspectedEvents) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		if rest = after; len(s.line) <= mostInspected {
			s.line = append(s.line, part...)
		}
		if ended {
			s.take(bytes.TrimSuffix(s.line, []byte("\r")))
			s.line = s.line[:0]
		}
	}
	return n, err
}

// take adds a line to the event. An empty line ends it.
func (s *inspectedEvents) take(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch {
	case len(line) == 0:
		if (s.kind == "" || s.kind == "message") && len(s.data) > 0 && len(s.data) <= mostInspected {
			s.inspect(s.data)
		}
		s.data, s.kind = s.data[:0], ""
	case string(name) == "event":
		s.kind = string(bytes.TrimSpace(value))
	case string(name) == "data" && len(s.data) <= mostInspected:
		s.data = append(s.data, value...)
	}
}
