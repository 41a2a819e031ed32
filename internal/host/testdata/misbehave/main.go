// Misbehave is an MCP server that does one thing wrong, over stdio or over HTTP. It is
// written without a library: a library would mend what it is to break.
//
//	misbehave [-http ADDRESS_FILE | -sse ADDRESS_FILE] BEHAVIOUR
//
// The tools: echo answers its arguments; wait answers after progress; fail says that it
// failed; count answers how often it was called, and is not repeatable; look does so too, and is read-only.
// What behaves "patient" waits until it is told that nobody waits any more; look then answers which request that was.
// A planner has a plan of two steps, and a tool that writes a file.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

var (
	behaviour string
	mu        sync.Mutex
	calls     int
	opens     time.Time // when it is to be called again
	changed   bool
	lists     int
	sessions  int
	forgotten string                 // the session of the first call
	cancelled = make(chan string, 1) // the id of a request
)

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Cursor    string          `json:"cursor"`
		Request   json.RawMessage `json:"requestId"`
		Meta      struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

const plain = `{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"integer","minimum":1}},"required":["text"]}`

// answer is what a request gets; tell sends messages before it. "" = nothing.
func answer(m message, tell func(string)) string {
	result := func(text string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text) }
	failure := func(code int, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text)
	}
	text := func(s string) string {
		data, _ := json.Marshal(s)
		return result(fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, data))
	}
	switch m.Method {
	case "initialize":
		if behaviour == "hang" {
			select {}
		}
		return result(
			`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"misbehave","version":"1"}}`,
		)
	case "tools/list":
		mu.Lock()
		defer mu.Unlock()
		if body, ok := strings.CutPrefix(behaviour, "lists "); ok {
			return result(body)
		}
		switch {
		case behaviour == "many":
			var list []string
			for i := range 100 {
				list = append(
					list, fmt.Sprintf(`{"name":"tool_%d","description":%q,"inputSchema":%s}`, i, strings.Repeat("It reads what there is. ", 10), plain),
				)
			}
			return result(`{"tools":[` + strings.Join(list, ",") + `]}`)
		case behaviour == "change while it lists":
			if lists++; lists == 1 {
				tell(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
				return result(`{"tools":[{"name":"before","inputSchema":{"type":"object"}}]}`)
			}
			return result(`{"tools":[{"name":"after","inputSchema":{"type":"object"}}]}`)
		case behaviour == "another order":
			lists++
			members := []string{`"a":{"type":"string","maxLength":3}`, `"b":{"minimum":1,"type":"integer"}`}
			if lists > 1 {
				members = []string{`"b":{"type":"integer","minimum":1}`, `"a":{"maxLength":3,"type":"string"}`}
			}
			return result(`{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{` + strings.Join(members, ",") + `}}}]}`)
		case behaviour == "now":
			lists++
			return result(
				fmt.Sprintf(
					`{"tools":[{"name":"list_%d","inputSchema":{"type":"object","properties":{"path":{"type":"string","pattern":"^(?!/)","maxLength":9}}}}],"ttlMs":0}`,
					lists,
				),
			)
		case behaviour == "no end":
			return result(fmt.Sprintf(`{"tools":[],"nextCursor":"%s."}`, m.Params.Cursor))
		case behaviour == "circle":
			return result(`{"tools":[],"nextCursor":"x"}`)
		case behaviour == "broken schema":
			return result(`{"tools":[{"name":"bad","inputSchema":{"type":"objekt"}},{"name":"worse","inputSchema":7},` +
				`{"name":"elsewhere","inputSchema":{"type":"object","properties":{` +
				`"at":{"$ref":"https://example.com/point.json"},"b":{"type":"array","items":{"$ref":"other.json#/$defs/b"}},"n":{"$ref":"#/$defs/n"}},` +
				`"$defs":{"n":{"type":"integer"}}}},` +
				`{"name":"echo","inputSchema":` + plain + `},{"name":"echo","inputSchema":{"type":"object"}}]}`)
		case behaviour == "change" && changed:
			return result(
				`{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"},"overwrite":{"type":"boolean"}}}}]}`,
			)
		case behaviour == "planner":
			return result(`{"tools":[
				{"name":"get_experiment_workflow","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
				{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
				{"name":"analyze_experiment","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
				{"name":"write_file","inputSchema":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},
					"required":["path","content"]}}]}`)
		case m.Params.Cursor == "":
			return result(
				`{"tools":[{"name":"echo","description":"Answers its arguments","inputSchema":` + plain + `}],"nextCursor":"2","ttlMs":60000}`,
			)
		}
		return result(`{"tools":[
			{"name":"count","inputSchema":{"type":"object"}},{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
			{"name":"fail","inputSchema":{"type":"object"}},{"name":"wait","inputSchema":{"type":"object"}}]}`)
	case "tools/call":
		mu.Lock()
		calls++
		n := calls
		mu.Unlock()
		if members, ok := strings.CutPrefix(behaviour, "answers "); ok {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, members)
		}
		switch behaviour {
		case "tells secrets as it dies":
			fmt.Fprintln(os.Stderr, "starting")
			fmt.Fprintln(os.Stderr, "refused:", secrets())
			os.Exit(4)
		case "tells secrets on its way": // so much that it is cut in the middle of one
			fmt.Fprint(os.Stderr, strings.Repeat(os.Args[3]+" ", 2000))
			os.Exit(4)
		case "tells secrets before the end": // cut in the middle of one by itself
			fmt.Fprintln(os.Stderr, "refused: "+os.Getenv("GITHUB_PAT")[:15])
			os.Exit(4)
		case "tells secrets in an error":
			return failure(-32000, "refused: "+secrets())
		case "tells secrets as a result":
			data, _ := json.Marshal("refused: " + secrets())
			return result(fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"isError":true}`, data))
		case "tells secrets as no message":
			return "refused: " + secrets()
		case "hang in call":
			select {}
		case "die":
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(3)
		case "die once":
			if _, err := os.Stat(os.Args[len(os.Args)-1]); err != nil {
				os.WriteFile(os.Args[len(os.Args)-1], nil, 0o600)
				os.Exit(3)
			}
		case "broken JSON":
			return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"content":[`
		case "close output":
			os.Stdout.Close()
			select {}
		case "big":
			return text(strings.Repeat("x", 12<<20))
		case "patient":
			if m.Params.Name == "look" {
				select {
				case id := <-cancelled:
					return text(id)
				case <-time.After(5 * time.Second):
					return text("nobody said so")
				}
			}
			tell(progress(m, 1))
			return ""
		case "chatter":
			tell("listening on nothing in particular")
		case "another id":
			return `{"jsonrpc":"2.0","id":4711,"result":{"content":[]}}`
		case "no result":
			return result(`{"nothing":true}`)
		case "change":
			mu.Lock()
			changed = true
			mu.Unlock()
			tell(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}
		switch m.Params.Name {
		case "get_experiment_workflow":
			return text(
				`{"steps":[{"tool":"look","description":"Look first.","produces":["sight"]},{"tool":"analyze_experiment","needs":["sight"]}]}`,
			)
		case "analyze_experiment":
			return text(`{"conclusion":"Wages rise."}`)
		case "echo", "elsewhere":
			return text(string(m.Params.Arguments))
		case "count", "look":
			return text(fmt.Sprint(n))
		case "list_2": // of the behaviour "now"
			return text("a tool that was added")
		case "fail":
			return result(`{"content":[{"type":"text","text":"no such sheet"}],"isError":true}`)
		case "wait":
			for i := range 4 {
				time.Sleep(100 * time.Millisecond)
				tell(progress(m, i+1))
			}
			return text("waited")
		}
		return failure(-32601, "tool not found")
	case "notifications/cancelled":
		cancelled <- string(m.Params.Request)
	case "ping":
		return result("{}")
	}
	if len(m.ID) == 0 {
		return ""
	}
	return failure(-32601, "method not found")
}

