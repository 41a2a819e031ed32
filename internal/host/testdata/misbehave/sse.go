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
	stream http.ResponseWriter
	cut    chan bool // ends the stream
}

func (e *events) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		e.mu.Lock()
		e.stream, e.cut = w, make(chan bool)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: endpoint\r\ndata: /messages\r\n\r\n")
		w.(http.Flusher).Flush()
		e.mu.Unlock()
		select {
		case <-e.cut:
		case <-r.Context().Done():
		}
		return
	}
	var m message
	json.NewDecoder(r.Body).Decode(&m)
	w.WriteHeader(http.StatusAccepted)
	w.(http.Flusher).Flush()
	called := m.Method == "tools/call"
	switch {
	case called && behaviour == "cut":
		close(e.cut)
		return
	case called && behaviour == "100 MB":
		e.mu.Lock()
		stream := e.stream // a client that comes again does not wait for the end of this one
		e.mu.Unlock()
		io.WriteString(stream, "data: ")
		io.CopyN(stream, &endless{}, 100<<20)
		return
	}
	tell := func(s string) {
		e.mu.Lock()
		defer e.mu.Unlock()
		fmt.Fprintf(e.stream, "event: message\r\ndata: %s\r\n\r\n", strings.ReplaceAll(s, "\n", " "))
		e.stream.(http.Flusher).Flush()
	}
	if a := answer(m, tell); a != "" {
		tell(a)
	}
}
