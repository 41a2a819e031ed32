package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/tools"
)

// apiPath is where the API begins. What is incompatible gets another number.
const apiPath = "/api/v1"

// maxBody bounds the JSON that a request brings, in bytes.
const maxBody = 1 << 20

// maxStranger bounds the body of who is not signed in: a token fits.
const maxStranger = 4 << 10

// maxAnswer bounds a JSON answer, in bytes: 600 months of eight arms with their bands.
const maxAnswer = 2 << 20

// operation is a call of the API: typed arguments, out of path, query or body, and a typed answer.
type operation struct {
	Method, Path string     // of a pattern of [http.ServeMux], below apiPath
	Writes       bool       // changes something: not for those who may only read
	Open         bool       // answers whoever asks: signing in
	Type         string     // media type of the answer; "" = JSON of the tool's output
	Call         tools.Tool // name, description, schemas, and the function itself
}

// reads is an operation that changes nothing that anybody simulates or keeps: GET. That results were looked at, and what was asked beyond plans, is
// on record all the same. Arguments stand in path and query.
func reads[In, Out any](path, name, about string, handle func(context.Context, *tools.Call, In) (Out, error)) operation {
	return operation{Method: http.MethodGet, Path: path, Call: tools.New(tools.Spec{Name: name, Description: about, MaxAnswer: maxAnswer}, handle)}
}

// computes is an operation that changes nothing and whose arguments need a body: POST.
func computes[In, Out any](path, name, about string, handle func(context.Context, *tools.Call, In) (Out, error)) operation {
	o := reads(path, name, about, handle)
	o.Method = http.MethodPost
	return o
}

// writes is an operation that changes something: POST of JSON, which no form of another site can send.
func writes[In, Out any](path, name, about string, handle func(context.Context, *tools.Call, In) (Out, error)) operation {
	o := computes(path, name, about, handle)
	o.Writes = true
	return o
}

// answers is an operation that writes its answer itself, such as a file or a stream of events.
func answers[In any](path, name, kind, about string, handle func(context.Context, http.ResponseWriter, *tools.Call, In) error) operation {
	o := reads(path, name, about, func(ctx context.Context, c *tools.Call, in In) (done, error) {
		return done{true}, handle(ctx, exchangeOf(ctx).w, c, in)
	})
	o.Type = kind
	return o
}

// exchange is the request of an operation and where its answer goes, for the few that need more than arguments.
type exchange struct {
	w http.ResponseWriter
	r *http.Request
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) exchange { return ctx.Value(exchangeKey{}).(exchange) }

// done is the answer where there is nothing to say.
type done struct {
	Done bool `json:"done"`
}

// operations are all of the API.
func (s *Site) operations() []operation {
	return slices.Concat(
		s.sessionOperations(),
		s.experimentOperations(),
		s.figureOperations(),
		s.liveOperations(),
		s.leverOperations(),
		s.askOperations(),
		s.oneExperimentOperations(),
		s.modelOperations(),
		s.compareOperations(),
		s.sweepOperations(),
	)
}

func (s *Site) sessionOperations() []operation {
	in := computes("/session", "sign_in", "Begins a session: answers with its cookie.", s.signIn)
	out := computes("/session/end", "sign_out", "Ends the session of the cookie.", s.signOut)
	in.Open, out.Open = true, true
	return []operation{in, out, reads("/session", "who_am_i", "Whom the server takes the caller for.",
		func(_ context.Context, c *tools.Call, _ struct{}) (who, error) {
			return who{c.Principal, string(c.Role)}, nil
		})}
}

// serveAPI puts the operations below apiPath, and their description beside them.
func (s *Site) serveAPI(mux *http.ServeMux) {
	s.api = map[string]operation{}
	list := s.operations()
	for _, o := range list {
		s.api[o.Call.Name] = o
		mux.HandleFunc(o.Method+" "+apiPath+o.Path, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, o) })
	}
	document := openAPI(list, s.Version)
	mux.HandleFunc("GET "+apiPath+"/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document)
	})
	mux.HandleFunc(apiPath+"/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, r, fault.New(fault.NotFound, "", "there is no %s %.200s", r.Method, r.URL.Path).WithHint(apiPath+"/openapi.json lists what there is"))
	})
}

