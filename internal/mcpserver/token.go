package mcpserver

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
)

// minToken is the shortest token that is accepted, in bytes.
const minToken = 16

// Token lets a principal in.
type Token struct {
	access.Caller

	sum [sha256.Size]byte // of the secret
}

// NewToken is a token with which a caller is let in who shows the secret.
func NewToken(c access.Caller, secret string) Token { return Token{c, sha256.Sum256([]byte(secret))} }

// Find is the caller whom one of the tokens lets in.
func Find(list []Token, secret string) (access.Caller, bool) {
	t, ok := find(list, secret)
	return t.Caller, ok
}

// ReadTokens reads a file of tokens: lines of principal, role and token, or the same as a
// YAML list of {principal, role, token}. Roles are those of [access.Roles]. A file that others
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

// parseTokens reads the tokens of a file. Its errors repeat nothing of it: whoever swaps
// two columns has a secret where a name should be.
func parseTokens(data []byte) ([]Token, error) {
	rows, err := tokenRows(data)
	if err != nil {
		return nil, err
	}
	var list []Token
	seen := make(map[[sha256.Size]byte]int)
	for i, r := range rows {
		wrong := func(kind fault.Kind, hint, format string, args ...any) error {
			return fault.New(kind, fmt.Sprintf("token %d", i+1), "in token %d of the file, "+format, append([]any{i + 1}, args...)...).WithHint(hint)
		}
		switch {
		case !namePattern.MatchString(r.Principal):
			return nil, wrong(fault.WrongType, "principal, role, token, in this order; a principal matches "+namePattern.String(),
				"the principal is no name")
		case !slices.Contains(access.Roles, access.Role(r.Role)):
			return nil, wrong(fault.OutOfRange, "write read-only, full or admin between principal and token",
				"the role must be read-only, full or admin")
		case strings.ContainsFunc(r.Token, func(c rune) bool { return c <= ' ' || c > '~' }):
			return nil, wrong(fault.WrongType, "use letters, digits and punctuation of ASCII",
				"the token holds a blank or a character that clients cannot send")
		case len(r.Token) < minToken:
			return nil, wrong(fault.OutOfRange, "make another one, such as by openssl rand -hex 16", "the token is shorter than %d characters",
				minToken)
		}
		t := Token{Caller: access.Caller{Principal: r.Principal, Role: access.Role(r.Role)}, sum: sha256.Sum256([]byte(r.Token))}
		if first := seen[t.sum]; first > 0 {
			return nil, wrong(fault.Conflict, "give each its own", "the token is that of token %d", first)
		}
		seen[t.sum] = i + 1
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, fault.New(fault.NotFound, "", "the file holds no token")
	}
	return list, nil
}

// tokenRows takes the file apart.
func tokenRows(data []byte) ([]tokenRow, error) {
	const hint = "a token is a line of principal, role and token, or an element {principal, role, token} of a YAML list"
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
		err := decoder.Decode(&rows)
		if err == nil {
			return rows, nil
		}
		e := fault.New(fault.WrongType, "", "the file is not a list of tokens") // the decoder's message may hold one
		if line := lineOf.FindString(err.Error()); line != "" {
			e.Message += ": see " + line
		}
		e.Hint = hint
		return nil, e
	}
	for i, line := range lines {
		words := strings.Fields(line)
		if len(words) != 3 {
			return nil, fault.New(fault.WrongType, "", "token %d must be three words: principal, role, token", i+1).WithHint(hint)
		}
		rows = append(rows, tokenRow{words[0], words[1], words[2]})
	}
	return rows, nil
}

// lineOf is all that is told of an error of the YAML decoder.
var lineOf = regexp.MustCompile(`line [0-9]+`)

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
