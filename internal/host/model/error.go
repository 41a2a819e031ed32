package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sashabaranov/go-openai"

	"econ-mcp/internal/fault"
)

// Error says why there is no complete answer. It never holds a key.
type Error struct {
	Provider string
	Status   int    // of HTTP, where the provider answered with an error; 0 = it did not
	Message  string // what went wrong, and the next move
	Err      error  // the cause, where it is not the provider's answer
}

// Error gives the sentence, such as
//
//	openai: 401 Unauthorized: the key in OPENAI_API_KEY is not accepted
//	anthropic: the connection broke after 1200 characters of the answer
func (e *Error) Error() string {
	if e.Status == 0 {
		return e.Provider + ": " + e.Message
	}
	status := strings.TrimSpace(fmt.Sprint(e.Status, " ", http.StatusText(e.Status)))
	return e.Provider + ": " + status + ": " + e.Message
}

// Unwrap gives the cause: context.Canceled and context.DeadlineExceeded among others.
func (e *Error) Unwrap() error { return e.Err }

// failure makes an error of what ended the answer and of what was seen on the wire.
func (w *watch) failure(err error, d *draft, silent bool) *Error {
	e := &Error{Provider: w.settings.Provider}
	if w.status >= 300 {
		e.Status = w.status
	}
	came := "before any of the answer"
	if n := utf8.RuneCountInString(d.text.String()); n > 0 {
		came = fmt.Sprintf("after %d characters of the answer", n)
	}
	var unreachable *url.Error
	switch {
	case w.ctx.Err() != nil:
		e.Err = cmp.Or(context.Cause(w.ctx), w.ctx.Err())
		e.Message = "cancelled " + came
		if errors.Is(e.Err, context.DeadlineExceeded) {
			e.Message = "the time was over " + came
		}
		e.Message += w.said()
	case w.status >= 300:
		e.Message = w.refused()
	case silent:
		e.Err = errSilent
		e.Message = fmt.Sprintf("the model was silent for %v, %s; is it loaded? --answer-timeout gives it more time", w.settings.Silence, came)
	case errors.Is(err, errTold):
		e.Message = w.broke(w.told, came)
	case errors.Is(err, openai.ErrReasoningToolsRequireResponses):
		e.Message, e.Err = "this model takes no function calls by chat completions; --text-calls does without them", err
	case errors.Is(err, errLong):
		e.Message, e.Err = err.Error(), err
	case errors.As(err, &unreachable):
		e.Err = unreachable.Err // without the URL, which is not for logs
		e.Message = fmt.Sprintf(
			"cannot reach %s: %s; is it running, and is the base URL right?", w.where(), w.settings.mask(unreachable.Err.Error()),
		)
	case w.status == 0: // nothing was sent
		e.Message, e.Err = "the request cannot be made: "+w.settings.mask(err.Error()), err
	case errors.Is(err, errNoAnswer):
		e.Message, e.Err = "it answered with JSON that is no answer of a model; is the base URL right?", err
	case errors.Is(err, errCut) && !strings.HasPrefix(w.kind, "text/event-stream"):
		e.Message, e.Err = fmt.Sprintf("it answered without a stream, as %q; is the base URL right?", fault.Shorten(w.kind, 60)), err
	case errors.Is(err, errCut), isConnection(err):
		e.Message, e.Err = "the connection broke "+came+"; ask again", err
	default:
		e.Message, e.Err = "a chunk of the stream cannot be read, "+came+": "+w.settings.mask(fault.JSON(err)), err
	}
	return e
}

// isConnection tells a connection that died from a chunk that is wrong.
func isConnection(err error) bool {
	var network net.Error
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.As(err, &network)
}

// refused words an answer with a status that is an error.
func (w *watch) refused() string {
	variable, said := KeyVariable(w.settings.Provider), w.settings.mask(w.message)
	if said != "" {
		said = " (" + said + ")"
	}
	switch {
	case w.status < 400:
		return "the base URL is not where the provider is" + said
	case w.status == http.StatusUnauthorized && w.settings.Key == "":
		return "it wants a key: set " + variable + said
	case w.status == http.StatusUnauthorized:
		return "the key in " + variable + " is not accepted" + said
	case w.status == http.StatusForbidden:
		return "the key in " + variable + " does not allow this" + said
	case w.status == http.StatusNotFound:
		return fmt.Sprintf("there is no model %q, or the base URL is wrong%s", w.settings.Model, said)
	case w.status == http.StatusTooManyRequests && w.retryAfter > 0:
		return fmt.Sprintf("too many requests, %s; ask again in %v%s", w.times(), w.retryAfter.Round(time.Second/10), said)
	case w.status == http.StatusTooManyRequests:
		return fmt.Sprintf("too many requests, %s%s", w.times(), said)
	case w.status >= 500:
		return fmt.Sprintf("the provider failed, %s%s", w.times(), said)
	}
	return cmp.Or(w.settings.mask(w.message), "the request was refused without a word")
}

// said quotes the last answer, for when the time ran out while waiting to repeat.
func (w *watch) said() string {
	if w.status < 300 {
		return ""
	}
	return fmt.Sprintf("; the last of %d answers was: %s", w.tries, cmp.Or(w.settings.mask(w.message), http.StatusText(w.status)))
}

func (w *watch) times() string {
	if w.tries == 1 {
		return "asked once"
	}
	return fmt.Sprintf("asked %d times", w.tries)
}

// broke words an error that came within the stream.
func (w *watch) broke(event []byte, came string) string {
	said, _ := errorText(event)
	return fmt.Sprintf("the provider failed %s: %s", came, cmp.Or(w.settings.mask(said), "it does not say why"))
}

// where is the host that was spoken to, without path and credentials.
func (w *watch) where() string {
	u, err := url.Parse(w.settings.BaseURL)
	if err != nil || u.Host == "" {
		return "the provider"
	}
	return u.Scheme + "://" + u.Host
}