// secrets are what the server was given.
func secrets() string {
	pin, _, _ := strings.Cut(os.Getenv("PIN"), "\n")
	return strings.Join(append([]string{os.Getenv("GITHUB_PAT"), os.Getenv("DATABASE_URL"), pin}, os.Args[2:]...), " ")
}

// progress is the n-th of four messages about a call.
func progress(m message, n int) string {
	return fmt.Sprintf(
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":4,"message":"part %d"}}`,
		m.Params.Meta.Token, n, n,
	)
}

func main() {
	if os.Getenv("MISBEHAVE_TOKEN") != "" {
		fmt.Fprintln(os.Stderr, "refused:", os.Getenv("MISBEHAVE_TOKEN"))
		os.Exit(4)
	}
	file := flag.String("http", "", "listen, and write the address to this file")
	old := flag.String("sse", "", "listen as servers did before, and write the address to this file")
	flag.Parse()
	behaviour = flag.Arg(0)
	if *file != "" {
		listen(*file, "/mcp", serve)
	}
	if *old != "" {
		listen(*old, "/sse", new(events).serve)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	var out sync.Mutex
	tell := func(s string) {
		out.Lock()
		defer out.Unlock()
		fmt.Println(s)
	}
	for in.Scan() {
		var m message
		if json.Unmarshal(in.Bytes(), &m) != nil {
			continue
		}
		if behaviour == "deaf" && m.Method == "notifications/initialized" {
			select {}
		}
		if behaviour == "100 MB" && m.Method == "tools/call" {
			io.CopyN(os.Stdout, &endless{}, 100<<20)
			fmt.Println()
			continue
		}
		respond := func() {
			if a := answer(m, tell); a != "" {
				tell(strings.ReplaceAll(a, "\n", " "))
			}
		}
		if behaviour == "patient" {
			go respond()
		} else {
			respond()
		}
	}
}

// first counts a call, and says whether it is the first.
func first() bool {
	mu.Lock()
	defer mu.Unlock()
	calls++
	return calls == 1
}

// listen serves for ever, and writes the address of a path to a file.
func listen(file, path string, serve http.HandlerFunc) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	os.WriteFile(file+".new", []byte("http://"+l.Addr().String()+path), 0o600)
	os.Rename(file+".new", file)
	panic(http.Serve(l, serve))
}

func serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var m message
	json.NewDecoder(r.Body).Decode(&m)
	called := m.Method == "tools/call"
	if strings.HasPrefix(behaviour, "forgets") {
		mu.Lock()
		if m.Method == "initialize" {
			sessions++
			w.Header().Set("Mcp-Session-Id", fmt.Sprintf("session %d", sessions))
		}
		session := r.Header.Get("Mcp-Session-Id")
		if called && forgotten == "" {
			forgotten = session
		}
		known := session != forgotten
		mu.Unlock()
		if called && !known {
			status := http.StatusNotFound
			if behaviour == "forgets with 400" {
				status = http.StatusBadRequest
			}
			w.WriteHeader(status)
			fmt.Fprint(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`)
			return
		}
	}
	switch {
	case behaviour == "redirect" && strings.HasPrefix(r.Host, "127."):
		http.Redirect(w, r, "http://localhost:"+r.Host[strings.LastIndex(r.Host, ":")+1:]+"/mcp", http.StatusTemporaryRedirect)
		return
	case behaviour == "tells secrets" && r.Header.Get("Authorization") != "":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "not valid: ", r.Header.Get("Authorization"), r.URL.RawQuery)
		return
	case behaviour == "no such call" && called:
		w.WriteHeader(http.StatusNotFound)
		return
	case behaviour == "unauthorised":
		w.WriteHeader(http.StatusUnauthorized)
		return
	case called && behaviour == "500":
		mu.Lock()
		calls++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, "<html><head><title>Oops</title></head><body><h1>It is broken</h1></body></html>")
		return
	case called && strings.HasPrefix(behaviour, "asks for"): // the time that it asks for has to pass
		header, status := "1", http.StatusTooManyRequests
		switch behaviour {
		case "asks for an hour":
			header, status = "3600", http.StatusServiceUnavailable
		case "asks for a date":
			header = time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat)
		}
		mu.Lock()
		calls++
		early := calls > 1 && time.Now().Before(opens)
		if calls == 1 {
			opens, _ = http.ParseTime(header)
			if opens.IsZero() {
				opens = time.Now().Add(time.Second)
			}
		}
		served := calls > 1 && !early
		mu.Unlock()
		if !served {
			w.Header().Set("Retry-After", header)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"slow down"}}`, m.ID)
			return
		}
	case called && strings.HasPrefix(behaviour, "ends the stream") && first():
		w.Header().Set("Content-Type", "text/event-stream")
		if behaviour == "ends the stream, with an id" { // which says that one can go on with it
			fmt.Fprint(w, "id: 1\nretry: 10\n\n")
		}
		fmt.Fprintf(w, "data: %s\n\n", progress(m, 1))
		return
	case called && behaviour == "breaks the stream" && first():
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", progress(m, 1))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case called && behaviour == "empty answer" && first():
		w.Header().Set("Content-Type", "application/json")
		return
	case called && behaviour == "login":
		http.Redirect(w, r, "/login?from=s3cret-of-a-page", http.StatusFound)
		return
	case behaviour == "busy" && called:
		mu.Lock()
		calls++
		n := calls
		mu.Unlock()
		if n < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
	case called && behaviour == "page":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html><body>Log in first</body></html>")
		return
	case called && behaviour == "100 MB":
		w.Header().Set("Content-Type", "application/json")
		io.CopyN(w, &endless{}, 100<<20)
		return
	case called && behaviour == "cut":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"jsonrpc":`)
		return
	}
	flusher := w.(http.Flusher)
	streaming := false
	a := answer(m, func(s string) {
		if !streaming {
			streaming = true
			w.Header().Set("Content-Type", "text/event-stream")
		}
		fmt.Fprintf(w, "data: %s\n\n", s)
		flusher.Flush()
	})
	if called && behaviour == "patient" && a == "" {
		select {} // the stream stays open
	}
	switch a = strings.ReplaceAll(a, "\n", " "); {
	case streaming:
		fmt.Fprintf(w, "data: %s\n\n", a)
	case a == "":
		w.WriteHeader(http.StatusAccepted)
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, a)
	}
}

// endless is a JSON string that does not end.
type endless struct{ begun bool }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	if !e.begun {
		p[0], e.begun = '"', true
	}
	return len(p), nil
}
