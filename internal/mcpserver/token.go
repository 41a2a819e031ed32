package mcpserver

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
)

// minToken is the shortest token that is accepted, in bytes.
const minToken = 16

// Token lets a principal in. Principals of the role read-only can look at everything
// and change nothing.
type Token struct {
	Principal string
	ReadOnly  bool

	sum [sha256.Size]byte // of the secret
}

// ReadTokens reads a file of tokens: lines of principal, role and token, or the same as a
// YAML list of {principal, role, token}. Roles are full and read-only. A file that others
// can read is warned of.
func ReadTokens(path string, log *slog.Logger) ([]Token, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		log.Warn("others on this machine can read the tokens: chmod 600", "file", path)
	}
	list, err := parseTokens(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// tokenRow is a token as it is written.
type tokenRow struct {
	Principal string `yaml:"principal"`
	Role      string `yaml:"role"`
	Token     string `yaml:"token"`
}

func parseTokens(data []byte) ([]Token, error) {
	rows, err := tokenRows(data)
	if err != nil {
		return nil, err
	}
	var list []Token
	seen := make(map[[sha256.Size]byte]bool)
	for i, r := range rows {
		switch {
		case !namePattern.MatchString(r.Principal):
			return nil, fault.Type(fmt.Sprintf("principal of token %d", i+1), r.Principal, "name")
		case r.Role != "full" && r.Role != "read-only":
			return nil, fault.Range("role of "+r.Principal, r.Role, "full", "read-only")
		case len(r.Token) < minToken:
			return nil, fault.New(fault.OutOfRange, "token of "+r.Principal, "the token of %s is shorter than %d characters", r.Principal, minToken)
		}
		t := Token{Principal: r.Principal, ReadOnly: r.Role == "read-only", sum: sha256.Sum256([]byte(r.Token))}
		if seen[t.sum] {
			return nil, fault.New(fault.Conflict, "token of "+r.Principal, "the token of %s is given twice", r.Principal)
		}
		seen[t.sum] = true
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, fault.New(fault.NotFound, "", "there is no token in it")
	}
	return list, nil
}

func tokenRows(data []byte) ([]tokenRow, error) {
	var rows []tokenRow
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 && (lines[0][0] == '-' || lines[0][0] == '[') {
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		decoder.KnownFields(true)
		return rows, decoder.Decode(&rows)
	}
	for i, line := range lines {
		words := strings.Fields(line)
		if len(words) != 3 {
			// The line is not repeated: it may hold a secret.
			return nil, fault.New(fault.WrongType, "", "token %d is not: principal role token", i+1)
		}
		rows = append(rows, tokenRow{words[0], words[1], words[2]})
	}
	return rows, nil
}

// find is the token that a client shows. All are compared, in constant time.
func find(list []Token, secret string) (Token, bool) {
	sum := sha256.Sum256([]byte(secret))
	found := -1
	for i := range list {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], list[i].sum[:]), i, found)
	}
	if found < 0 {
		return Token{}, false
	}
	return list[found], true
}
