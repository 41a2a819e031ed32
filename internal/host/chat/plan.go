package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

// planner is the tool by which a server says which calls answer a question. Its result has
// steps: each names a tool of the same server, its arguments, what it needs and what it produces,
// and the condition until which it is repeated, if it is.
const planner = "get_experiment_workflow"

// concluder is the tool whose result has the conclusion, in the languages that it has.
const concluder = "analyze_experiment"

// planned is what a planner answers.
type planned struct {
	Steps    []plannedStep `json:"steps"`
	Guidance string        `json:"guidance"`
}

type plannedStep struct {
	Tool        string          `json:"tool"`
	Params      json.RawMessage `json:"tool_params"`
	Description string          `json:"description"`
	Needs       []string        `json:"needs"`
	Produces    []string        `json:"produces"`
	Until       string          `json:"repeat_until"`
}

// plan answers a question without a model: it carries out the plan of the first server
// that offers one, as it stands.
func (s *Session) plan(ctx context.Context, question string) (string, error) {
	tool, err := s.find(planner, "")
	if err != nil {
		return "", fault.New(fault.NotFound, "provider", "no server offers %s, without which a question needs a model", planner).
			WithHint("see econ-mcp host tools; or name a model with --provider and --model")
	}
	if err := s.permits(tool); err != nil {
		return "", err
	}
	arguments, _ := json.Marshal(map[string]string{"question": question}) // texts always encode
	result, err := s.call(ctx, Request{ID: "plan", Tool: tool.FullName(), Arguments: arguments}, "", false)
	if err != nil {
		return "", err
	}
	var p planned
	if err := json.Unmarshal(structured(result), &p); err != nil {
		return "", fmt.Errorf("the plan of server '%s' cannot be read: %s", tool.Server, fault.JSON(err))
	}
	if len(p.Steps) == 0 {
		return "", fault.New(fault.InvalidState, "question", "the server has no plan for this question: %s", p.Guidance)
	}
	if err := s.checkPlan(ctx, tool.Server, p); err != nil {
		return "", err
	}
	return s.carryOut(ctx, tool.Server, p)
}

// checkPlan refuses a plan before anything is done: if a tool does not exist or the agent may not
// use it, or if a step needs what no step before it produces. It asks once for all tools that may
// destroy something.
func (s *Session) checkPlan(ctx context.Context, server string, p planned) error {
	there := map[string]bool{}
	var tools []host.Tool
	for i, step := range p.Steps {
		tool, err := s.Router.Find(step.Tool, server)
		if err == nil {
			err = s.permits(tool)
		}
		if err != nil {
			return fmt.Errorf("step %d of the plan: %w", i+1, err)
		}
		for _, need := range step.Needs {
			if !there[need] {
				return fmt.Errorf("step %d of the plan, %s, needs %q, which no step before it produces", i+1, step.Tool, need)
			}
		}
		for _, product := range step.Produces {
			there[product] = true
		}
		tools = append(tools, tool)
		if _, err := parseCondition(step.Until); err != nil {
			return fmt.Errorf("step %d of the plan: %w", i+1, err)
		}
	}
	return s.consentToAll(ctx, tools)
}

// consentToAll asks once a server for all tools in a list that may destroy something.
func (s *Session) consentToAll(ctx context.Context, tools []host.Tool) error {
	var servers []string
	destructive := map[string][]string{} // by server
	for _, t := range tools {
		names := destructive[t.Server]
		if !t.Hints.MayDestroy() || s.Yes || slices.Contains(s.Own, t.Server) || slices.Contains(names, t.FullName()) {
			continue
		}
		if len(names) == 0 {
			servers = append(servers, t.Server)
		}
		destructive[t.Server] = append(names, t.FullName())
	}
	for _, server := range servers {
		names := strings.Join(destructive[server], ", ")
		question := fmt.Sprintf("The next steps call tools of server '%s' that may change or delete what is there: %s. Go on?", server, names)
		if err := s.consent(ctx, question); err != nil {
			return fault.New(fault.InvalidState, "yes", "%s may change or delete what is there, and that is not allowed", names).
				WithHint("add --yes to allow it")
		}
	}
	return nil
}

// carryOut makes the calls of a plan in their order.
func (s *Session) carryOut(ctx context.Context, server string, p planned) (conclusion string, err error) {
	for i, step := range p.Steps {
		if err := s.step(); err != nil {
			return "", err
		}
		if step.Description != "" {
			s.emit(Event{Kind: KindMessage, Text: step.Description})
		}
		request := Request{ID: fmt.Sprintf("step-%d", i+1), Tool: server + "." + step.Tool, Arguments: step.Params}
		result, err := s.repeat(ctx, request, step.Until)
		if err == nil && step.Until != "" {
			result, err = s.resumed(ctx, server, request, step.Until, result)
		}
		s.tellThere(err, result)
		if err != nil && !thereAlready(result) {
			return "", fmt.Errorf("step %d of the plan, %s: %w", i+1, step.Tool, inWords(err, result))
		}
		if step.Tool == concluder {
			conclusion = conclusionIn(result, s.Language)
		}
	}
	if conclusion == "" {
		return "", errors.New("all steps are done, but there is no conclusion among their results")
	}
	return conclusion, nil
}

