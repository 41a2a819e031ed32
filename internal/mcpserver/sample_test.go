package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/tools"
)

type consultIn struct {
	Times int `json:"times" default:"1"`
}

type consultOut struct {
	Answers []tools.Sampled `json:"answers"`
	Failed  string          `json:"failed"`
	Chinese string          `json:"failed_zh"`
	Offered bool            `json:"offered"`
}

// consults adds a tool that asks the client's model so many times, and lives without an answer.
func consults(c *mcpserver.Config) {
	c.Tools = append(c.Tools, tools.New(tools.Spec{
		Name: "consult", Title: "Consult", TitleZH: "请教", Description: "Asks the client's model.", Hints: tools.Reads,
	}, func(ctx context.Context, call *tools.Call, in consultIn) (out consultOut, err error) {
		out.Offered = call.Sample != nil
		for i := 0; out.Offered && i < in.Times; i++ {
			answer, err := call.Sample(ctx, tools.Prompt{System: "Be short.", User: fmt.Sprint("Well? ", i), MaxTokens: 100})
			if errors.Is(err, tools.ErrSampling) {
				return out, err
			}
			if err != nil {
				out.Failed, out.Chinese = err.Error(), fault.Public(err).MessageIn("zh")
				return out, nil
			}
			out.Answers = append(out.Answers, answer)
		}
		return out, nil
	}))
}

const consult = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"consult","arguments":{"times":%d}%s}}`

// What a client's model answers is read, whatever form it has; what is none, is refused or is without
// end becomes an error of the handler, and never of the call.
func TestSampling(t *testing.T) {
	w := (&fixture{}).dial(t, consults)
	w.greet(`{"sampling":{}}`)
	const text = `"role":"assistant","model":"m-1","content":`
	for _, tt := range []struct{ answer, answers, failed, chinese string }{
		{`"result":{` + text + `{"type":"text","text":"Very well."}}`, `[{"text":"Very well.","model":"m-1"}]`, "", ""},
		{`"result":{` + text + `[{"type":"text","text":"Very "},{"type":"image","data":"","mimeType":"a"},{"type":"text","text":"well."}]}`,
			`[{"text":"Very well.","model":"m-1"}]`, "", ""},
		{`"result":{"role":"assistant","model":"\u001b[2Ja\nb","content":{"type":"text","text":"x"}}`, `"model":"[2Ja b"`, "", ""},
		{`"error":{"code":-1,"message":"User rejected\u001b sampling request"}`, `[]`, "refused: User rejected sampling request",
			"请求 sampling/createMessage 未得到回答：客户端拒绝了：User rejected sampling request"},
		{`"error":17`, `[]`, "says no more", "客户端拒绝了，未说明原因"},
		{`"result":{` + text + `17}`, `[]`, "malformed", "客户端的模型没有给出回答：客户端发来的内容格式有误"},
		{`"result":"x"`, `[]`, "malformed", "格式有误"},
		{`"result":{` + text + `{"type":"image","data":"","mimeType":"a"}}`, `[]`, "no text", "回答中没有文字"},
		{`"result":{` + text + `{"type":"text","text":"{\"a"},"stopReason":"maxTokens"}`, `[]`, "cut off at 100 tokens", "在 100 个 token 处被截断"},
		{`"result":{` + text + `{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}}`, `[]`, "1048576 bytes", "1048576 字节"},
	} {
		w.send(consult, 1, "")
		asked := w.receive()
		if params := string(asked.Params); asked.Method != "sampling/createMessage" || !strings.Contains(params, "Well? 0") ||
			!strings.Contains(params, `"systemPrompt":"Be short."`) || !strings.Contains(params, `"maxTokens":100`) {
			t.Fatalf("asked %+v", asked)
		}
		w.send(`{"jsonrpc":"2.0","id":%s,%s}`, asked.ID, tt.answer)
		r := w.receive().result(t)
		if told := string(r.Structured); r.IsError || !strings.Contains(told, tt.answers) || !strings.Contains(told, tt.failed) ||
			!strings.Contains(told, tt.chinese) || (tt.failed == "") != strings.Contains(told, `"failed":"","failed_zh":""`) {
			t.Errorf("after %.80s: %+v", tt.answer, r)
		}
	}
	for _, capabilities := range []string{`{}`, `{"sampling":null}`, `{"sampling":17}`, `{"elicitation":{}}`} {
		w := (&fixture{}).dial(t, consults)
		w.greet(capabilities)
		w.send(consult, 1, "")
		if r := w.receive().result(t); r.IsError || !strings.Contains(string(r.Structured), `"offered":false`) {
			t.Errorf("a client with %s: %+v", capabilities, r)
		}
	}
}

// A model that does not answer is waited for no longer than most clients wait for a call; where the client
// wants to hear of progress it does, and there is more time. The client is told that nobody waits any more.
func TestSamplingThatTakesLong(t *testing.T) {
	for _, tt := range []struct {
		meta string
		want time.Duration
		told int // of the progress
	}{
		{"", 50 * time.Second, 0},
		{`,"_meta":{"progressToken":1}`, 5 * time.Minute, 30},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := (&fixture{}).dial(t, consults)
			w.greet(`{"sampling":{}}`)
			begin, told, withdrawn := time.Now(), 0, ""
			w.send(consult, 2, tt.meta)
			asked := w.receive()
			if asked.Method == "notifications/progress" {
				t.Fatal("progress before the request")
			}
			// Half of the time goes by, then comes an answer, and another that is too long for a message.
			time.Sleep(tt.want / 2)
			const answer = `{"jsonrpc":"2.0","id":%s,"result":{"role":"assistant","model":"m","content":{"type":"text","text":%q}}}`
			w.send(answer, asked.ID, "x")
			second := ""
			for {
				m := w.receive()
				switch m.Method {
				case "notifications/progress":
					told++
					continue
				case "sampling/createMessage":
					second = string(m.ID)
					w.send(answer, m.ID, strings.Repeat("x", 10<<20))
					continue
				case "notifications/cancelled":
					withdrawn = string(m.Params)
					continue
				}
				if m.Error != nil && strings.Contains(m.Error.Message, "at most") {
					continue
				}
				r := m.result(t)
				if told := string(r.Structured); !strings.Contains(told, "took longer than "+tt.want.String()) ||
					!strings.Contains(told, "客户端超过 "+tt.want.String()+" 仍未回答") || time.Since(begin).Round(time.Second) != tt.want {
					t.Errorf("after %v: %+v", time.Since(begin), r)
				}
				break
			}
			if told < tt.told || tt.told == 0 && told > 0 || second == "" || !strings.Contains(withdrawn, second) {
				t.Errorf("told %d times of progress; asked as %s, withdrawn %s", told, second, withdrawn)
			}
			w.in.Close()
			synctest.Wait()
		})
	}
}

// A call that waits for a model keeps no other call waiting, ends when it is cancelled, and of one
// principal only so many wait at once.
func TestSamplingBesideOtherCalls(t *testing.T) {
	w := (&fixture{}).dial(t, consults)
	w.greet(`{"sampling":{}}`)
	w.send(consult, 1, "")
	asked := w.receive()
	w.send("%s", callOf("echo", `{"text":"meanwhile"}`, ""))
	if r := w.receive().result(t); !strings.Contains(string(r.Structured), "meanwhile") {
		t.Errorf("beside: %+v", r)
	}
	const most = 64
	call := strings.Replace(consult, `"id":7`, `"id":"c%d"`, 1)
	for i := range most - 1 {
		w.send(call, i, 1, "")
		w.receive()
	}
	w.send(call, most, 1, "")
	if r := w.receive().result(t); !strings.Contains(string(r.Structured), strconv.Itoa(most)+" calls wait") {
		t.Errorf("one more: %+v", r)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	if m := w.receive(); m.Method != "notifications/cancelled" || !strings.Contains(string(m.Params), strings.Trim(string(asked.ID), `"`)) {
		t.Errorf("a call that is cancelled: %+v", m)
	}
	w.in.Close()
	for range most - 1 {
		if r := w.receive().result(t); !strings.Contains(string(r.Structured), "has ended") {
			t.Fatalf("at the end of the input: %+v", r)
		}
	}
}

