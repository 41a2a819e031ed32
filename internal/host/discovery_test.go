package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"econ-mcp/internal/host"
)

func mustCache(tb testing.TB, path string) *host.Cache {
	tb.Helper()
	s, err := host.OpenCache(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

func names(tools []host.Tool) string {
	var list []string
	for _, t := range tools {
		list = append(list, t.FullName())
	}
	return strings.Join(list, " ")
}

// A server that could not be asked is not asked again for each step of an agent.
func TestAServerThatFailedIsLeftAlone(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	hub := host.NewHub(
		[]host.Server{{ID: "shut", Transport: host.HTTP, URL: server.URL, Active: true, Timeout: 10 * time.Second}}, host.Settings{},
	)
	defer hub.Close()
	d := host.NewDiscovery(hub, mustCache(t, filepath.Join(t.TempDir(), "host.db")))
	at := []int64{}
	for _, refresh := range []bool{false, false, true, false} {
		found, err := d.Tools(t.Context(), "", refresh)
		if err != nil || len(found.Failures) != 1 || found.Failures[0].Server != "shut" {
			t.Fatalf("%+v, %v", found, err)
		}
		at = append(at, asked.Load())
	}
	if at[0] == 0 || at[1] != at[0] || at[2] == at[1] || at[3] != at[2] {
		t.Errorf("after each time, the server was asked %d times", at)
	}
	// One that was given up did not fail.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	other := host.NewDiscovery(hub, mustCache(t, filepath.Join(t.TempDir(), "host.db")))
	if _, err := other.Tools(ctx, "", false); err != nil {
		t.Fatal(err)
	}
	before := asked.Load()
	if _, err := other.Tools(t.Context(), "", false); err != nil || asked.Load() == before {
		t.Errorf("asked %d times, before %d, %v", asked.Load(), before, err)
	}
}

// What one process has waited for in vain, the next one does not wait for; only a call that
// names the server does, and a refresh. A call that names another server waits for nobody.
func TestASilentServerIsLeftAloneByOthers(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		io.Copy(io.Discard, r.Body) // or the end of the connection is not seen
		<-r.Context().Done()
	}))
	defer silent.Close()
	path := filepath.Join(t.TempDir(), "host.db")
	servers := []host.Server{
		{ID: "silent", Transport: host.HTTP, URL: silent.URL, Active: true, Timeout: 100 * time.Millisecond},
		{ID: "well", Transport: host.Stdio, Command: mustMisbehave(t), Args: []string{"well"}, Active: true, Timeout: 10 * time.Second},
	}
	another := func() *host.Discovery { // as another process has it
		hub := host.NewHub(servers, host.Settings{})
		t.Cleanup(func() { hub.Close() })
		return host.NewDiscovery(hub, mustCache(t, path))
	}
	if found, err := another().Tools(t.Context(), "well", false); err != nil || len(found.Tools) != 5 || len(found.Failures) != 0 ||
		asked.Load() != 0 {
		t.Fatalf("for a call of the other server: %s, %v, %v, asked %d times", names(found.Tools), found.Failures, err, asked.Load())
	}
	found, err := another().Tools(t.Context(), "", false)
	if err != nil || len(found.Failures) != 1 || asked.Load() == 0 {
		t.Fatalf("the first time: %v, %v, asked %d times", found.Failures, err, asked.Load())
	}
	before := asked.Load()
	found, err = another().Tools(t.Context(), "", false)
	if err != nil || len(found.Failures) != 1 || len(found.Tools) != 5 || asked.Load() != before ||
		host.LayerOf(found.Failures[0]) != host.LayerTimeout ||
		!strings.Contains(found.Failures[0].Message, "no answer within the time-out; it is not asked again before ") {
		t.Errorf("the next time: %v, %v, asked %d times, before %d", found.Failures, err, asked.Load(), before)
	}
	if _, err := another().Tools(t.Context(), "silent", false); err != nil || asked.Load() == before {
		t.Errorf("for a call that names it: %v, asked %d times, before %d", err, asked.Load(), before)
	}
	before = asked.Load()
	if _, err := another().Tools(t.Context(), "", true); err != nil || asked.Load() == before {
		t.Errorf("by a refresh: %v, asked %d times, before %d", err, asked.Load(), before)
	}
	servers[0] = host.Server{
		ID: "silent", Transport: host.Stdio, Command: mustMisbehave(t), Args: []string{"well"}, Active: true, Timeout: 10 * time.Second,
	}
	if found, err := another().Tools(t.Context(), "", false); err != nil || len(found.Failures) != 0 || len(found.Tools) != 10 {
		t.Errorf("configured otherwise: %v, %v", found, err)
	}
}

