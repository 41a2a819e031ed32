package model_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"econ-mcp/internal/host/model"
)

// failed gives the error of a reply, which has to be one of the package.
func failed(t *testing.T, err error) *model.Error {
	t.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		t.Fatalf("the error is %T: %v", err, err)
	}
	if strings.Contains(e.Error(), secret) {
		t.Errorf("the key is told: %v", e)
	}
	return e
}

const (
	openAI429    = `{"error":{"message":"Rate limit reached for gpt-5-mini on tokens per min (TPM)","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`
	openAI500    = `{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}`
	anthropic429 = `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}`
	anthropic529 = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}`
)

// Each refusal tells what to do, at the first try where another cannot help.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		provider string
		key      string
		a        answer
		tries    int
		want     []string
	}{
		{"openai", secret, answer{
			status: 401,
			body: `{"error":{"message":"Incorrect API key provided: ` + secret +
				`. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`,
		},
			1, []string{"openai: 401 Unauthorized", "OPENAI_API_KEY is not accepted", "Incorrect API key provided: ***"}},
		{"openai", "", answer{
			status: 401, body: `{"error":{"message":"You didn't provide an API key.","type":"invalid_request_error","param":null,"code":null}}`,
		},
			1, []string{"set OPENAI_API_KEY"}},
		{"anthropic", secret, answer{status: 401, body: `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`},
			1, []string{"anthropic: 401 Unauthorized", "ANTHROPIC_API_KEY is not accepted", "invalid x-api-key"}},
		{"openai", secret, answer{
			status: 404, body: `{"error":{"message":"model \"small\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`,
		},
			1, []string{`no model "small"`, "try pulling it first"}},
		{"openai", secret, answer{
			status: 400,
			body:   `{"error":{"message":"registry.ollama.ai/library/small does not support tools","type":"api_error","param":null,"code":null}}`,
		},
			1, []string{"does not support tools"}},
		{"openai", secret, answer{status: 422, body: `{"detail":"field required"}`}, 1, []string{"422", "field required"}},
		{"openai", secret, answer{status: 429, header: map[string]string{"retry-after": "600"}, body: openAI429},
			1, []string{"429 Too Many Requests", "ask again in 10m0s", "Rate limit reached"}},
		{"anthropic", secret, answer{status: 429, header: map[string]string{"retry-after": "600"}, body: anthropic429},
			1, []string{"429 Too Many Requests", "ask again in 10m0s", "rate_limit_error"}},
		{"anthropic", secret, answer{status: 429, header: map[string]string{"retry-after": "1e300"}, body: anthropic429},
			1, []string{"ask again in 24h0m0s"}},
		{"openai", secret, answer{
			status: 429, header: map[string]string{"retry-after-ms": "1"},
			body: `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`,
		},
			1, []string{"exceeded your current quota"}},
		{
			"openai", secret, answer{status: 429, header: map[string]string{"retry-after-ms": "1"}, body: openAI429}, 4, []string{"asked 4 times"},
		},
		{"openai", secret, answer{status: 429, header: map[string]string{"retry-after-ms": "1", "x-should-retry": "false"}, body: openAI429},
			1, []string{"Rate limit reached"}},
		{"anthropic", secret, answer{status: 529, header: map[string]string{"retry-after-ms": "1", "x-should-retry": "false"}, body: anthropic529},
			1, []string{"Overloaded"}},
		{"openai", secret, answer{status: 400, header: map[string]string{"retry-after-ms": "1", "x-should-retry": "true"}, body: openAI500},
			4, []string{"Sorry about that"}},
		{"openai", secret, answer{status: 500, header: map[string]string{"retry-after-ms": "1"}, body: openAI500},
			4, []string{"500 Internal Server Error", "asked 4 times", "Sorry about that"}},
		{"openai", secret, answer{
			status: 502, header: map[string]string{"retry-after-ms": "1", "content-type": "text/html"}, body: "<html><h1>Bad Gateway</h1></html>",
		},
			4, []string{"502 Bad Gateway: the provider failed, asked 4 times"}},
		{"anthropic", secret, answer{status: 529, header: map[string]string{"retry-after-ms": "1"}, body: anthropic529},
			4, []string{"529", "asked 4 times", "overloaded_error: Overloaded"}},
	} {
		e := serve(t, tt.a)
		var log bytes.Buffer
		c, err := model.New(
			model.Settings{Provider: tt.provider, Model: "small", BaseURL: e.URL, Key: tt.key, Log: slog.New(slog.NewTextHandler(&log, nil))},
		)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Reply(within(t), question, nil, nil)
		is := failed(t, err)
		for _, want := range tt.want {
			if !strings.Contains(is.Error(), want) {
				t.Errorf("%s %d: %q does not say %q", tt.provider, tt.a.status, is, want)
			}
		}
		if n := len(e.asked()); n != tt.tries {
			t.Errorf("%s %d: asked %d times", tt.provider, tt.a.status, n)
		}
		if is.Status != tt.a.status || got.Stop != "" {
			t.Errorf("%s %d: %+v, %+v", tt.provider, tt.a.status, is, got)
		}
		if strings.Contains(log.String(), secret) || strings.Contains(log.String(), "wages") {
			t.Errorf("the log tells: %s", &log)
		}
	}
}

