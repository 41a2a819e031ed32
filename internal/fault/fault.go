// Package fault is the one error type of econ-mcp: a kind for programs, a
// sentence for people, and the next move for both.
package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Kind classifies an error for programs. Its values are part of the protocol.
type Kind string

const (
	UnknownParameter Kind = "unknown_parameter"
	OutOfRange       Kind = "out_of_range"
	WrongType        Kind = "wrong_type"
	NotFound         Kind = "not_found"
	Required         Kind = "required"  // a missing argument
	Forbidden        Kind = "forbidden" // to this caller
	Conflict         Kind = "conflict"
	LimitExceeded    Kind = "limit_exceeded"
	InvalidState     Kind = "invalid_state"
	Internal         Kind = "internal"
)

// Error says what is wrong with which field and what to do about it.
type Error struct {
	Kind    Kind
	Field   string   // the parameter or argument concerned, where there is one
	Message string   // what is wrong, for everyone
	Chinese string   // the message in Chinese, of errors that an answer in Chinese tells of; "" = there is none
	Detail  string   // for who runs the program: paths, what its system or its database said
	Hint    string   // the next move
	HintZH  string   // the next move in Chinese; "" = there is none
	Allowed []string // nearest names, choices or the range
}

// Error gives the sentence, such as
//
//	unknown_parameter: unknown parameter "income_tax"; did you mean "income_tax_rate"?
//	out_of_range: vat_rate = 1.4; allowed 0 to 0.6
func (e *Error) Error() string {
	s := string(e.Kind) + ": " + e.Text()
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Text is what is wrong, with its detail.
func (e *Error) Text() string {
	if e.Detail == "" {
		return e.Message
	}
	return e.Message + ": " + e.Detail
}

// MarshalJSON gives the inner object of the protocol's error envelope. All five
// members are always there.
func (e *Error) MarshalJSON() ([]byte, error) {
	allowed := e.Allowed
	if allowed == nil {
		allowed = []string{}
	}
	return json.Marshal(struct {
		Code    Kind     `json:"code"`
		Field   string   `json:"field"`
		Message string   `json:"message"`
		Hint    string   `json:"hint"`
		Allowed []string `json:"allowed"`
	}{e.Kind, e.Field, e.Text(), e.Hint, allowed})
}

// New makes an error whose message is formatted as by fmt.Sprintf.
func New(kind Kind, field, format string, args ...any) *Error {
	return &Error{Kind: kind, Field: field, Message: fmt.Sprintf(format, args...)}
}

// WithHint gives the error its next move and returns it.
func (e *Error) WithHint(hint string) *Error {
	e.Hint, e.HintZH = hint, ""
	return e
}

// InChinese gives the error its message in Chinese, formatted as by fmt.Sprintf, and returns it.
func (e *Error) InChinese(format string, args ...any) *Error {
	e.Chinese = fmt.Sprintf(format, args...)
	return e
}

// MessageIn is the message in a language, zh or en, as far as there is one.
func (e *Error) MessageIn(language string) string {
	if language == "zh" && e.Chinese != "" {
		return e.Chinese
	}
	return e.Message
}

// HintIn is the next move in a language, zh or en, as far as there is one.
func (e *Error) HintIn(language string) string {
	if language == "zh" && e.HintZH != "" {
		return e.HintZH
	}
	return e.Hint
}

// In is the error with message and next move in a language, zh or en, as far as there are such.
func (e *Error) In(language string) *Error {
	said := *e
	said.Message, said.Hint = e.MessageIn(language), e.HintIn(language)
	return &said
}

// WithDetail gives the error its detail, formatted as by fmt.Sprintf, and returns it.
func (e *Error) WithDetail(format string, args ...any) *Error {
	e.Detail = fmt.Sprintf(format, args...)
	return e
}

// Public is what may be told beyond the machine of an error: the first [Error] in its chain, without
// its detail. Any other error may hold anything, and nothing of it is told.
func Public(err error) *Error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return New(Internal, "", "an error of the program or its machine").InChinese("程序或其所在的机器出错")
	}
	public := *e
	public.Detail = ""
	return &public
}

// Missing says that an argument that is needed was not given.
func Missing(field, hint string) *Error {
	return &Error{Kind: Required, Field: field, Message: field + " is missing", Chinese: "缺少 " + field, Hint: hint}
}

// Unknown says that no thing of a kind, such as a preset, has this name, and offers the
// nearest of names. The kind is UnknownParameter or NotFound.
func Unknown(kind Kind, what, name string, names []string) *Error {
	e := &Error{Kind: kind, Field: abbreviate(name), Message: "unknown " + what + " " + strconv.Quote(abbreviate(name))}
	e.Chinese = "未知的名称 “" + abbreviate(name) + "”"
	e.Allowed = Nearest(name, names, 3)
	switch {
	case len(e.Allowed) > 0:
		e.Hint, e.HintZH = "did you mean "+alternatives(e.Allowed)+"?", "您指的是 "+strings.Join(e.Allowed, "、")+" 吗？"
	case len(names) == 0:
		e.Hint, e.HintZH = "there are none yet", "目前还没有"
	case len(names) <= 12:
		e.Allowed = append([]string(nil), names...)
		e.Hint, e.HintZH = "known: "+strings.Join(names, ", "), "已有："+strings.Join(names, "、")
	default:
		e.Hint = fmt.Sprintf("none of the %d known names is similar", len(names))
		e.HintZH = fmt.Sprintf("已有 %d 个名称，没有相近的", len(names))
	}
	return e
}

// Range says that a value lies outside the allowed range, such as "0 to 0.6",
// or the choices.
func Range(field, value string, allowed ...string) *Error {
	return &Error{
		Kind:    OutOfRange,
		Field:   field,
		Message: field + " = " + abbreviate(value),
		Hint:    "allowed " + strings.Join(allowed, ", "),
		HintZH:  "允许：" + strings.Join(allowed, "、"),
		Allowed: allowed,
	}
}

// Type says that a value is not of the wanted type, such as "integer".
func Type(field, value, want string) *Error {
	return &Error{
		Kind:    WrongType,
		Field:   field,
		Message: field + " = " + abbreviate(value),
		Hint:    "must be of type " + want,
		HintZH:  "类型应为 " + want,
		Allowed: []string{want},
	}
}

// KindOf is the kind of the first [Error] in err's chain, Internal for any
// other error, and empty for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

func alternatives(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

// mostQuoted keeps a caller's 10 kB "name" out of the messages.
const mostQuoted = 80

func abbreviate(s string) string { return Shorten(s, mostQuoted) }

// Shorten is a text of at most so many characters, or the first of them with "…", without a blank before it.
func Shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return strings.TrimRightFunc(string(r[:most]), unicode.IsSpace) + "…"
	}
	return s
}