func TestDiscovery(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "host.db")
	command := mustMisbehave(t)
	servers := []host.Server{
		{ID: "gone", Transport: host.HTTP, URL: "http://127.0.0.1:1/mcp", Active: true, Timeout: time.Second},
		{ID: "b", Transport: host.Stdio, Command: command, Args: []string{"change"}, Active: true, Timeout: 10 * time.Second},
		{ID: "a", Transport: host.Stdio, Command: command, Args: []string{"broken schema"}, Active: true, Timeout: 10 * time.Second},
		{ID: "off", Transport: host.Stdio, Command: command, Args: []string{"well"}},
	}
	hub := host.NewHub(servers, host.Settings{})
	defer hub.Close()
	d := host.NewDiscovery(hub, mustCache(t, path))
	const all = "b.echo b.count b.look b.fail b.wait a.bad a.worse a.elsewhere a.echo"
	found, err := d.Tools(t.Context(), "", false)
	if err != nil || names(found.Tools) != all {
		t.Fatalf("found %s, %v", names(found.Tools), err)
	}
	if len(found.Failures) != 2 || found.Failures[1].Tool != "echo" || !strings.Contains(found.Failures[1].Message, "listed twice") ||
		found.Failures[0].Server != "gone" {
		t.Errorf("failures %v", found.Failures)
	}

	// Another process, which does not connect to what is kept.
	later := host.NewHub(servers[1:], host.Settings{})
	defer later.Close()
	again := host.NewDiscovery(later, mustCache(t, path))
	found, err = again.Tools(t.Context(), "", false)
	if err != nil || names(found.Tools) != all || later.Servers()[0].Connected {
		t.Errorf("from the cache: %s, %v, %+v", names(found.Tools), err, later.Servers())
	}
	if len(found.Failures) != 1 || found.Failures[0].Tool != "echo" || !strings.Contains(found.Failures[0].Message, "listed twice") ||
		!strings.Contains(found.Tools[5].Problem, "its input schema cannot be used") {
		t.Errorf("what is wrong is kept, too: %v, %+v", found.Failures, found.Tools[5])
	}
	var required struct{ Required []string }
	if err := json.Unmarshal(found.Tools[0].Input, &required); err != nil || len(required.Required) != 1 {
		t.Errorf("the schema in the cache is %s", found.Tools[0].Input)
	}

	// The server says that its tools have changed: it is asked again.
	if _, err := hub.Call(t.Context(), host.Call{Server: "b", Tool: "echo"}); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Second); err == nil && len(found.Changes) == 0 && time.Now().Before(end); {
		found, err = d.Tools(t.Context(), "", false)
	}
	if err != nil || names(found.Tools) != "b.echo a.bad a.worse a.elsewhere a.echo" {
		t.Errorf("after a change: %s, %v", names(found.Tools), err)
	}
	if len(found.Changes) != 5 || found.Changes[0].String() != "tool echo changed: +overwrite, -n, description" &&
		!strings.Contains(found.Changes[0].String(), "+overwrite") {
		t.Errorf("changes %v", found.Changes)
	}
	kept, err := mustCache(t, path).Changes(time.Time{})
	if err != nil || len(kept) != 5 {
		t.Errorf("kept changes %v, %v", kept, err)
	}
	// Another configuration under the same name is another server.
	servers[1].Args = []string{"well"}
	for _, env := range []map[string]string{nil, {"TOOLS": "all"}} {
		servers[1].Env = env
		other := host.NewHub(servers[1:2], host.Settings{})
		if found, err := host.NewDiscovery(other, mustCache(t, path)).Tools(t.Context(), "", false); err != nil || len(found.Tools) != 5 ||
			!other.Servers()[0].Connected {
			t.Errorf("another configuration: %s, %v", names(found.Tools), err)
		}
		other.Close()
	}
}

