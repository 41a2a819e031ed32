package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// revision is the protocol revision that callers speak: the newest with sessions.
const revision = "2025-11-25"

// caller is an agent: it sends a request, and the next one when it has the reply.
type caller struct {
	send     func(id int, message []byte) (reply []byte, err error)
	listen   func() (stop func(), err error) // opens the stream of the session; nil = there is none
	close    func()
	id       int // of the last request
	buffer   []byte
	answered time.Time // when the first answer was there
}

func closeAll(callers []*caller) {
	for _, c := range callers {
		c.close()
	}
}

// request sends a request whose parameters are JSON. The reply is good until the next
// one; an error in it is an error here.
func (c *caller) request(method, params string) ([]byte, error) {
	c.id++
	c.buffer = fmt.Appendf(c.buffer[:0], `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params)
	reply, err := c.send(c.id, c.buffer)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	if !bytes.Contains(reply, []byte(`"result":{`)) || bytes.Contains(reply, []byte(`"isError":true`)) {
		return nil, fmt.Errorf("%s %s: the server answered %.300s", method, params, reply)
	}
	return reply, nil
}

// initialize is how every session begins.
func (c *caller) initialize() error {
	_, err := c.request("initialize", `{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"econ-mcp-bench",`+
		`"version":"1"}}`)
	c.answered = time.Now()
	if err != nil {
		return err
	}
	_, err = c.send(0, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	return err
}

// idStep keeps the ids of the callers that share a pipe apart.
const idStep = 1 << 32

// pipe is the two ends of a server on stdin and stdout, which all callers share.
type pipe struct {
	out     io.Writer
	turn    chan struct{} // is taken while somebody writes
	replies []chan []byte // by caller
	failed  chan struct{} // is closed when nothing more can be read
	why     error         // of that
}

func newPipe(in io.Reader, out io.Writer, callers int) *pipe {
	p := &pipe{out: out, turn: make(chan struct{}, 1), failed: make(chan struct{})}
	for range callers {
		p.replies = append(p.replies, make(chan []byte, 1))
	}
	go p.read(in)
	return p
}

// read gives each reply to the caller that waits for it. What has no id is no reply.
func (p *pipe) read(in io.Reader) {
	defer close(p.failed)
	lines := bufio.NewReaderSize(in, 1<<18)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			p.why = err
			return
		}
		if id, ok := idOf(line); ok && id/idStep < len(p.replies) {
			p.replies[id/idStep] <- line
		}
	}
}

// idOf is the id of a reply. Servers write it at the beginning.
func idOf(line []byte) (int, bool) {
	_, rest, ok := bytes.Cut(line[:min(len(line), 64)], []byte(`"id":`))
	if !ok {
		return 0, false
	}
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	id, err := strconv.Atoi(string(rest[:n]))
	return id, err == nil
}

// caller is one of those that share the pipe.
func (p *pipe) caller(number int) *caller {
	return &caller{id: number * idStep, close: func() {}, send: func(id int, message []byte) ([]byte, error) {
		p.turn <- struct{}{}
		_, err := p.out.Write(append(message, '\n'))
		<-p.turn
		if err != nil || id == 0 {
			return nil, err
		}
		select {
		case reply := <-p.replies[number]:
			return reply, nil
		case <-p.failed:
			return nil, p.why
		}
	}}
}

// webCaller is a caller with a connection of its own, which it keeps.
type webCaller struct {
	address string
	conn    net.Conn
	in      *bufio.Reader
	session string
	reply   bytes.Buffer
}

// dialWeb connects a caller to a server over HTTP.
func dialWeb(address *url.URL) (*caller, error) {
	conn, err := net.Dial("tcp", address.Host)
	if err != nil {
		return nil, err
	}
	w := &webCaller{address: address.String(), conn: conn, in: bufio.NewReaderSize(conn, 32<<10)}
	return &caller{send: w.send, listen: w.listen, close: func() { conn.Close() }}, nil
}

// exchange sends a request over a connection and reads the head of the answer.
func (w *webCaller) exchange(conn net.Conn, in *bufio.Reader, method, accept string, body []byte) (*http.Response, error) {
	request, err := http.NewRequest(method, w.address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("Content-Type", "application/json")
	if w.session != "" {
		request.Header.Set("Mcp-Session-Id", w.session)
		request.Header.Set("Mcp-Protocol-Version", revision)
	}
	if err := request.Write(conn); err != nil {
		return nil, err
	}
	return http.ReadResponse(in, request)
}

func (w *webCaller) send(_ int, message []byte) ([]byte, error) {
	answer, err := w.exchange(w.conn, w.in, http.MethodPost, "application/json, text/event-stream", message)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	w.reply.Reset()
	if _, err := w.reply.ReadFrom(answer.Body); err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusAccepted {
		return nil, nil
	}
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
		return nil, fmt.Errorf("%s, %s: %.300s", answer.Status, answer.Header.Get("Content-Type"), w.reply.Bytes())
	}
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		w.session = id
	}
	return w.reply.Bytes(), nil
}

// listen opens the stream of what no request has caused, on a connection of its own.
func (w *webCaller) listen() (stop func(), err error) {
	conn, err := net.Dial("tcp", w.conn.RemoteAddr().String())
	if err != nil {
		return nil, err
	}
	answer, err := w.exchange(conn, bufio.NewReader(conn), http.MethodGet, "text/event-stream", nil)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New("the stream: " + answer.Status)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return func() { conn.Close() }, nil
}
