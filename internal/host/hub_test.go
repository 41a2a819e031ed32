package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/host"
)

// misbehave is the server of testdata/misbehave, built once.
var misbehave = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "misbehave")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "misbehave")
	out, err := exec.Command("go", "build", "-o", path, "./testdata/misbehave").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func mustMisbehave(tb testing.TB) string {
	tb.Helper()
	path, err := misbehave()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// TestMain removes what tests have built.
func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := misbehave(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// mustHub is a hub with one server that behaves in a way.
func mustHub(tb testing.TB, transport host.Transport, behaviour string, change func(*host.Server)) *host.Hub {
	tb.Helper()
	return mustLoggedHub(tb, transport, behaviour, io.Discard, change)
}

// mustLoggedHub is one that logs all it does.
func mustLoggedHub(tb testing.TB, transport host.Transport, behaviour string, log io.Writer, change func(*host.Server)) *host.Hub {
	tb.Helper()
	path := mustMisbehave(tb)
	s := host.Server{
		ID: "sheets", Transport: transport, Active: true, Timeout: 20 * time.Second, Retries: 2, Command: path, Args: []string{behaviour},
	}
	if transport != host.Stdio {
		file := filepath.Join(tb.TempDir(), "address")
		cmd := exec.Command(path, "-"+string(transport), file, behaviour)
		if err := cmd.Start(); err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		s.URL, s.Command, s.Args = mustAppear(tb, file), "", nil
	}
	if change != nil {
		change(&s)
	}
	h := host.NewHub([]host.Server{s}, host.Settings{Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	tb.Cleanup(func() { h.Close() })
	return h
}

// mustAppear waits for a file and reads it.
func mustAppear(tb testing.TB, path string) string {
	tb.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if data, err := os.ReadFile(path); err == nil {
			return string(data)
		}
	}
	tb.Fatalf("%s did not appear", path)
	return ""
}

func call(h *host.Hub, tool, arguments string) (host.Result, error) {
	return h.Call(context.Background(), host.Call{Server: "sheets", Tool: tool, Arguments: json.RawMessage(arguments)})
}

var transports = []host.Transport{host.Stdio, host.HTTP, host.SSE}

func TestServersThatBehave(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		h := mustHub(t, transport, "well", nil)
		listing, err := h.List(t.Context(), "sheets")
		if err != nil || len(listing.Tools) != 5 || listing.TTL == nil || *listing.TTL != time.Minute || listing.Protocol != "2025-11-25" {
			t.Fatalf("%s: listing %+v, %v", transport, listing, err)
		}
		if look := listing.Tools[2]; look.Name != "look" || !look.Hints.Repeatable() || look.Hints.MayDestroy() ||
			!listing.Tools[1].Hints.MayDestroy() {
			t.Errorf("%s: hints of %+v", transport, look)
		}
		r, err := call(h, "echo", `{"text":"ü","n":12345678901234567890}`)
		if err != nil || r.Text() != `{"text":"ü","n":12345678901234567890}` {
			t.Errorf("%s: echo answers %q, %v", transport, r.Text(), err)
		}
		if s := h.Servers()[0]; !s.Connected || s.Name != "misbehave" || s.Error != nil {
			t.Errorf("%s: status %+v", transport, s)
		}
	}
}

func TestProgressBeginsTheTimeoutAnew(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		h := mustHub(t, transport, "well", nil)
		var seen []string
		r, err := h.Call(t.Context(), host.Call{Server: "sheets", Tool: "wait", Timeout: 250 * time.Millisecond,
			Progress: func(done, total float64, message string) {
				seen = append(seen, fmt.Sprintf("%g/%g %s", done, total, message))
			}})
		if err != nil || r.Text() != "waited" || strings.Join(seen, ", ") != "1/4 part 1, 2/4 part 2, 3/4 part 3, 4/4 part 4" {
			t.Errorf("%s: %q, %v, progress %v", transport, r.Text(), err, seen)
		}
	}
}

// TestLayers is one case for each thing that a server may do wrong.
func TestLayers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		transport        host.Transport
		behaviour, tool  string
		layer            host.Layer
		code, status     int
		message          string
		sent, connecting bool
	}{
		{
			host.Stdio, "hang", "echo", host.LayerTimeout, 0, 0, "auto-connect failed for server 'sheets': no answer within the time-out", false,
			true,
		},
		{host.Stdio, "hang in call", "echo", host.LayerTimeout, 0, 0, "no answer within the time-out", true, false},
		{host.Stdio, "die", "echo", host.LayerConnection, 0, 0, "the process ended with exit status 3: out of luck", true, false},
		{host.Stdio, "broken JSON", "echo", host.LayerMalformed, 0, 0, "the server wrote something that is not a message", true, false},
		{host.Stdio, "another id", "echo", host.LayerMalformed, 0, 0, "the server answered the request 4711, which was not made", true, false},
		{host.Stdio, "100 MB", "echo", host.LayerMalformed, 0, 0, "the answer is longer than 32 MiB", true, false},
		{host.Stdio, "close output", "echo", host.LayerConnection, 0, 0, "the server has closed its input or output", true, false},
		{host.Stdio, "no result", "echo", host.LayerMalformed, 0, 0, "the result of the tool has no content", true, false},
		{host.Stdio, "well", "reed", host.LayerRPC, -32601, 0, "tool not found (-32601)", true, false},
		{host.Stdio, "well", "fail", host.LayerTool, 0, 0, "no such sheet", true, false},
		{
			host.HTTP, "hang", "echo", host.LayerTimeout, 0, 0, "auto-connect failed for server 'sheets': no answer within the time-out", false,
			true,
		},
		{host.HTTP, "hang in call", "echo", host.LayerTimeout, 0, 0, "no answer within the time-out", true, false},
		{host.HTTP, "die", "echo", host.LayerConnection, 0, 0, "the connection was closed before an answer came", true, false},
		{host.HTTP, "500", "count", host.LayerHTTP, 0, 500, "HTTP status 500 Internal Server Error: Oops It is broken", true, false},
		{
			host.HTTP, "unauthorised", "echo", host.LayerHTTP, 0, 401, "auto-connect failed for server 'sheets': HTTP status 401 Unauthorized",
			false, true,
		},
		{
			host.HTTP, "redirect", "echo", host.LayerHTTP, 0, 307,
			"auto-connect failed for server 'sheets': it redirects to another server (localhost:", false, true,
		},
		{host.HTTP, "login", "echo", host.LayerHTTP, 0, 302, "HTTP status 302 Found: it redirects to http://127.0.0.1:", true, false},
		{host.HTTP, "ends the stream", "echo", host.LayerConnection, 0, 0, "the stream of events ended before the answer came", true, false},
		{
			host.HTTP, "ends the stream, with an id", "echo", host.LayerConnection, 0, 0, "the stream of events ended before the answer came", true,
			false,
		},
		{host.HTTP, "breaks the stream", "echo", host.LayerConnection, 0, 0, "the answer was cut off", true, false},
		{host.HTTP, "empty answer", "echo", host.LayerConnection, 0, 0, "the connection was closed before an answer came", true, false},
		{host.HTTP, "asks for an hour", "echo", host.LayerRPC, -32000, 503, "slow down; it asks to wait 1h0m0s (-32000)", true, false},
		{host.HTTP, "no such call", "echo", host.LayerHTTP, 0, 404, "HTTP status 404 Not Found", true, false},
		{host.HTTP, "page", "echo", host.LayerMalformed, 0, 0, "the answer (text/html) is not a message of the protocol", true, false},
		{
			host.HTTP, "broken JSON", "echo", host.LayerMalformed, 0, 0, "the answer (application/json) is not a message of the protocol", true,
			false,
		},
		{host.HTTP, "cut", "echo", host.LayerConnection, 0, 0, "the answer was cut off", true, false},
		{host.HTTP, "another id", "echo", host.LayerMalformed, 0, 0, "the answer has the id 4711", true, false},
		{host.HTTP, "100 MB", "echo", host.LayerMalformed, 0, 0, "the answer is longer than 32 MiB", true, false},
		{host.HTTP, "well", "reed", host.LayerRPC, -32601, 0, "tool not found (-32601)", true, false},
		{host.HTTP, "well", "fail", host.LayerTool, 0, 0, "no such sheet", true, false},
		{
			host.SSE, "hang", "echo", host.LayerTimeout, 0, 0, "auto-connect failed for server 'sheets': no answer within the time-out", false, true,
		},
		{host.SSE, "hang in call", "echo", host.LayerTimeout, 0, 0, "no answer within the time-out", true, false},
		{host.SSE, "die", "echo", host.LayerConnection, 0, 0, "the answer was cut off", true, false},
		{host.SSE, "cut", "echo", host.LayerConnection, 0, 0, "the connection was closed before an answer came", true, false},
		{host.SSE, "broken JSON", "echo", host.LayerMalformed, 0, 0, "the server wrote something that is not a message", true, false},
		{host.SSE, "another id", "echo", host.LayerMalformed, 0, 0, "the server answered the request 4711, which was not made", true, false},
		{host.SSE, "100 MB", "echo", host.LayerMalformed, 0, 0, "the answer is longer than 32 MiB", true, false},
		{host.SSE, "well", "reed", host.LayerRPC, -32601, 0, "tool not found (-32601)", true, false},
		{host.SSE, "well", "fail", host.LayerTool, 0, 0, "no such sheet", true, false},
	} {
		t.Run(string(c.transport)+" "+c.behaviour+" "+c.tool, func(t *testing.T) {
			t.Parallel()
			h := mustHub(t, c.transport, c.behaviour, func(s *host.Server) {
				if c.layer == host.LayerTimeout {
					s.Timeout = time.Second
				}
			})
			if !c.connecting {
				if err := h.Connect(t.Context(), "sheets"); err != nil {
					t.Fatal(err)
				}
			}
			_, err := call(h, c.tool, `{"text":"x"}`)
			e, ok := err.(*host.Error)
			if !ok {
				t.Fatalf("error %v", err)
			}
			const unsure = "; the call may have been carried out nevertheless: check before you repeat it"
			known := c.connecting || c.layer == host.LayerRPC || c.layer == host.LayerTool || c.layer == host.LayerHTTP && c.status < 500
			if e.MayHaveRun == known || strings.HasSuffix(e.Error(), unsure) == known {
				t.Errorf("whether the call was carried out is known: %t; the model is told: %s", known, e)
			}
			if text := e.Error(); strings.Contains(text, "s3cret") {
				t.Errorf("a secret is told: %s", text)
			}
			if e.Layer != c.layer || e.Code != c.code || e.Status != c.status || e.Sent != c.sent || !strings.HasPrefix(e.Error(), c.message) {
				t.Errorf("%+v\n%q, want layer %s, code %d, status %d, sent %t, %q", e, e, c.layer, c.code, c.status, c.sent, c.message)
			}
			switch c.behaviour {
			case "well", "100 MB", "broken JSON", "close output", "cut": // the host lives on, and the connection too, or it is replaced
				if _, err := h.List(t.Context(), "sheets"); err != nil {
					t.Errorf("afterwards the server cannot be asked: %v", err)
				}
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		server host.Server
		want   string
	}{
		{
			host.Server{Transport: host.HTTP, URL: "http://127.0.0.1:1/mcp?key=s3cret"},
			"auto-connect failed for server 'excel': connection refused",
		},
		{host.Server{Transport: host.SSE, URL: "http://127.0.0.1:1/sse"}, "auto-connect failed for server 'excel': connection refused"},
		{
			host.Server{Transport: host.Stdio, Command: "no-such-command-anywhere"},
			"auto-connect failed for server 'excel': the command cannot be run",
		},
		{host.Server{Transport: host.Stdio, Command: "false"}, "auto-connect failed for server 'excel': the process ended with exit status 1"},
	} {
		c.server.ID, c.server.Active, c.server.Timeout, c.server.Retries = "excel", true, 2*time.Second, 1
		var log strings.Builder
		h := host.NewHub([]host.Server{c.server}, host.Settings{Log: slog.New(slog.NewTextHandler(&log, nil))})
		_, err := h.Call(t.Context(), host.Call{Server: "excel", Tool: "read"})
		if host.LayerOf(err) != host.LayerConnection || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.server.Transport, c.server.Command, err, c.want)
		}
		if text := log.String() + err.Error(); strings.Contains(text, "s3cret") {
			t.Errorf("a secret is told: %s", text)
		}
		if attempts := strings.Count(log.String(), "auto-connect failed"); attempts != 2 && c.server.Command != "no-such-command-anywhere" {
			t.Errorf("%s: %d attempts, want 2", c.server.Transport, attempts)
		}
		h.Close()
	}
	h := mustHub(t, host.Stdio, "well", nil)
	if _, err := h.Call(t.Context(), host.Call{Server: "sheet", Tool: "x"}); host.LayerOf(err) != host.LayerUnknown ||
		!strings.Contains(err.Error(), "did you mean sheets?") {
		t.Errorf("unknown server: %v", err)
	}
}

