package main

import (
	"archive/zip"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"econ-mcp/sim"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"econ-mcp": main, "until-signal": waitUntilSignal, "econ-broker": runBroker})
}

// TestScripts drives the real binary as a user would.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/.cache")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/.data")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/.config")
			programs, _, _ := strings.Cut(env.Getenv("PATH"), string(os.PathListSeparator))
			env.Setenv("PROGRAMS", programs) // where econ-mcp is, and nothing of the system
			return nil
		},
		Condition: func(condition string) (bool, error) {
			if condition == "broker" { // serve --cluster is there
				return (&clusterFlags{addr: "127.0.0.1:0"}).checkBroker() == nil, nil
			}
			version, ok := strings.CutPrefix(condition, "model:")
			if !ok {
				return false, fmt.Errorf("unknown condition %q", condition)
			}
			return version == sim.ModelVersion, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": codeCommand, "json": jsonCommand, "sql": sqlCommand, "unpack": unpackCommand, "width": widthCommand,
		},
	})
}

// codeCommand is `code N COMMAND [ARGUMENT ...]`: the command ends with exit code N. As
// with exec, `stdout` and `stderr` look at what it printed.
func codeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND [ARGUMENT ...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// sqlCommand is `sql FILE STATEMENT`: it changes a database behind the program's back.
func sqlCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sql FILE STATEMENT")
	}
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(args[1])
	ts.Check(err)
}

// unpackCommand is `unpack BUILD/STATE`: the folder store is what a build left behind, see
// internal/store/testdata/README.md.
func unpackCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unpack BUILD/STATE")
	}
	archive, err := zip.OpenReader(filepath.Join("../../internal/store/testdata", filepath.FromSlash(args[0])+".zip"))
	ts.Check(err)
	defer archive.Close()
	ts.Check(os.CopyFS(ts.MkAbs("."), archive))
}

// jsonCommand is `json FILE PATH [OUT]`: it takes the value at a path such as
// series.real_gdp.0 out of a JSON file and prints it, or writes it to OUT.
// A path that ends in length gives the number of elements.
func jsonCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH [OUT]")
	}
	value, err := lookUp([]byte(ts.ReadFile(args[0])), strings.Split(args[1], "."))
	if neg {
		if err == nil {
			ts.Fatalf("%s has a %s", args[0], args[1])
		}
		return
	}
	ts.Check(err)
	if len(args) == 3 {
		ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(value+"\n"), 0o644))
		return
	}
	fmt.Fprintln(ts.Stdout(), value)
}

func lookUp(data json.RawMessage, path []string) (string, error) {
	if len(path) == 0 {
		return string(data), nil
	}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil {
		if path[0] == "length" {
			return strconv.Itoa(len(list)), nil
		}
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(list) {
			return "", fmt.Errorf("no element %q of %d", path[0], len(list))
		}
		return lookUp(list[i], path[1:])
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return "", err
	}
	if path[0] == "length" {
		return strconv.Itoa(len(object)), nil
	}
	value, ok := object[path[0]]
	if !ok {
		return "", fmt.Errorf("no member %q", path[0])
	}
	return lookUp(value, path[1:])
}

// widthCommand is `width FILE N`: no line is longer than N characters.
func widthCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: width FILE N")
	}
	most, err := strconv.Atoi(args[1])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > most {
			ts.Fatalf("%d characters: %s", n, line)
		}
	}
}
