package mcpserver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"econ-mcp/internal/mcpserver"
)

// unread starts a server on stdio whose client does not read. What it returns are the
// input, and how it ends.
func (f *fixture) unread(ctx context.Context, t *testing.T, change func(*mcpserver.Config)) (in io.WriteCloser, ended <-chan error) {
	server := f.mustServe(t, change)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
	})
	end := make(chan error, 1)
	go func() { end <- server.ServeStdio(ctx, inR, outW) }()
	for i := range 400 {
		fmt.Fprintf(inW, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n"+`{"jsonrpc":`+"\n", i)
	}
	return inW, end
}

func TestSignalWhereTheClientDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var steps []string
		ctx, signal := context.WithCancel(t.Context())
		_, ended := (&fixture{}).unread(ctx, t, func(c *mcpserver.Config) {
			c.Halt = func(context.Context) error { steps = append(steps, "halted"); return nil }
			c.Close = func() error { steps = append(steps, "closed"); return nil }
		})
		begin := time.Now()
		signal()
		if err := <-ended; err != nil || strings.Join(steps, " ") != "halted closed" {
			t.Errorf("%v, err %v", steps, err)
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestEndOfInputWhereTheClientDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := make(chan struct{})
		in, ended := (&fixture{}).unread(t.Context(), t, func(c *mcpserver.Config) {
			c.Close = func() error { close(closed); return nil }
		})
		in.Close()
		<-closed // all is safe; the client still has time
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "does not read") {
			t.Errorf("err %v", err)
		}
	})
}

// A client may read its answers long after it has ended its input.
func TestEndOfInputWhereTheClientReadsSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := (&fixture{}).mustServe(t, nil)
		outR, outW := io.Pipe()
		end := make(chan error, 1)
		go func() {
			end <- server.ServeStdio(t.Context(), strings.NewReader(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n", 10)), outW)
			outW.Close()
		}()
		out, lines := bufio.NewReader(outR), 0
		for {
			time.Sleep(20 * time.Second)
			if _, err := out.ReadBytes('\n'); err != nil {
				break
			}
			lines++
		}
		if err := <-end; err != nil || lines != 10 {
			t.Errorf("%d answers, err %v", lines, err)
		}
	})
}

// What runs is told to stop at once, and a call that waits for it is answered.
func TestDomainHaltsBesideCalls(t *testing.T) {
	f := &fixture{}
	server := f.mustServe(t, func(c *mcpserver.Config) {
		c.Halt = func(ctx context.Context) error {
			if left, ok := ctx.Deadline(); !ok || time.Until(left) > 5*time.Second {
				t.Errorf("Halt may take until %v", left)
			}
			close(f.gate("g"))
			return nil
		}
	})
	ctx, signal := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- server.Listen(ctx, mcpserver.HTTPConfig{Addr: "127.0.0.1:0"}, func(addr string) { ready <- addr })
	}()
	s := newSite(t, "http://"+<-ready)
	stream := newEvents(t, s.open("/mcp").do("POST", "/mcp", callOf("wait_at_gate", `{"gate":"g"}`, `"_meta":{"progressToken":1}`)).Body)
	stream.next()
	signal()
	m, _ := stream.next()
	if r := m.result(t); r.IsError {
		t.Errorf("the call got %+v", r)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestRequestsAtOnce(t *testing.T) {
	f := &fixture{}
	w := f.dial(t, nil)
	const most = 256
	listen := func(id string) {
		w.send(`{"jsonrpc":"2.0","id":%q,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},%s}}`, id,
			modernMeta)
	}
	for i := range most {
		listen(fmt.Sprint("l", i))
		if m := w.receive(); m.Method != "notifications/subscriptions/acknowledged" {
			t.Fatalf("got %+v", m)
		}
	}
	wait := func(id string) {
		w.send(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"wait_at_gate","arguments":{"gate":"g"},`+
			`"_meta":{"progressToken":%q}}}`, id, id)
	}
	for i := range most {
		wait(fmt.Sprint("w", i))
		if m := w.receive(); m.Method != "notifications/progress" {
			t.Fatalf("got %+v", m)
		}
	}
	refused := func(limit string) {
		t.Helper()
		if m := w.receive(); m.Error == nil || !strings.Contains(m.Error.Message, limit+" of 256") ||
			!strings.Contains(string(m.Error.Data), `"code":"limit_exceeded"`) {
			t.Errorf("one too many got %+v", m)
		}
	}
	wait("too many")
	refused("requests_in_flight")
	w.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if m := w.receive(); string(m.ID) != "1" || m.Error != nil {
		t.Errorf("ping: %+v", m)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w7"}}`)
	for f.stopped() == 0 {
		w.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		w.receive()
	}
	for { // the slot is free a moment after the call has stopped
		listen("too many")
		if m := w.receive(); m.Error != nil && strings.Contains(m.Error.Message, "listening_requests of 256") {
			break
		} else if m.Error == nil || !strings.Contains(m.Error.Message, "requests_in_flight") {
			t.Fatalf("got %+v", m)
		}
	}
	close(f.gate("g"))
	w.in.Close()
	answered := 0
	for {
		line, err := w.out.ReadBytes('\n')
		if err != nil {
			break
		}
		if strings.Contains(string(line), `"result"`) {
			answered++
		}
	}
	if err := <-w.end; err != nil || answered != 2*most-1 {
		t.Errorf("%d answers at the end, err %v", answered, err)
	}
}