// Keys are not told, neither ours, whatever it looks like, nor what looks like another's.
func TestKeysAreNotTold(t *testing.T) {
	const ours, other = "9f8e7d6c5b4a", "sk-proj-********abcd"
	e := serve(
		t,
		answer{
			status: 400,
			body: `{"error":{"message":"no access with ` + ours + ` or ` + other +
				` or Authorization: Bearer xyz.123","type":"invalid_request_error"}}`,
		},
	)
	c := client(t, model.Settings{Provider: "openai", BaseURL: e.URL, Key: ours})
	_, err := c.Reply(within(t), question, nil, nil)
	if is := failed(t, err); is.Message != "invalid_request_error: no access with *** or *** or Authorization: ***" {
		t.Error(is)
	}
}

// What passes is repeated until there is an answer.
func TestRepeated(t *testing.T) {
	soon := map[string]string{"retry-after-ms": "1"}
	for _, provider := range model.Providers {
		e := serve(t, answer{status: 429, header: soon, body: openAI429}, answer{status: 503, header: soon, body: "upstream is busy"},
			answer{body: stored(t, provider+"_text.sse")})
		c := client(t, model.Settings{Provider: provider, BaseURL: e.URL})
		got, err := c.Reply(within(t), question, nil, nil)
		if err != nil || got.Stop != model.StopEnd || len(e.asked()) != 3 {
			t.Errorf("%s: %+v, %v after %d", provider, got, err, len(e.asked()))
		}
		if asked := e.asked(); asked[0].body != asked[2].body {
			t.Errorf("%s: the request has changed to %s", provider, asked[2].body)
		}
	}
}

// inBubble is a client whose waiting takes no time. Its connections do not outlive an
// answer: the clock stands still as long as one is read from.
func inBubble(t *testing.T, s model.Settings) *model.Client {
	t.Helper()
	s.HTTP = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return client(t, s)
}