// answer carries out an operation for who sent the request.
func (s *Site) answer(w http.ResponseWriter, r *http.Request, o operation) {
	caller, known := callerOf(r.Context())
	switch {
	case !known && !o.Open:
		w.Header().Set("WWW-Authenticate", `Bearer realm="econ-mcp"`)
		w.Header().Set("Connection", "close") // nobody reads the body
		send(w, r, http.StatusUnauthorized, fault.New(fault.Forbidden, "", "nobody is signed in").
			WithHint("POST a token to "+apiPath+"/session, or send it as Authorization: Bearer"))
		return
	case o.Writes && !caller.MayWrite():
		fail(w, r, fault.New(fault.Forbidden, "", "%s may only read", access.Name(caller.Principal)).WithHint("use a token of the role full"))
		return
	}
	room := int64(maxBody)
	if !known {
		room = maxStranger
	}
	arguments, err := argumentsOf(w, r, o, room)
	if err != nil {
		fail(w, r, err)
		return
	}
	ctx := context.WithValue(r.Context(), exchangeKey{}, exchange{w, r})
	result, err := o.Call.Invoke(ctx, s.call(caller), arguments)
	switch {
	case err != nil && o.Type != "" && w.Header().Get("Content-Type") != "": // it has begun to answer
		s.Log.Warn("an answer broke off", "operation", o.Call.Name, "error", err)
	case err != nil:
		s.logged(o, err)
		fail(w, r, err)
	case o.Type == "":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(result.JSON)
	}
}

// call is who calls, for the domain.
func (s *Site) call(c access.Caller) *tools.Call {
	return &tools.Call{Caller: c, Remote: true}
}

// logged tells who runs the program of errors that callers are not told, or not told whole.
func (s *Site) logged(o operation, err error) {
	if e, ok := errors.AsType[*fault.Error](err); (!ok || e.Detail != "") && !errors.Is(err, context.Canceled) {
		s.Log.Error("an operation failed", "operation", o.Call.Name, "error", err)
	}
}

// argumentsOf are the arguments of a request as one JSON object: the body, with what stands in the path; or path and query.
func argumentsOf(w http.ResponseWriter, r *http.Request, o operation, room int64) (json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if o.Method == http.MethodPost {
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != "application/json" {
			return nil, fault.Type("Content-Type", r.Header.Get("Content-Type"), "application/json")
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, room))
		if err != nil {
			return nil, fault.New(fault.LimitExceeded, "", "the body has more than %d bytes, or did not come whole", room)
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		if body = bytes.TrimSpace(body); len(body) > 0 {
			if body[0] != '{' {
				return nil, fault.New(fault.WrongType, "", "the body is not a JSON object")
			}
			if !strings.Contains(o.Path, "{") {
				return body, nil // the tool's decoder says what is wrong with it
			}
			if err := json.Unmarshal(body, &members); err != nil {
				return nil, fault.New(fault.WrongType, "", "the body is not JSON: %v", err)
			}
		}
	} else if err := queried(members, r.URL.Query(), o.Call.Input); err != nil {
		return nil, err
	}
	for _, p := range o.Call.Input.Properties {
		if strings.Contains(o.Path, "{"+p.Name+"}") {
			members[p.Name] = written(r.PathValue(p.Name), p.Schema)
		}
	}
	return json.Marshal(members)
}

// queried puts what a query says into members. A list is repeated, or has commas.
func queried(members map[string]json.RawMessage, query url.Values, in *tools.Schema) error {
	for name, values := range query {
		k := slices.IndexFunc(in.Properties, func(p tools.Property) bool { return p.Name == name })
		switch {
		case k < 0:
			members[name] = written(values[0], nil) // the decoder knows what it is told instead
		case slices.Contains(in.Properties[k].Schema.Types, "array"):
			var list []json.RawMessage
			for _, v := range values {
				for part := range strings.SplitSeq(v, ",") {
					list = append(list, written(part, in.Properties[k].Schema.Items))
				}
			}
			text, err := json.Marshal(list)
			if err != nil {
				return err
			}
			members[name] = text
		case len(values) > 1:
			return fault.New(fault.Conflict, name, "%s is given %d times", name, len(values))
		default:
			members[name] = written(values[0], in.Properties[k].Schema)
		}
	}
	return nil
}

// written is a word of an address as JSON: a number or a boolean where the schema wants one and it is one, else a string.
func written(word string, s *tools.Schema) json.RawMessage {
	text := []byte(word)
	if s != nil && !slices.Contains(s.Types, "string") && json.Valid(text) {
		return text
	}
	quoted, err := json.Marshal(word)
	if err != nil {
		panic(err) // a string always has JSON
	}
	return quoted
}

// statuses of errors.
var statuses = map[fault.Kind]int{
	fault.NotFound: http.StatusNotFound, fault.Forbidden: http.StatusForbidden, fault.Conflict: http.StatusConflict,
	fault.InvalidState: http.StatusConflict, fault.LimitExceeded: http.StatusUnprocessableEntity, fault.Internal: http.StatusInternalServerError,
}

// fail answers with an error: what may be told of it, in the language of the visitor as far as it is said in it.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	e := fault.Public(err)
	send(w, r, cmp.Or(statuses[e.Kind], http.StatusBadRequest), e)
}

func send(w http.ResponseWriter, r *http.Request, status int, e *fault.Error) {
	text, err := json.Marshal(struct {
		Error *fault.Error `json:"error"`
	}{e.In(languageOf(w, r))})
	if err != nil {
		panic(fmt.Sprintf("an error has no JSON: %v", err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}
