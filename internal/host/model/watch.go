package model

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// watch sees every try of a request: the SDKs repeat by themselves, and in the end tell
// less than what a user needs to know.
type watch struct {
	ctx      context.Context
	settings Settings

	tries      int
	status     int    // of the last answer; 0 = there was none
	kind       string // media type of the last answer
	message    string // what the last answer says of its error
	retryAfter time.Duration
}

// do is a middleware of both SDKs. It lets them repeat only where that can help in time.
func (w *watch) do(request *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	w.tries++
	w.status, w.kind, w.message, w.retryAfter = 0, "", "", 0
	response, err := next(request)
	if err != nil {
		return response, err
	}
	w.status, w.kind = response.StatusCode, response.Header.Get("Content-Type")
	if w.status < 400 {
		return response, nil
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // what is there of it is enough
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	var code string
	w.message, code = errorText(body)
	var asked bool
	w.retryAfter, asked = retryAfter(response.Header)
	deadline, bounded := w.ctx.Deadline()
	if w.retryAfter > longestWait || bounded && time.Until(deadline) < w.retryAfter || code == "insufficient_quota" {
		response.Header.Set("X-Should-Retry", "false")
	}
	if asked || w.status >= 500 {
		w.settings.Log.Warn("model provider answered with an error", "provider", w.settings.Provider,
			"status", w.status, "try", w.tries, "retry_after", w.retryAfter)
	}
	return response, nil
}

// retryAfter is how long the provider asks to wait, by the headers that both SDKs obey.
func retryAfter(h http.Header) (time.Duration, bool) {
	for _, header := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		value := h.Get(header.name)
		if n, err := strconv.ParseFloat(value, 64); err == nil && n >= 0 {
			// Beyond a day it makes no difference, and it stays within what a Duration holds.
			return time.Duration(min(n*float64(header.unit), float64(24*time.Hour))), true
		}
		if t, err := http.ParseTime(value); err == nil {
			return max(0, time.Until(t)), true
		}
	}
	return 0, false
}

// errorText is what an answer says of its error, in the forms of OpenAI, Anthropic, Ollama,
// vLLM and others, and its code. A page for browsers says nothing.
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

// mask makes a provider's words fit for an error: on one line, without keys, and not too long.
func (s Settings) mask(text string) string {
	if s.Key != "" {
		text = strings.ReplaceAll(text, s.Key, "***")
	}
	text = keyLike.ReplaceAllString(text, "***")
	return cut(strings.Join(strings.Fields(text), " "), 400)
}

func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