// The provider's wish to wait is granted, with up to a tenth more, within the time that there is.
func TestWaits(t *testing.T) {
	for _, provider := range model.Providers {
		wait := map[string]string{"retry-after": "20"}
		for _, wish := range []string{"20", "Sat, 01 Jan 2000 00:00:20 GMT"} { // the clock of a bubble begins with that year
			e := serve(
				t, answer{status: 429, header: map[string]string{"retry-after": wish}, body: openAI429}, answer{body: stored(t, provider+"_text.sse")},
			)
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				got, err := inBubble(t, model.Settings{Provider: provider, BaseURL: e.URL}).Reply(t.Context(), question, nil, nil)
				if err != nil || got.Stop != model.StopEnd {
					t.Errorf("%s: %+v, %v", provider, got, err)
				}
				if waited := time.Since(start); waited < 20*time.Second || waited > 22*time.Second {
					t.Errorf("%s: waited %v for %s", provider, waited, wish)
				}
			})
		}
		// Where the time is shorter than the wish, it is not spent on waiting.
		e := serve(t, answer{status: 429, header: wait, body: openAI429})
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			start := time.Now()
			_, err := inBubble(t, model.Settings{Provider: provider, BaseURL: e.URL}).Reply(ctx, question, nil, nil)
			if is := failed(t, err); !strings.Contains(is.Error(), "ask again in 20s") || time.Since(start) != 0 {
				t.Errorf("%s: %v after %v", provider, is, time.Since(start))
			}
		})
		// Without a wish, the pauses grow, and the time may end in one.
		e = serve(t, answer{status: 500, body: openAI500})
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			_, err := inBubble(t, model.Settings{Provider: provider, BaseURL: e.URL}).Reply(ctx, question, nil, nil)
			is := failed(t, err)
			if !errors.Is(is, context.DeadlineExceeded) || time.Since(start) != time.Second ||
				!strings.Contains(is.Error(), "the last of 2 answers was: server_error") {
				t.Errorf("%s: %v after %v", provider, is, time.Since(start))
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	for _, provider := range model.Providers {
		synctest.Test(t, func(t *testing.T) {
			c := inBubble(t, model.Settings{Provider: provider, BaseURL: "http://" + address + "/v1"})
			_, err := c.Reply(t.Context(), question, nil, nil)
			is := failed(t, err)
			for _, want := range []string{"cannot reach http://" + address, "connection refused", "is it running"} {
				if !strings.Contains(is.Error(), want) {
					t.Errorf("%s: %q does not say %q", provider, is, want)
				}
			}
			if !errors.Is(is, syscall.ECONNREFUSED) || strings.Contains(is.Err.Error(), "/v1") {
				t.Errorf("%s: the cause is %v", provider, is.Err)
			}
		})
	}
}