// What servers list may be out of date at once, or not be out of date at all.
func TestListsThatChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ behaviour, first, second string }{
		{"change while it lists", "sheets.after", "sheets.after"},
		{"now", "sheets.list_1", "sheets.list_2"},
	} {
		d := host.NewDiscovery(mustHub(t, host.Stdio, c.behaviour, nil), mustCache(t, filepath.Join(t.TempDir(), "host.db")))
		for _, want := range []string{c.first, c.second} {
			found, err := d.Tools(t.Context(), "", false)
			if err != nil || names(found.Tools) != want || len(found.Failures) > 0 {
				t.Errorf("%s: %s, %v, %v, want %s", c.behaviour, names(found.Tools), found.Failures, err, want)
			}
		}
	}
	d := host.NewDiscovery(mustHub(t, host.Stdio, "another order", nil), mustCache(t, filepath.Join(t.TempDir(), "host.db")))
	for range 2 {
		if found, err := d.Tools(t.Context(), "", true); err != nil || len(found.Changes) > 0 {
			t.Errorf("the order of members is told as a change: %v, %v", found.Changes, err)
		}
	}
}

// A pattern that Go cannot read is the server's to judge; what else is wrong is told.
func TestPatternsOfOthers(t *testing.T) {
	t.Parallel()
	l, err := mustHub(t, host.Stdio, "now", nil).List(t.Context(), "sheets")
	if err != nil || len(l.Tools) != 1 {
		t.Fatalf("%+v, %v", l, err)
	}
	if err := host.Validate(l.Tools[0], json.RawMessage(`{"path":"/a"}`)); err != nil {
		t.Error(err)
	}
	if err := host.Validate(l.Tools[0], json.RawMessage(`{"path":"0123456789"}`)); host.LayerOf(err) != host.LayerValidation {
		t.Errorf("%v", err)
	}
}

func TestCacheKeepsHowCallsWent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "host.db")
	a, b := mustCache(t, path), mustCache(t, path)
	var wait sync.WaitGroup
	for n, s := range []*host.Cache{a, b} { // two processes
		wait.Go(func() {
			for i := range 10 {
				r := host.CallRecord{
					Server: "s", Tool: "read", Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n)), Duration: time.Duration(i+1) * time.Millisecond,
				}
				if i == 0 {
					r.Err = &host.Error{Layer: host.LayerTool}
				}
				if err := s.Record(r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	list, err := a.Statistics()
	if err != nil || len(list) != 1 || list[0].Calls != 20 || list[0].Successes != 18 || list[0].Median < 5*time.Millisecond ||
		list[0].Median > 6*time.Millisecond || list[0].P95 != 10*time.Millisecond || list[0].Failures[0] != host.LayerTool {
		t.Errorf("%+v, %v", list, err)
	}
	if example, ok := b.Example("s", "read"); !ok || !strings.HasPrefix(string(example), `{"n":`) {
		t.Errorf("example %s", example)
	}
	for range 210 {
		if err := a.Record(host.CallRecord{Server: "s", Tool: "login", Arguments: json.RawMessage(`{"password":"x"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := a.Example("s", "login"); ok {
		t.Error("a password is kept")
	}
	if list, err = a.Statistics(); err != nil || list[0].Calls != 200 {
		t.Errorf("%+v, %v: the last 200 calls are kept", list, err)
	}
	if err := os.WriteFile(path+"x", []byte("no database, but long enough to be looked at as one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := host.OpenCache(path + "x"); err == nil || !strings.Contains(err.Error(), "cannot be used") {
		t.Errorf("a file that is no database: %v", err)
	}
}
