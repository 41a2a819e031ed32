package access

import (
	"bytes"
	"net"
	"os"
	"strings"

	"econ-mcp/internal/fault"
)

// shortestToken is how many characters the token of a machine has at least.
const shortestToken = 16

// ReadToken reads the token that machines show each other out of a file: one line of 16 characters or more. Errors call the file by the
// flag that named it.
func ReadToken(flag, path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fault.New(fault.NotFound, flag, "cannot read the token file").WithDetail("%v", err)
	}
	token := string(bytes.TrimSpace(text))
	if len(token) < shortestToken || strings.ContainsAny(token, " \t\r\n") {
		return "", fault.New(fault.OutOfRange, flag, "the token file does not hold one line with a token of %d characters or more",
			shortestToken).
			WithHint("openssl rand -hex 32 makes one")
	}
	return token, nil
}

// IsLoopback says whether a host can be reached from this machine only.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