// A stream that is cut anywhere, politely or not, is an error that keeps the text, unless
// the model had said before that it was done.
func TestCutStreams(t *testing.T) {
	for _, file := range []string{"openai_text.sse", "anthropic_text.sse", "openai_tools.sse", "anthropic_tools.sse"} {
		body := stored(t, file)
		reason := "finish_reason\":\"" // the first that is not null
		if provider(file) == "anthropic" {
			reason = "stop_reason\":\""
		}
		done := strings.Index(body, reason)
		done += strings.Index(body[done:], "\n\n") + 1
		e := serve(t, answer{body: body})
		whole, err := client(t, model.Settings{Provider: provider(file), BaseURL: e.URL}).Reply(within(t), question, tools, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(body); n += 41 {
			for _, rude := range []bool{false, true} {
				a := answer{body: body[:n]}
				if rude {
					a.after = func(*http.Request, http.ResponseWriter) { panic(http.ErrAbortHandler) }
				}
				e := serve(t, a)
				got, err := client(t, model.Settings{Provider: provider(file), BaseURL: e.URL}).Reply(within(t), question, tools, nil)
				if n > done {
					if err != nil || got.Stop != whole.Stop || got.Message.Text != whole.Message.Text ||
						len(got.Message.Calls) != len(whole.Message.Calls) {
						t.Fatalf("%s cut at %d, after the end: %+v, %v", file, n, got, err)
					}
					continue
				}
				is := failed(t, err)
				if got.Stop != "" || got.Message.Calls != nil || !strings.HasPrefix(whole.Message.Text, got.Message.Text) {
					t.Fatalf("%s cut at %d: %+v, %v", file, n, got, is)
				}
				if !strings.Contains(is.Error(), "the connection broke") || strings.Contains(is.Error(), "before any") != (got.Message.Text == "") {
					t.Fatalf("%s cut at %d: %v", file, n, is)
				}
			}
		}
	}
}

// What a provider sends wrongly is told, with the text that had come.
func TestBrokenStreams(t *testing.T) {
	wages := `data: {"choices":[{"index":0,"delta":{"content":"Wages "},"finish_reason":null}]}` + "\n\n"
	for _, tt := range []struct {
		provider, body, kind string
		want, text           string
	}{
		{"openai", wages + "data: {\"choices\":[{\"ind\n\n", "", "a chunk of the stream cannot be read, after 6 characters", "Wages "},
		{
			"openai", wages + "data: {\"choices\":\"none\"}\n\n", "", "cannot be read, after 6 characters of the answer: choices is a string",
			"Wages ",
		},
		{
			"openai", wages + ": waiting\n\ndata: {\"error\":\"no memory\"}\n\n", "",
			"the provider failed after 6 characters of the answer: no memory", "Wages ",
		},
		{"openai", wages + `data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"message":"upstream is gone","code":502}}` + "\n\n", "",
			"the provider failed after 6 characters of the answer: upstream is gone", "Wages "},
		{
			"openai", wages + "data: {\"error\":{\"message\":\"CUDA out of memory with " + secret + "\",\"type\":\"server_error\"}}\n\n", "",
			"the provider failed after 6 characters of the answer: server_error: CUDA out of memory with ***", "Wages ",
		},
		{
			"anthropic", stored(t, "anthropic_overloaded.sse"), "",
			"the provider failed after 6 characters of the answer: overloaded_error: Overloaded", "Wages ",
		},
		{"anthropic", "event: message_start\ndata: {\"type\n\n", "", "a chunk of the stream cannot be read, before any", ""},
		{"openai", `{"status":"ok"}`, "application/json", "JSON that is no answer of a model; is the base URL right?", ""},
		{"anthropic", `{"choices":[]}`, "application/json", "JSON that is no answer of a model; is the base URL right?", ""},
		{
			"openai", `{"error":{"message":"no such model","type":"invalid_request"}}`, "application/json",
			"the provider failed before any of the answer: invalid_request: no such model", "",
		},
		{"openai", `{"choices":[{"message":{"content":"hi`, "application/json", "the connection broke before any", ""},
		{"openai", `[]`, "application/json", `without a stream, as "application/json"`, ""},
		{"openai", "<!doctype html><title>Sign in</title>", "text/html", `without a stream, as "text/html"; is the base URL right?`, ""},
		{"anthropic", "data: " + strings.Repeat("x", 1<<20) + "\n\n", "", "a chunk of the stream cannot be read, before any", ""},
		{"anthropic", "data: " + strings.Repeat("x", 9<<20), "", "longer than 8 MiB", ""},
	} {
		a := answer{body: tt.body}
		if tt.kind != "" {
			a.header = map[string]string{"Content-Type": tt.kind}
		}
		e := serve(t, a)
		got, err := client(t, model.Settings{Provider: tt.provider, BaseURL: e.URL}).Reply(within(t), question, nil, nil)
		is := failed(t, err)
		if !strings.Contains(is.Error(), tt.want) || got.Message.Text != tt.text || got.Stop != "" ||
			len(is.Error()) > 1000 {
			t.Errorf("%.60q gives %v, %+v", tt.body, is, got)
		}
	}
}

// A stream without an end ends with the context, one that floods us by itself.
func TestEndlessStreams(t *testing.T) {
	for _, file := range []string{"openai_text.sse", "anthropic_text.sse"} {
		body := stored(t, file)
		half := strings.LastIndex(body[:strings.Index(body, "rise")], "\n\n") + 2
		e := serve(t, answer{body: body[:half], after: func(r *http.Request, _ http.ResponseWriter) { <-r.Context().Done() }})
		ctx, cancel := context.WithCancel(within(t))
		got, err := client(t, model.Settings{Provider: provider(file), BaseURL: e.URL}).Reply(ctx, question, nil, func(string) { cancel() })
		is := failed(t, err)
		if !errors.Is(is, context.Canceled) || got.Message.Text != "Wages " || !strings.Contains(is.Error(), "cancelled after 6 characters") {
			t.Errorf("%s: %v, %q", file, is, got.Message.Text)
		}
	}
	for _, chunk := range []string{
		`data: {"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("ha ", 10_000) + `"},"finish_reason":null}]}` + "\n\n",
		`data: {"choices":[],"note":"` + strings.Repeat("ha ", 10_000) + `"}` + "\n\n",
		strings.Repeat("hahaha ", 10_000),
	} {
		e := serve(t, answer{after: func(r *http.Request, w http.ResponseWriter) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, chunk); err != nil {
					return
				}
			}
		}})
		_, err := client(t, model.Settings{Provider: "openai", BaseURL: e.URL}).Reply(within(t), question, nil, nil)
		if is := failed(t, err); !strings.Contains(is.Error(), "longer than 8 MiB") {
			t.Error(is)
		}
	}
}

