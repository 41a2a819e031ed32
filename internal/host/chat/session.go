package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/model"
)

// Limits end a session. Zero means no limit.
type Limits struct {
	Steps   int           // answers of a model, or steps of a plan
	Tokens  int           // read and written by a model, all answers together
	Context int           // tokens that a model is given at once; old results are left out for it
	Time    time.Duration // of the whole session
}

// Session is one question and what is done to answer it.
type Session struct {
	Router   *Router
	Provider *model.Client // nil = none: a server's plan is carried out
	Agent    host.Agent    // which tools may be used
	Limits   Limits
	Language string // of prompts and conclusions: "en", "zh", or "" for that of the question
	Budget   int    // tokens for the description of tools to a model; 0 = no limit

	// Yes allows tools that may destroy something. Without it, Ask is asked before each,
	// and where nobody can be asked (nil), they are refused.
	Yes bool
	Ask func(ctx context.Context, what string) (bool, error)
	// Own are servers whose plans are carried out without asking, as they hold nothing but the work
	// of this host.
	Own []string

	SaveWith   *Destination // nil = nowhere
	Examples   func(server, tool string) (json.RawMessage, bool)
	Listen     func(Event) // nil = nobody listens
	Transcript *Transcript // nil = none

	outcome Outcome
	report  string     // the last that a tool answered
	untold  string     // the tools without room of which the user was told
	telling sync.Mutex // one event at a time: progress comes from another goroutine
}

// Outcome is what a session came to.
type Outcome struct {
	Question  string   `json:"question"`
	Answer    string   `json:"answer"`
	Stop      Stop     `json:"stop"`
	Provider  string   `json:"provider"`
	Steps     int      `json:"steps"`
	Calls     int      `json:"calls"`
	Failed    int      `json:"failed_calls"`
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
	Saved     string   `json:"saved,omitempty"`       // path of the report at another server
	Differ    []string `json:"differences,omitempty"` // of a replay: calls that ended otherwise
}

var errTime = errors.New("the time is over")

// Answer answers a question. With an error, it returns what had been reached; at a limit or the end
// of ctx, the error is a [Stopped].
func (s *Session) Answer(ctx context.Context, question string) (Outcome, error) {
	question = strings.TrimSpace(question)
	if question == "" {
		return Outcome{}, fault.New(fault.Required, "question", "the question is missing")
	}
	if s.Language == "" {
		s.Language = LanguageOf(question)
	}
	work := s.converse
	provider := "none"
	if s.Provider == nil {
		work = s.plan
	} else {
		provider = s.Provider.Name()
	}
	return s.within(ctx, question, provider, func(ctx context.Context) error {
		var to target
		var err error
		if s.SaveWith != nil { // what cannot be saved is told before hours of work
			if to, err = s.SaveWith.find(s.Router); err != nil {
				return err
			}
			if err := s.permits(to.tool); err != nil {
				return err
			}
		}
		if s.outcome.Answer, err = work(ctx, question); err != nil {
			return err
		}
		s.emit(Event{Kind: KindAnswer, Text: s.outcome.Answer})
		if s.SaveWith == nil {
			return nil
		}
		return s.save(ctx, to, cmp.Or(s.report, s.outcome.Answer))
	})
}

// within does the work of a session between its question and its end.
func (s *Session) within(ctx context.Context, question, provider string, work func(context.Context) error) (Outcome, error) {
	s.outcome = Outcome{Question: question, Provider: provider}
	if s.Limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.Limits.Time, errTime)
		defer cancel()
	}
	s.emit(Event{Kind: KindQuestion, Text: question, Provider: provider})
	err := work(ctx)
	stopped, limited := errors.AsType[*Stopped](err)
	switch {
	case err == nil:
		s.outcome.Stop = StopAnswered
	case limited:
		s.outcome.Stop = stopped.Reason
	case errors.Is(context.Cause(ctx), errTime):
		s.outcome.Stop, err = StopTime, &Stopped{StopTime, err}
	case ctx.Err() != nil:
		s.outcome.Stop, err = StopCancelled, &Stopped{StopCancelled, err}
	default:
		s.outcome.Stop = StopFailed
		s.emit(Event{Kind: KindError, Text: err.Error()})
	}
	s.emit(Event{Kind: KindEnd, Text: string(s.outcome.Stop), TokensIn: s.outcome.TokensIn, TokensOut: s.outcome.TokensOut})
	return s.outcome, err
}

