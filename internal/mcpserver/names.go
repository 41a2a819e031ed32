package mcpserver

import (
	"encoding/json"
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
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return "", "", 0 // what is no object has no members
	}
	for name := range members {
		for _, known := range levels[at].names {
			if name != known && strings.EqualFold(name, known) && (wrong == "" || name < wrong) {
				wrong, right = name, known
			}
		}
	}
	if wrong != "" || at+1 == len(levels) {
		return wrong, right, at
	}
	return misspelt(members[levels[at+1].below], at+1)
}