// TestRepeats: what may have been carried out is repeated only where that does no harm.
func TestRepeats(t *testing.T) {
	t.Parallel()
	h := mustHub(t, host.HTTP, "busy", nil)
	if _, err := call(h, "count", "{}"); host.LayerOf(err) != host.LayerHTTP {
		t.Errorf("a call that may have been carried out was repeated: %v", err)
	}
	r, err := h.Call(t.Context(), host.Call{Server: "sheets", Tool: "look", Repeatable: true})
	if err != nil || r.Text() == "1" {
		t.Errorf("a repeatable call was not repeated: %v %v", r, err)
	}
	mark := filepath.Join(t.TempDir(), "died")
	h = mustHub(t, host.Stdio, "die once", func(s *host.Server) { s.Args = append(s.Args, mark) })
	if _, err := call(h, "count", "{}"); host.LayerOf(err) != host.LayerConnection {
		t.Errorf("a call was repeated on another process: %v", err)
	}
	if r, err := call(h, "count", "{}"); err != nil || r.Text() != "1" { // a process that has died is replaced
		t.Errorf("after the death of the process: %v %v", r, err)
	}
	os.Remove(mark)
	h = mustHub(t, host.Stdio, "die once", func(s *host.Server) { s.Args = append(s.Args, mark) })
	if r, err := h.Call(t.Context(), host.Call{Server: "sheets", Tool: "look", Repeatable: true}); err != nil || r.Text() != "1" {
		t.Errorf("a repeatable call on a process that died: %v %v", r, err)
	}
}