// emit tells an event, and writes it down.
func (s *Session) emit(e Event) {
	if e.Step == 0 {
		e.Step = s.outcome.Steps
	}
	s.telling.Lock()
	defer s.telling.Unlock()
	s.tell(e)
}

func (s *Session) tell(e Event) {
	e.Time = time.Now().UTC()
	s.Transcript.write(e)
	if s.Listen != nil {
		s.Listen(e)
	}
}

// step begins a step, if the limits allow another one.
func (s *Session) step() error {
	switch {
	case s.Limits.Steps > 0 && s.outcome.Steps >= s.Limits.Steps:
		return &Stopped{Reason: StopSteps}
	case s.Limits.Tokens > 0 && s.outcome.TokensIn+s.outcome.TokensOut >= s.Limits.Tokens:
		return &Stopped{Reason: StopTokens}
	}
	s.outcome.Steps++
	return nil
}

// call carries out a call and tells of it. consented says that the user has allowed it
// already.
func (s *Session) call(ctx context.Context, request Request, until string, consented bool) (host.Result, error) {
	c := Called{ID: request.ID, Tool: request.Tool, Source: request.Source, Arguments: request.Arguments, Until: until}
	tool, err := s.find(request.Tool, request.Source)
	if err == nil {
		c.Server, c.Tool = tool.Server, tool.Name
	}
	s.emit(Event{Kind: KindCall, Call: &c})
	s.outcome.Calls++
	began := time.Now()
	var result host.Result
	if err == nil {
		err = s.allowed(ctx, tool, request.Arguments, consented)
	}
	if err != nil {
		s.Router.log.Warn("not called", "call", request.ID, "server", c.Server, "tool", c.Tool,
			"outcome", cmp.Or(host.LayerOf(err), "other"), "error", host.Cut(err.Error()))
	} else {
		step, over := s.outcome.Steps, false
		result, err = s.Router.Call(ctx, tool, request, func(done, total float64, message string) {
			s.telling.Lock()
			defer s.telling.Unlock()
			if !over { // some comes after the result
				s.tell(Event{Kind: KindProgress, Step: step, Call: &c, Done: done, Total: total, Text: message})
			}
		})
		s.telling.Lock()
		over = true
		s.telling.Unlock()
	}
	answered := c
	answered.Seconds = time.Since(began).Seconds()
	if err == nil || result.IsError {
		answered.Result = &result
	}
	if err != nil {
		s.outcome.Failed++
		answered.Error = asHostError(err)
		s.emit(Event{Kind: KindError, Call: &answered})
		return result, err
	}
	s.emit(Event{Kind: KindResult, Call: &answered})
	s.noteReport(ctx, tool, result)
	return result, nil
}

// find finds the tool that is meant among those that the agent may use; if there is none, among
// the others, so that the refusal can name it.
func (s *Session) find(name, source string) (host.Tool, error) {
	tool, err := s.Router.findAmong(s.permitted(), name, source)
	if err == nil {
		return tool, nil
	}
	if other, found := s.Router.Find(name, source); found == nil {
		return other, nil
	}
	return tool, err
}

