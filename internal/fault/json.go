package fault

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// inJSON is what a kind of Go's values is in JSON; others are numbers.
var inJSON = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "true or false", reflect.Slice: "an array", reflect.Array: "an array",
	reflect.Struct: "an object", reflect.Map: "an object", reflect.Pointer: "an object", reflect.Interface: "an object",
}

// given are the words for the values of JSON.
var given = map[string]string{
	"string": "a string", "bool": "true or false", "array": "an array", "object": "an object", "number": "a number",
}

// JSON says why a text is not the JSON that was wanted, without the names of Go's types:
//
//	steps is a string where an array is needed
//	invalid character '}' after object key
func JSON(err error) string {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case ok:
		names := slices.DeleteFunc(strings.Split(wrong.Field, "."), isTypeName)
		value, _, _ := strings.Cut(wrong.Value, " ") // of a number that does not fit, the number follows
		return fmt.Sprintf("%s is %s where %s is needed", cmp.Or(strings.Join(names, "."), "it"), given[value],
			cmp.Or(inJSON[wrong.Type.Kind()], "a number"))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it is cut off"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// isTypeName tells the name of an embedded type from that of a member.
func isTypeName(name string) bool { return name != "" && unicode.IsUpper(rune(name[0])) }
