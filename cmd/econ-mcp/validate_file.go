package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/term"
)

// The sections of docs/VALIDATION.md, each written by a command of its own. A mark stands
// before the second.
const (
	factsSection = iota
	testsSection
)

const testsMark = "<!-- econ-mcp validate tests -->\n\n"

// standard says whether a call has no flag that its result depends on.
func standard(cmd *cobra.Command) bool { return !strings.Contains(commandLine(cmd), "--") }

// reportFile is where a call writes Markdown: the file of --out, or without that flag the one in
// docs, which holds what the standard call finds.
func reportFile(cmd *cobra.Command, out, inDocs string) string {
	if standard(cmd) && hasDocs(cmd) {
		return inDocs
	}
	return out
}

// hasDocs says whether there is a folder for a file of docs, and --out does not name another one.
func hasDocs(cmd *cobra.Command) bool {
	folder, err := os.Stat("docs")
	return err == nil && folder.IsDir() && !cmd.Flags().Changed("out")
}

// tellFile says where Markdown was written, or why not to docs.
func tellFile(cmd *cobra.Command, path string) {
	if path != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "Written to %s.\n", term.Printable(path))
	} else if hasDocs(cmd) {
		fmt.Fprintf(cmd.OutOrStdout(), "Not written to %s, which holds the standard validation; use --out FILE.\n", validationFile)
	}
}

// writeSection writes a section into the file at path, which out replaces, and keeps the other
// section that is there.
func writeSection(out *output, path string, section int, text string) error {
	old, err := readRegular(path)
	if err != nil {
		return unusable("--out", path, err)
	}
	facts, tests, _ := strings.Cut(old, testsMark)
	if section == factsSection {
		facts = text
	} else {
		tests = text
	}
	if facts = strings.TrimRight(facts, "\n"); facts == "" {
		facts = "# Validation"
	}
	if tests != "" {
		tests = "\n" + testsMark + tests
	}
	io.WriteString(out, facts+"\n"+tests) // an error is that of commit
	return out.commit()
}

// readRegular reads a regular file; a missing file, a pipe or a device counts as empty.
func readRegular(path string) (string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return "", nil
	}
	text, err := os.ReadFile(path)
	return string(text), err
}