// conclusionIn is the conclusion in a language, such as "conclusion_zh", else "conclusion"; "" if
// there is none.
func conclusionIn(r host.Result, language string) string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(structured(r), &members)
	for _, name := range []string{"conclusion_" + language, "conclusion"} {
		text := ""
		if json.Unmarshal(members[name], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// resumer is the tool that resumes an interrupted simulation.
const resumer = "resume_simulation"

// resumed resumes a simulation that an earlier session left unfinished: plans name experiments
// after the question, so the same question finds it. A simulation that is not complete must not be
// analysed.
func (s *Session) resumed(ctx context.Context, server string, request Request, until string, result host.Result) (host.Result, error) {
	state := func() string {
		var in struct {
			Status string `json:"run_status"`
		}
		_ = json.Unmarshal(structured(result), &in) // what cannot be read has no status
		return in.Status
	}
	if now := state(); now == "interrupted" || now == "paused" {
		var named struct { // of the arguments, what says which one
			Name string `json:"experiment_name,omitempty"`
		}
		if err := json.Unmarshal(request.Arguments, &named); err != nil {
			return result, err
		}
		arguments, _ := json.Marshal(named) // a text always encodes
		resume := Request{ID: request.ID + "-resume", Tool: server + "." + resumer, Arguments: arguments}
		if result, err := s.call(ctx, resume, "", false); err != nil {
			return result, err
		}
		var err error
		if result, err = s.repeat(ctx, request, until); err != nil {
			return result, err
		}
	}
	switch now := state(); now {
	case "interrupted", "paused", "stopped", "failed":
		return host.Result{}, fmt.Errorf("the simulation is not complete: it is %s", now)
	}
	return result, nil
}

// politePause is the least time between repetitions of a call.
const politePause = time.Second

// repeat makes a call until a condition holds; without a condition, once.
func (s *Session) repeat(ctx context.Context, request Request, until string) (host.Result, error) {
	wanted, err := parseCondition(until)
	if err != nil {
		return host.Result{}, err
	}
	for {
		began := time.Now()
		result, err := s.call(ctx, request, until, true)
		if err != nil || wanted.holds(result) {
			return result, err
		}
		select {
		case <-time.After(politePause - time.Since(began)):
		case <-ctx.Done():
			return result, context.Cause(ctx)
		}
	}
}

// condition is that a member of a result has a value. The zero value always holds.
type condition struct {
	member string
	value  json.RawMessage
}

// parseCondition reads a condition such as "running = false". A value that is no JSON is a string.
func parseCondition(text string) (condition, error) {
	if strings.TrimSpace(text) == "" {
		return condition{}, nil
	}
	member, value, ok := strings.Cut(text, "=")
	member, value = strings.TrimSpace(member), strings.TrimSpace(strings.TrimPrefix(value, "="))
	if !ok || member == "" || value == "" {
		return condition{}, fmt.Errorf("it is to be repeated until %q, which is not of the form NAME = VALUE", text)
	}
	raw := json.RawMessage(value)
	if !json.Valid(raw) {
		raw, _ = json.Marshal(value) // a text always encodes
	}
	return condition{member, raw}, nil
}

func (c condition) holds(r host.Result) bool {
	if c.member == "" {
		return true
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(structured(r), &members) != nil {
		return false
	}
	return bytes.Equal(bytes.TrimSpace(members[c.member]), c.value)
}

// thereAlready says that a tool failed because what it creates exists: the same question was asked
// before.
func thereAlready(r host.Result) bool {
	e, ok := envelope(r)
	return ok && e.Code == fault.Conflict
}

// tellThere tells the user that such a failure does no harm.
func (s *Session) tellThere(err error, r host.Result) {
	if err == nil || !thereAlready(r) {
		return
	}
	text := "It is there from before, and is used as it is."
	if s.Language == "zh" {
		text = "此前已有，直接沿用。"
	}
	s.emit(Event{Kind: KindNote, Text: text})
}

// told is an error in the form of our tools.
type told struct {
	Code    fault.Kind `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint"`
}

// envelope reads {"error": {"code", "message", "hint"}}.
func envelope(r host.Result) (told, bool) {
	var in struct {
		Error told `json:"error"`
	}
	ok := r.IsError && json.Unmarshal([]byte(r.Text()), &in) == nil && in.Error.Message != ""
	return in.Error, ok
}

// inWords is the error of a tool with its message in place of an excerpt of its JSON.
func inWords(err error, r host.Result) error {
	e, ok := errors.AsType[*host.Error](err)
	if _, tells := envelope(r); !ok || !tells {
		return err
	}
	worded := *e
	worded.Message = Complaint(r)
	return &worded
}

// Complaint is what a tool that failed says: message and hint of an error in our form, else its text.
func Complaint(r host.Result) string {
	e, ok := envelope(r)
	if !ok {
		return TextOf(r)
	}
	s := e.Message
	if e.Code != "" {
		s = string(e.Code) + ": " + s
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}
