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

// The sections of docs/VALIDATION.md, each written by a command of its own, in their order. A mark stands
// before each but the first.
const (
	factsSection = iota
	dataSection
	microSection
	responsesSection
	stressSection
	cycleSection
	testsSection
)

var sectionMarks = []string{
	"", "<!-- econ-mcp validate data -->", "<!-- econ-mcp validate micro -->", "<!-- econ-mcp validate responses -->",
	"<!-- econ-mcp validate stress -->", "<!-- econ-mcp validate cycle -->", "<!-- econ-mcp validate tests -->",
}

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

// writeSection writes a section into the file at path, which out replaces, and keeps the others that are there.
func writeSection(out *output, path string, section int, text string) error {
	old, err := readRegular(path)
	if err != nil {
		return unusable("--out", path, err)
	}
	sections := make([]string, len(sectionMarks))
	for i, mark := range sectionMarks {
		_, sections[i], _ = strings.Cut(old, mark)
		for _, next := range sectionMarks[i+1:] {
			sections[i], _, _ = strings.Cut(sections[i], next)
		}
	}
	sections[section] = text
	if strings.TrimSpace(sections[factsSection]) == "" {
		sections[factsSection] = "# Validation"
	}
	for i, text := range sections {
		if text = strings.Trim(text, "\n"); text == "" {
			continue
		}
		if i > 0 {
			fmt.Fprintf(out, "\n%s\n\n", sectionMarks[i])
		}
		fmt.Fprintln(out, text) // an error is that of commit
	}
	return out.commit()
}

// validated writes what a validation found into its section of the file at path, and prints it.
func validated(cmd *cobra.Command, file *output, path string, section int, found interface{ Markdown() string }, text func(io.Writer)) error {
	if err := writeSection(file, path, section, found.Markdown()); err != nil {
		return err
	}
	return printed(cmd, found, func(out io.Writer) {
		text(out)
		tellFile(cmd, path)
	})
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