// allowed says whether the agent and the user allow a call.
func (s *Session) allowed(ctx context.Context, tool host.Tool, arguments json.RawMessage, consented bool) error {
	if err := s.permits(tool); err != nil {
		return err
	}
	if consented || s.Yes || !tool.Hints.MayDestroy() {
		return nil
	}
	if err := s.consent(
		ctx, fmt.Sprintf("%s %s may change or delete what is there. Call it?", tool.FullName(), shown(arguments)),
	); err != nil {
		return &host.Error{Layer: host.LayerRefused, Server: tool.Server, Tool: tool.Name, Message: err.Error()}
	}
	return nil
}

// permits says whether the agent may use a tool.
func (s *Session) permits(tool host.Tool) error {
	if s.Agent.Allows(tool) {
		return nil
	}
	e := &host.Error{Layer: host.LayerRefused, Server: tool.Server, Tool: tool.Name,
		Message: fmt.Sprintf("the agent '%s' may not use this tool, which is not in its allowedTools", s.Agent.Name)}
	if !s.Agent.ToolCalling {
		e.Message = fmt.Sprintf("the agent '%s' may use no tools, as its toolCalling is false", s.Agent.Name)
	}
	return e
}

// literal is a text within JSON.
var literal = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// shown are arguments for the user to decide on: all of them, unlike in a log, but long texts are
// cut so that they do not hide what follows.
func shown(arguments json.RawMessage) string {
	const most = 100
	return literal.ReplaceAllStringFunc(string(arguments), func(quoted string) string {
		var text string
		if json.Unmarshal([]byte(quoted), &text) != nil {
			return quoted
		}
		characters := []rune(text)
		if len(characters) <= most {
			return quoted
		}
		return fmt.Sprintf("%q… (%d characters)", string(characters[:most]), len(characters))
	})
}

// consent asks the user. An error says why it is not given.
func (s *Session) consent(ctx context.Context, question string) error {
	if s.Ask == nil {
		return errors.New("the tool may change or delete what is there, and there is nobody to ask; --yes allows it")
	}
	yes, err := s.Ask(ctx, question)
	if err != nil {
		return err
	}
	if !yes {
		return errors.New("the user does not allow this call")
	}
	return nil
}

// reporter is the tool whose result is the report on an experiment.
const reporter = "generate_experiment_report"

// noteReport keeps the report of a result. One that was too long for the result is read from the
// first resource that it links to.
func (s *Session) noteReport(ctx context.Context, tool host.Tool, result host.Result) {
	if tool.Name != reporter {
		return
	}
	var in struct {
		Report    string `json:"report"`
		Resources []struct {
			URI string `json:"uri"`
		} `json:"resources"`
	}
	_ = json.Unmarshal(structured(result), &in) // what cannot be read has no report
	if in.Report == "" && len(in.Resources) > 0 {
		contents, err := s.Router.hub.Read(ctx, tool.Server, in.Resources[0].URI)
		if err != nil {
			s.emit(Event{Kind: KindError, Text: "the report cannot be read: " + err.Error()})
			return
		}
		for _, c := range contents {
			in.Report += c.Text
		}
	}
	s.report = cmp.Or(in.Report, s.report)
}

// structured is a result as JSON: its structured content, or its text if that is JSON.
func structured(r host.Result) json.RawMessage {
	if len(r.Structured) > 0 {
		return r.Structured
	}
	if text := r.Text(); json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return nil
}

// LanguageOf is zh for a question with Chinese characters, else en.
func LanguageOf(question string) string {
	if strings.ContainsFunc(question, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return "zh"
	}
	return "en"
}

// AllTools are the full names of tools and of all native ones, including those that this session
// lacks, such as read_file without a folder: the list is saved for later sessions.
func AllTools(tools []host.Tool) (names []string) {
	for _, t := range tools {
		names = append(names, t.FullName())
	}
	for _, name := range nativeNames {
		if full := host.Native + "." + name; !slices.Contains(names, full) {
			names = append(names, full)
		}
	}
	return names
}

// permitted are the tools that the agent may use.
func (s *Session) permitted() []host.Tool {
	return slices.DeleteFunc(s.Router.Tools(), func(t host.Tool) bool { return !s.Agent.Allows(t) })
}
