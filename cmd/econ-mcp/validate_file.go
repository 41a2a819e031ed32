package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The sections of docs/VALIDATION.md, each written by a command of its own. A mark stands
// before the second.
const (
	factsSection = iota
	testsSection
)

const testsMark = "<!-- econ-mcp validate tests -->\n\n"

// hasDocs says whether there is a folder for docs/VALIDATION.md and its neighbours.
func hasDocs() bool {
	folder, err := os.Stat(filepath.Dir(validationFile))
	return err == nil && folder.IsDir()
}

// writeValidationSection writes a section into the file and keeps the other one that is
// there; an empty path means none.
func writeValidationSection(path string, section int, text string) error {
	if path == "" {
		return nil
	}
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
	return writeOutput(path, nil, func(out io.Writer) error {
		_, err := io.WriteString(out, facts+"\n"+tests)
		return err
	})
}

// readRegular reads a file; one that is not there is empty, and so is a pipe or a device.
func readRegular(path string) (string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return "", nil
	}
	text, err := os.ReadFile(path)
	return string(text), err
}