// TestRepeatsWhatWasCut: of a read-only call, a stream that ends without the answer is no answer.
func TestRepeatsWhatWasCut(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"ends the stream", "ends the stream, with an id", "breaks the stream", "empty answer"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			r, err := mustHub(t, host.HTTP, behaviour, nil).Call(t.Context(), host.Call{Server: "sheets", Tool: "look", Repeatable: true})
			if err != nil || r.Text() != "3" { // one was counted before it was cut, one twice
				t.Errorf("%q, %v", r.Text(), err)
			}
		})
	}
}

// A server that says when it can be asked again is asked then, and not before, whatever the tool
// does: it has only counted the call.
func TestServersThatAskForTime(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"asks for a second", "asks for a date"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			h := mustHub(t, host.HTTP, behaviour, func(s *host.Server) { s.Retries = 1 })
			if r, err := call(h, "count", "{}"); err != nil || r.Text() != "3" {
				t.Errorf("%q, %v", r.Text(), err)
			}
		})
	}
	h := mustHub(t, host.HTTP, "asks for an hour", nil)
	if _, err := call(h, "look", "{}"); err == nil || !strings.Contains(err.Error(), "it asks to wait 1h0m0s") {
		t.Errorf("%v", err)
	}
}

// A call that took too long tells whether it may be made again.
func TestCallsThatMayHaveRun(t *testing.T) {
	t.Parallel()
	h := mustHub(t, host.Stdio, "hang in call", nil)
	for _, repeatable := range []bool{false, true} {
		c := host.Call{Server: "sheets", Tool: "count", Timeout: 50 * time.Millisecond, Repeatable: repeatable}
		_, err := h.Call(t.Context(), c)
		told := strings.Contains(err.Error(), "may have been carried out")
		if e, ok := err.(*host.Error); !ok || e.Layer != host.LayerTimeout || e.MayHaveRun == repeatable || told == repeatable {
			t.Errorf("repeatable %t: %v", repeatable, err)
		}
	}
}