// In the revision without sessions each answer comes with another call, whose state has those before.
func TestSamplingAcrossCalls(t *testing.T) {
	s := (&fixture{}).listenWith(t, mcpserver.HTTPConfig{}, consults).modern("tools/call", "consult")
	meta := strings.Replace(modernMeta, `clientCapabilities":{}`, `clientCapabilities":{"sampling":{}}`, 1)
	call := func(more string) incoming {
		t.Helper()
		return s.post("/mcp", fmt.Sprintf(consult, 2, ","+meta+more))[0]
	}
	type asked struct {
		ResultType, RequestState string
		InputRequests            map[string]struct {
			Method string
			Params struct {
				Messages []struct{ Content struct{ Text string } }
			}
		}
	}
	read := func(m incoming) (a asked, text string) {
		t.Helper()
		if m.Error != nil || json.Unmarshal(m.Result, &a) != nil || a.ResultType != "input_required" ||
			a.InputRequests["model"].Method != "sampling/createMessage" {
			t.Fatalf("got %+v %s", m.Error, m.Result)
		}
		return a, a.InputRequests["model"].Params.Messages[0].Content.Text
	}
	answer := func(text, state string) string {
		return fmt.Sprintf(`,"inputResponses":{"model":{"role":"assistant","model":"m","content":{"type":"text","text":%q}}},"requestState":%q`,
			text, state)
	}
	first, text := read(call(""))
	if text != "Well? 0" {
		t.Errorf("first asked %q", text)
	}
	second, text := read(call(answer("one", first.RequestState)))
	if text != "Well? 1" {
		t.Errorf("then asked %q", text)
	}
	last := answer("two", second.RequestState)
	if r := call(last).result(t); r.ResultType != "complete" ||
		!strings.Contains(string(r.Structured), `[{"text":"one","model":"m"},{"text":"two","model":"m"}]`) {
		t.Errorf("at the end: %+v", r)
	}
	if again, text := read(call(`,"requestState":"[]"`)); text != "Well? 0" || again.RequestState != first.RequestState {
		t.Errorf("without an answer asked %q", text)
	}
	for more, want := range map[string]string{
		`,"inputResponses":17`:                             "inputResponses",
		`,"inputResponses":{}`:                             "malformed",
		`,"inputResponses":{"model":{}}`:                   "malformed",
		answer("one", "round 1"):                           "requestState",
		`,"inputResponses":{"model":{}},"requestState":[]`: "requestState",
		answer("one", `[{"text":"`+strings.Repeat("x", 70_000)+`","model":"m"}]`): "requestState",
		answer("one", `[{"text":"zero","model":"two\nlines"}]`):                   `"model":"two lines"`,
		answer(strings.Repeat("x", 70_000), ""):                                   "70000 bytes",
		strings.Replace(last, `"role"`, `"stopReason":"maxTokens","role"`, 1):     "cut off",
	} {
		if r := call(more).result(t); r.IsError || !strings.Contains(string(r.Structured), want) {
			t.Errorf("with %.80s: %+v", more, r)
		}
	}
}
