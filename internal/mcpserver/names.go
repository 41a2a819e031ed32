package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// levels are the names that the protocol knows in a message, in its params, and in their
// _meta. Go's decoder would take names for them that differ in case.
var levels = []struct {
	below string
	names []string
}{
	{"", []string{"jsonrpc", "id", "method", "params", "result", "error"}},
	{"params", []string{
		"_meta", "name", "arguments", "uri", "cursor", "requestId", "notifications", "protocolVersion", "capabilities", "clientInfo",
		"level", "ref", "argument", "context", "inputResponses", "requestState",
	}},
	{"_meta", []string{"progressToken", mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientCapabilities, mcp.MetaKeyClientInfo,
		mcp.MetaKeyLogLevel}},
}

// misspelt finds a member of a message whose name differs from the right one in case
// only, and says on which level it stands; wrong is "" if there is none.
func misspelt(object []byte, at int) (wrong, right string, level int) {
	eachMember(object, func(name string, value []byte) {
		if wrong != "" {
			return
		}
		if !slices.Contains(levels[at].names, name) {
			for _, known := range levels[at].names {
				if strings.EqualFold(name, known) {
					wrong, right, level = name, known, at
				}
			}
			return
		}
		if at+1 < len(levels) && name == levels[at+1].below {
			wrong, right, level = misspelt(value, at+1)
		}
	})
	return wrong, right, level
}

// eachMember calls f for each member of an object; what is no object has none. The JSON
// must be valid.
func eachMember(object []byte, f func(name string, value []byte)) {
	i := skipSpace(object, 0)
	if i == len(object) || object[i] != '{' {
		return
	}
	for i = skipSpace(object, i+1); object[i] != '}'; i = skipSpace(object, i) {
		end := skipValue(object, i)
		name := string(object[i+1 : end-1])
		if strings.Contains(name, `\`) {
			_ = json.Unmarshal(object[i:end], &name) // valid
		}
		i = skipSpace(object, skipSpace(object, end)+1) // behind the colon
		end = skipValue(object, i)
		f(name, object[i:end])
		if i = skipSpace(object, end); object[i] == ',' {
			i++
		}
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue is the end of the value that begins at i.
func skipValue(b []byte, i int) int {
	depth, quoted := 0, false
	for begin := i; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
			if depth < 0 { // that of the object around a number
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case depth == 0 && i > begin && (c == ',' || c <= ' '):
			return i
		}
	}
	return i
}