// TestCancelling: the caller gets an answer at once, the server is told, and the connection
// goes on.
func TestCancelling(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		h := mustHub(t, transport, "patient", nil)
		ctx, cancel := context.WithCancel(t.Context())
		_, err := h.Call(ctx, host.Call{Server: "sheets", Tool: "wait", Progress: func(float64, float64, string) { cancel() }})
		if host.LayerOf(err) != host.LayerCancelled {
			t.Errorf("%s: %v", transport, err)
		}
		if r, err := call(h, "look", "{}"); err != nil || strings.Trim(r.Text(), "0123456789") != "" {
			t.Errorf("%s: that a call was given up, the server knows: %q, %v", transport, r.Text(), err)
		}
	}
}

// A connection that is being made when the hub is closed is not left open.
func TestNothingIsConnectedAfterClose(t *testing.T) {
	t.Parallel()
	for behaviour, early := range map[string]bool{"well": true, "hang": false} {
		h := mustHub(t, host.Stdio, behaviour, nil)
		if early {
			h.Close()
		} else {
			time.AfterFunc(20*time.Millisecond, func() { h.Close() })
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		err := h.Connect(ctx, "sheets")
		if host.LayerOf(err) != host.LayerCancelled || ctx.Err() != nil || h.Servers()[0].Connected {
			t.Errorf("%s: %v, %+v", behaviour, err, h.Servers())
		}
		cancel()
	}
}

// What does not read fills its pipe, and the host must not wait for it.
func TestServerThatReadsNothing(t *testing.T) {
	t.Parallel()
	h := mustHub(t, host.Stdio, "deaf", nil)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err := h.Call(
		ctx,
		host.Call{
			Server: "sheets", Tool: "echo", Arguments: json.RawMessage(`{"text":"` + strings.Repeat("x", 1<<20) + `"}`),
			Timeout: 100 * time.Millisecond,
		},
	)
	if host.LayerOf(err) != host.LayerTimeout {
		t.Errorf("%v", err)
	}
}

// A stream of events may go on for ever: each event is measured, not all of them together.
func TestLongStreams(t *testing.T) {
	t.Parallel()
	h := mustHub(t, host.SSE, "big", nil)
	for range 3 {
		if r, err := call(h, "look", "{}"); err != nil || len(r.Text()) != 12<<20 {
			t.Fatalf("%d bytes, %v", len(r.Text()), err)
		}
	}
}

// A server that has forgotten the session has not carried out the call: it is made again in
// a new one, whatever it does.
func TestForgottenSessions(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"forgets with 404", "forgets with 400"} {
		h := mustHub(t, host.HTTP, behaviour, nil)
		if r, err := call(h, "count", "{}"); err != nil || r.Text() != "1" {
			t.Errorf("%s: %q, %v", behaviour, r.Text(), err)
		}
		if s := h.Servers()[0]; s.Error != nil {
			t.Errorf("%s: of a server that answers, an error is told: %v", behaviour, s.Error)
		}
	}
}

