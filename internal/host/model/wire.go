package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

var (
	errCut      = errors.New("the stream ended before the answer did")
	errTold     = errors.New("the provider told of an error within its answer")
	errSilent   = errors.New("the provider said nothing for too long")
	errRefused  = errors.New("the provider answered with a status that is an error")
	errNoAnswer = errors.New("the JSON that came is no answer")
)

// retries is how often a request is repeated after 429, 5xx or no answer.
const retries = 3

// longestWait is how long a provider may ask to wait before a request is repeated.
const longestWait = 2 * time.Minute

// watch makes the requests of one answer: it repeats them if that can help, ends them if the
// provider is silent, and notes what a user needs to know of them.
type watch struct {
	ctx      context.Context // of the caller, without the limit of silence
	settings Settings
	silence  *time.Timer // ends the request; nil = nothing does

	tries      int
	status     int    // of the last answer; 0 = there was none
	kind       string // media type of the last answer
	message    string // what the last answer says of its error
	retryAfter time.Duration

	in    *bufio.Reader     // of the answer, where it is a stream
	left  *io.LimitedReader // below that
	told  []byte            // what holds an error, and ends the answer
	whole []byte            // the answer, where it is one JSON object; nil = it is none
}

// heard begins the limit of silence anew.
func (w *watch) heard() {
	if w.silence != nil {
		w.silence.Reset(w.settings.Silence)
	}
}

// Do sends a request until there is an answer or another try cannot help. The answer is read by
// [watch.read], not from the body of the response.
func (w *watch) Do(request *http.Request) (*http.Response, error) {
	for {
		w.tries++
		w.heard()
		response, err := w.settings.HTTP.Do(request)
		w.status, w.kind, w.message, w.retryAfter = 0, "", "", 0
		if err == nil && response.StatusCode < 300 {
			w.status, w.kind = response.StatusCode, response.Header.Get("Content-Type")
			err = w.open(response)
			return response, err
		}
		again := err != nil && request.Context().Err() == nil
		if err == nil {
			again, err = w.refuse(response), errRefused
		}
		deadline, bounded := w.ctx.Deadline()
		if !again || w.tries > retries || w.retryAfter > longestWait || bounded && time.Until(deadline) < w.retryAfter {
			return nil, err
		}
		w.settings.Log.Warn("model provider failed", "provider", w.settings.Provider, "status", w.status, "try", w.tries, "asked", w.retryAfter)
		if w.silence != nil {
			w.silence.Stop()
		}
		if !host.Pause(request.Context(), w.tries-1, w.retryAfter) {
			return nil, err
		}
		if request.Body, err = request.GetBody(); err != nil {
			return nil, err
		}
	}
}

// refuse reads an answer whose status is an error, and says whether another try may help.
func (w *watch) refuse(response *http.Response) (again bool) {
	body, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // what is there of it is enough
	response.Body.Close()
	var code string
	w.status = response.StatusCode
	w.message, code = errorText(body)
	w.retryAfter = host.RetryAfter(response.Header)
	if w.status < 400 {
		w.message = "it has moved to " + response.Header.Get("Location")
	}
	switch response.Header.Get("X-Should-Retry") { // as the clients of OpenAI and Anthropic do
	case "true":
		return true
	case "false":
		return false
	}
	passes := []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests}
	return (slices.Contains(passes, w.status) || w.status >= 500) && code != "insufficient_quota"
}

// open looks at the first character of an answer: a server that does not stream gives the whole
// answer as JSON, whatever its content type says.
func (w *watch) open(response *http.Response) error {
	w.left = &io.LimitedReader{R: response.Body, N: longestStream}
	w.in = bufio.NewReader(w.left)
	first, err := w.in.Peek(1)
	for err == nil && isSpace(rune(first[0])) {
		w.in.Discard(1)
		first, err = w.in.Peek(1)
	}
	if err != nil || first[0] != '{' {
		return nil // reading on gives the error
	}
	whole, err := io.ReadAll(io.LimitReader(w.in, longestReply+1))
	switch {
	case err != nil:
		return err
	case len(whole) > longestReply:
		return errLong
	case toldError(whole):
		w.told = whole
		return errTold
	case !json.Valid(whole):
		return io.ErrUnexpectedEOF
	}
	w.whole = whole
	return nil
}

// longestStream bounds a stream, in bytes: a chunk of a few characters has some hundreds.
const longestStream = 4 * longestReply

// read passes an answer that is one JSON object to whole, or else each event of the stream to event,
// until there is an error; io.EOF is the end.
func (w *watch) read(d *draft, whole, event func(data []byte, d *draft) error) error {
	if w.whole != nil {
		return whole(w.whole, d)
	}
	for {
		data, err := w.next()
		if err == nil {
			err = event(data, d)
		}
		if err == nil && d.size > longestReply {
			err = errLong
		}
		if err != nil {
			return err
		}
	}
}

// next is the data of the next server-sent event. Names, comments and empty lines are skipped.
// io.EOF is the end of the stream.
func (w *watch) next() ([]byte, error) {
	for {
		line, err := w.in.ReadBytes('\n')
		if w.left.N <= 0 || len(line) > longestReply {
			return nil, errLong
		}
		data, found := bytes.CutPrefix(line, []byte("data:"))
		data = bytes.TrimSpace(data)
		if err != nil && (!found || !json.Valid(data)) { // it was cut
			return nil, err
		}
		if !found || len(data) == 0 {
			continue
		}
		if toldError(data) {
			w.told = data
			return nil, errTold
		}
		return data, nil
	}
}

// toldError says whether an event holds an error.
func toldError(data []byte) bool {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return false
	}
	var event struct {
		Error any `json:"error"`
	}
	return json.Unmarshal(data, &event) == nil && event.Error != nil
}

// errorText is the message and the code of an error, in the forms of OpenAI, Anthropic, Ollama, vLLM
// and others. A web page has none.
func errorText(body []byte) (message, code string) {
	var answer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  string          `json:"detail"`
	}
	if json.Unmarshal(body, &answer) != nil && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		text := strings.TrimSpace(string(body))
		if strings.HasPrefix(text, "<") {
			text = ""
		}
		return text, ""
	}
	var inner struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Code    any    `json:"code"`
	}
	if json.Unmarshal(answer.Error, &inner) == nil && inner.Message != "" {
		code, _ = inner.Code.(string)
		if inner.Type != "" && !strings.Contains(inner.Message, inner.Type) {
			inner.Message = inner.Type + ": " + inner.Message
		}
		return inner.Message, code
	}
	var text string
	if json.Unmarshal(answer.Error, &text) == nil && text != "" {
		return text, ""
	}
	return answer.Message + answer.Detail, ""
}

// keyLike are texts that look like the keys of providers, which their errors may quote.
var keyLike = regexp.MustCompile(`\b(sk|pk|key)-[\w*.-]{4,}|(?i:\bbearer\s+)\S+`)

// mask prepares a provider's message for an error: one line, without keys, not too long.
func (s Settings) mask(text string) string {
	if s.Key != "" {
		text = strings.ReplaceAll(text, s.Key, "***")
	}
	text = keyLike.ReplaceAllString(text, "***")
	return fault.Shorten(strings.Join(strings.Fields(text), " "), 400)
}
