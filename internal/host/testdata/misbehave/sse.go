package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// events is the older HTTP: requests are posted, and everything else comes on one stream of
// events. Their lines end in CR LF, as those of servers in Python do.
type events struct {
	mu     sync.Mutex
	stream *stream // the newest
}

// stream is what one client reads. Other handlers write to it as long as its own has not ended: what they
// wrote later would reach whoever is given its buffer next.
type stream struct {
	cut   chan bool // ends it
	mu    sync.Mutex
	w     http.ResponseWriter
	ended bool
}

// write writes events to a stream that has not ended.
func (s *stream) write(events func(w http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		events(s.w)
		s.w.(http.Flusher).Flush()
	}
}

// end ends a stream, after what is being written to it: once its client is gone, writing fails.
func (s *stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

func (e *events) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		s := &stream{cut: make(chan bool), w: w}
		defer s.end()
		e.mu.Lock()
		e.stream = s
		e.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		s.write(func(w http.ResponseWriter) { fmt.Fprint(w, "event: endpoint\r\ndata: /messages\r\n\r\n") })
		select {
		case <-s.cut:
		case <-r.Context().Done():
		}
		return
	}
	var m message
	json.NewDecoder(r.Body).Decode(&m)
	w.WriteHeader(http.StatusAccepted)
	w.(http.Flusher).Flush()
	e.mu.Lock()
	s := e.stream
	e.mu.Unlock()
	called := m.Method == "tools/call"
	switch {
	case called && behaviour == "cut":
		close(s.cut)
		return
	case called && behaviour == "100 MB":
		s.write(func(w http.ResponseWriter) {
			io.WriteString(w, "data: ")
			io.CopyN(w, &endless{}, 100<<20)
		})
		return
	}
	tell := func(text string) {
		s.write(func(w http.ResponseWriter) {
			fmt.Fprintf(w, "event: message\r\ndata: %s\r\n\r\n", strings.ReplaceAll(text, "\n", " "))
		})
	}
	if a := answer(m, tell); a != "" {
		tell(a)
	}
}