// What a server or its process writes may tell what it was given, whatever that is called, on all
// the ways on which it is shown, and cut in the middle.
func TestSecretsAreNotTold(t *testing.T) {
	t.Parallel()
	const pat, database = "ghp-s3cret-of-a-variable", "postgres://me:s3cret-of-a-database@h/db"
	given := func(s *host.Server) {
		s.Retries = 0
		s.Env = map[string]string{"GITHUB_PAT": pat, "DATABASE_URL": database, "PIN": "s3cret-1\ns3cret-2"}
		s.Args = append(
			s.Args, "--api-key", "s3cret-of-a-flag", "--token=s3cret-of-an-argument", "--header", "Authorization: Bearer s3cret-of-a-header",
		)
	}
	for behaviour, want := range map[string]string{
		"tells secrets as it dies":     "the process ended with exit status 4: refused: [GITHUB_PAT] [DATABASE_URL] [PIN]",
		"tells secrets on its way":     "[api-key]", // cut by the 200 letters that are shown
		"tells secrets in an error":    "refused: [GITHUB_PAT]",
		"tells secrets as a result":    "refused: [GITHUB_PAT]",
		"tells secrets as no message":  "the server wrote something that is not a message: \"refused: [GITHUB_PAT]",
		"tells secrets before the end": "[GITHUB_PAT]",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			h := mustLoggedHub(t, host.Stdio, behaviour, &log, given)
			r, err := h.Call(t.Context(), host.Call{Server: "sheets", Tool: "count", Timeout: 2 * time.Second})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
			told := fmt.Sprint(err, r.Text(), log.String(), h.Servers()[0].Error)
			if strings.Contains(told, "s3cret") || strings.Contains(told, "ghp-") {
				t.Errorf("a secret is told: %s", told)
			}
		})
	}
	var log strings.Builder
	h := mustLoggedHub(t, host.HTTP, "tells secrets", &log, func(s *host.Server) {
		s.Headers, s.URL = map[string]string{"Authorization": "Bearer s3cret-of-a-header"}, s.URL+"?key=s3cret-of-a-query"
	})
	err := h.Connect(t.Context(), "sheets")
	if err == nil || strings.Contains(err.Error()+log.String(), "s3cret") ||
		!strings.Contains(err.Error(), "not valid: Bearer [Authorization]") {
		t.Errorf("%v\n%s", err, log.String())
	}
}

