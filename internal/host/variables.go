package host

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hashicorp/go-envparse"
	"github.com/tailscale/hujson"
)

// input is what VS Code asks its user for, and puts in the place of ${input:ID}.
type input struct{ description, fallback string }

// readInputs reads `inputs`. Their other members are for VS Code.
func (r *configReader) readInputs(list hujson.Value) {
	array, ok := list.Value.(*hujson.Array)
	if !ok {
		r.warn(list, "inputs must be a list; it is ignored")
		return
	}
	for _, element := range array.Elements {
		members, wrong := r.object(element)
		if wrong != nil {
			r.warnings = append(r.warnings, wrong)
			continue
		}
		text := map[string]string{} // values that are not texts count as absent
		for _, m := range members {
			text[nameOf(m)] = textOf(m.Value)
		}
		r.inputs[text["id"]] = input{text["description"], text["default"]}
	}
}

// textOf is a text; "" for any other value.
func textOf(v hujson.Value) string {
	if text, ok := v.Value.(hujson.Literal); ok && text.Kind() == '"' {
		return text.String()
	}
	return ""
}

// reference is ${…}.
var reference = regexp.MustCompile(`\$\{([^}]*)\}`)

// environmentName is what ${NAME} and ${env:NAME} may name.
var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// expand replaces the references in a text. If any has no value, the first of those is the error,
// and the text stays as it is.
func (r *configReader) expand(v hujson.Value, text *string) *ConfigError {
	var problem *ConfigError
	expanded := reference.ReplaceAllStringFunc(*text, func(found string) string {
		value, wrong := r.value(found[2 : len(found)-1])
		if wrong != "" && problem == nil {
			problem = r.wrong(v, "%s", wrong)
		}
		return value
	})
	if problem == nil {
		*text = expanded
	}
	return problem
}

// value is what stands for the inside of a reference, or what is wrong.
func (r *configReader) value(inside string) (value, wrong string) {
	switch inside {
	case "workspaceFolder", "cwd":
		return r.folder, ""
	case "workspaceFolderBasename":
		return filepath.Base(r.folder), ""
	case "userHome":
		home, err := os.UserHomeDir()
		if err != nil {
			return "", "${userHome} is not known here"
		}
		return home, ""
	case "pathSeparator", "/":
		return string(filepath.Separator), ""
	}
	if id, ok := strings.CutPrefix(inside, "input:"); ok {
		in := r.inputs[id]
		name := inputPrefix + strings.ToUpper(regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(id, "_"))
		if value, ok := os.LookupEnv(name); ok {
			return value, ""
		}
		if in.fallback != "" {
			return in.fallback, ""
		}
		return "", fmt.Sprintf("the input %q (%s) has no value; set the variable %s", id, cmp.Or(in.description, "without a description"), name)
	}
	name, fallback, hasFallback := strings.Cut(strings.TrimPrefix(inside, "env:"), ":-")
	if !environmentName.MatchString(name) {
		return "", fmt.Sprintf("${%s} is not known; known are ${NAME}, ${env:NAME} and ${NAME:-default} for variables of the environment, "+
			"${input:ID}, ${workspaceFolder}, ${workspaceFolderBasename}, ${userHome}, ${cwd} and ${pathSeparator}", inside)
	}
	if value, ok := os.LookupEnv(name); ok {
		return value, ""
	}
	if hasFallback {
		return fallback, ""
	}
	return "", fmt.Sprintf("the variable %s is not set in the environment; ${%[1]s:-} would do without", name)
}

// workspace is the folder that ${workspaceFolder} stands for: that of a project whose own
// configuration this is, else the current one.
func workspace(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(absolute)
	if name := filepath.Base(folder); name == ".vscode" || name == ".cursor" {
		return filepath.Dir(folder), nil
	}
	return os.Getwd()
}

// readEnvFile adds the variables of a file of lines NAME=value, where env does not have them.
func (r *configReader) readEnvFile(v hujson.Value, name string, env map[string]string) *ConfigError {
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.folder, name)
	}
	file, err := os.Open(name)
	if err != nil {
		if pathError, ok := errors.AsType[*fs.PathError](err); ok {
			err = pathError.Err
		}
		return r.wrong(v, "the envFile %s cannot be read: %v", name, err)
	}
	defer file.Close()
	variables, err := envparse.Parse(file)
	if e, ok := errors.AsType[*envparse.ParseError](err); ok {
		return r.wrong(v, "the envFile %s, line %d: %v", name, e.Line, e.Err)
	}
	if err != nil {
		return r.wrong(v, "the envFile %s cannot be read: %v", name, err)
	}
	maps.DeleteFunc(variables, func(name, _ string) bool { _, set := env[name]; return set })
	maps.Copy(env, variables)
	return nil
}
