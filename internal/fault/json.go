package fault

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// JSON says why a text is not the JSON that was wanted, without the names of Go's types:
//
//	steps is a string
//	invalid character '}' after object key
func JSON(err error) string {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case ok:
		article := "a"
		if strings.HasPrefix(wrong.Value, "array") || strings.HasPrefix(wrong.Value, "object") {
			article = "an"
		}
		return fmt.Sprintf("%s is %s %s", cmp.Or(wrong.Field, "it"), article, wrong.Value)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it is cut off"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