// pipes are connections within a bubble, where waiting takes no time.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "bubble"} }
func (p pipes) Close() error   { return nil }

// slowly asks a provider that is within the bubble.
func slowly(t *testing.T, provider string, silence time.Duration, answer http.HandlerFunc) (model.Reply, error) {
	t.Helper()
	p := make(pipes)
	var answering sync.WaitGroup
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answering.Add(1)
		defer answering.Done()
		answer(w, r)
	})}
	go server.Serve(p)
	defer answering.Wait()
	defer synctest.Wait() // who answers has said so
	defer server.Close()
	defer close(p)
	dial := func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		p <- there
		return here, nil
	}
	c := client(t, model.Settings{Provider: provider, BaseURL: "http://bubble", Silence: silence,
		HTTP: &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}})
	return c.Reply(t.Context(), question, nil, nil)
}

// A provider that accepts and stays silent is given up: without an answer, in the middle of
// one, and where it sends only what means nothing.
func TestSilence(t *testing.T) {
	for _, provider := range model.Providers {
		body := stored(t, provider+"_text.sse")
		half := strings.LastIndex(body[:strings.Index(body, "rise")], "\n\n") + 2
		for _, tt := range []struct{ sent, again, text string }{
			{"", "", ""},
			{body[:half], "", "Wages "},
			{body[:half], ": waiting\n\n", "Wages "},
			{body[:half], "data: {\"type\":\"ping\"}\n\n", "Wages "},
		} {
			synctest.Test(t, func(t *testing.T) {
				start, asked := time.Now(), 0
				got, err := slowly(t, provider, 3*time.Minute, func(w http.ResponseWriter, r *http.Request) {
					asked++
					io.Copy(io.Discard, r.Body)
					if tt.sent != "" {
						io.WriteString(w, tt.sent)
						w.(http.Flusher).Flush()
					}
					for tt.again != "" && r.Context().Err() == nil {
						time.Sleep(time.Second)
						io.WriteString(w, tt.again)
						w.(http.Flusher).Flush()
					}
					<-r.Context().Done()
				})
				is := failed(t, err)
				if !strings.Contains(is.Error(), "was silent for 3m0s") || !strings.Contains(is.Error(), "--answer-timeout") ||
					got.Message.Text != tt.text {
					t.Errorf("%s, %.20q and %q: %v", provider, tt.sent, tt.again, is)
				}
				if waited := time.Since(start); waited.Round(time.Minute) != 3*time.Minute || asked != 1 {
					t.Errorf("%s, %.20q and %q: asked %d times, %v", provider, tt.sent, tt.again, asked, waited)
				}
			})
		}
	}
}

// A provider that is slow is not silent: each word begins the time anew. Nor is the pause
// before another try silence.
func TestSlowness(t *testing.T) {
	for _, provider := range model.Providers {
		pieces := strings.SplitAfter(stored(t, provider+"_text.sse"), "\n\n")
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			got, err := slowly(t, provider, 10*time.Second, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if asked++; asked == 1 {
					w.Header().Set("Retry-After", "60")
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				for _, piece := range pieces {
					time.Sleep(4 * time.Second)
					io.WriteString(w, piece)
					w.(http.Flusher).Flush()
				}
			})
			if err != nil || got.Stop != model.StopEnd {
				t.Errorf("%s: %+v, %v", provider, got, err)
			}
		})
	}
}

// A redirection would make a GET of the question; what the provider says of it is told.
func TestRedirections(t *testing.T) {
	for _, provider := range model.Providers {
		e := serve(t, answer{status: 302, header: map[string]string{"Location": "https://login.example.org/"}})
		_, err := client(t, model.Settings{Provider: provider, BaseURL: e.URL}).Reply(within(t), question, nil, nil)
		if is := failed(t, err); is.Status != 302 || !strings.Contains(is.Error(), "it has moved to https://login.example.org/") ||
			len(e.asked()) != 1 {
			t.Error(is)
		}
	}
}
