package mcpserver

import (
	"net/http"
	"time"
)

const (
	headerTime  = 5 * time.Second  // to send the headers of a request, and with them the token
	bodyTime    = 30 * time.Second // to send its body, which nobody reads without the token
	idleTime    = 2 * time.Minute  // of a connection between requests
	writeTime   = 30 * time.Second // for a client to take a message
	refusedTime = 1 * time.Second  // to send what nobody wants to read of a body
)

// withDeadlines bounds how long a client can hold a connection by sending or reading
// nothing. The body of a request has to come in time, whoever reads it: the handler that
// wants the message, or afterwards net/http what nobody wanted. What is written has a
// deadline before each write, and after the last for what net/http still holds.
func withDeadlines(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w) // a connection that knows no deadlines needs none
		if r.ContentLength != 0 {
			_ = control.SetReadDeadline(time.Now().Add(bodyTime))
		}
		_ = control.SetWriteDeadline(time.Now().Add(writeTime))
		next.ServeHTTP(w, r)
		if r.ContentLength != 0 {
			_ = control.SetReadDeadline(time.Now().Add(refusedTime))
		}
		_ = control.SetWriteDeadline(time.Now().Add(writeTime))
	})
}

// refuse answers a request whose body nobody reads. The connection ends with it.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Connection", "close")
	http.Error(w, text, status)
}