// The keys of model providers, and what is meant for one server, are not for others.
func TestSecretsAreNotInherited(t *testing.T) {
	t.Setenv("MISBEHAVE_TOKEN", "s3cret-of-the-host") // with it, the server ends
	if err := mustHub(t, host.Stdio, "well", nil).Connect(t.Context(), "sheets"); err != nil {
		t.Error(err)
	}
}

// goTypes is what an error must not have: whoever reads it may not know that there is Go.
var goTypes = regexp.MustCompile(`json:|\bGo\b|struct|mcp\.|host\.|map\[|interface|\[\]|unmarshal|&\{|0x`)

func TestValidate(t *testing.T) {
	t.Parallel()
	h := mustHub(t, host.Stdio, "well", nil)
	l, err := h.List(t.Context(), "sheets")
	if err != nil {
		t.Fatal(err)
	}
	echo := l.Tools[0]
	for arguments, want := range map[string]string{
		`{"text":"x","n":2}`: "", `{"text":"x","n":0}`: "n: minimum", `{"n":1}`: "missing propert", `{"text":7}`: "text: got number, want string",
		`[1]`: "must be an object", `{"text"`: "not JSON", ``: "missing propert",
	} {
		err := host.Validate(echo, json.RawMessage(arguments))
		if want == "" && err != nil || want != "" && (host.LayerOf(err) != host.LayerValidation || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", arguments, err, want)
		}
	}
}
