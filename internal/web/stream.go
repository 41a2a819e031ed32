package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Times of streams of events.
const (
	eventTime      = 30 * time.Second        // for a reader to take an event
	heartbeatEvery = 15 * time.Second        // of a stream in which nothing happens, so that who stands between does not end it
	reconnectAfter = 1000 * time.Millisecond // a browser connects again after a break
)

// stream writes server-sent events.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	pending bytes.Buffer
}

// newStream begins an answer that goes on.
func newStream(w http.ResponseWriter) *stream {
	s := &stream{w: w, control: http.NewResponseController(w)}
	fmt.Fprintf(&s.pending, "retry: %d\n\n", reconnectAfter.Milliseconds())
	return s
}

// add prepares an event; an id of "" leaves the last one in force.
func (s *stream) add(name, id string, data any) error {
	text, err := json.Marshal(data) // in one line
	if err != nil {
		return err
	}
	if id != "" {
		fmt.Fprintf(&s.pending, "id: %s\n", id)
	}
	fmt.Fprintf(&s.pending, "event: %s\ndata: %s\n\n", name, text)
	return nil
}

// heartbeat prepares a comment, which readers ignore.
func (s *stream) heartbeat() { s.pending.WriteString(": still here\n\n") }

// send writes what was prepared. A connection that knows no deadlines needs none.
func (s *stream) send() error {
	if s.pending.Len() == 0 {
		return nil
	}
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream") // from the first event on: what goes wrong before it is the answer
	h.Set("X-Accel-Buffering", "no")           // a proxy passes on what it has
	_ = s.control.SetWriteDeadline(time.Now().Add(eventTime))
	_, err := s.w.Write(s.pending.Bytes())
	s.pending.Reset()
	if err != nil {
		return err
	}
	return s.control.Flush()
}

// column are numbers as a stream has them: seven digits, null where there is none.
type column []float64

// MarshalJSON implements [json.Marshaler].
func (c column) MarshalJSON() ([]byte, error) {
	text := make([]byte, 0, 12*len(c)+2)
	text = append(text, '[')
	for i, x := range c {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendFloat(text, x, 'g', 7, 64)
		}
	}
	return append(text, ']'), nil
}
