package web

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// What our modules may say of others, at the beginning of a line. Whatever else they say is an error of [bundle].
var (
	importing       = regexp.MustCompile(`(?m)^import (?:(\w+)|\{([^}]*)\}) from "([^"]+)";$`)
	importingLater  = regexp.MustCompile(`\bimport\("([^"]+)"\)`)
	exporting       = regexp.MustCompile(`(?m)^export ((?:async )?(?:const|function|class) (\w+))`)
	exportingObject = regexp.MustCompile(`(?m)^export \{ (\w+) as default \};?$`)
	commented       = regexp.MustCompile(`(?ms)^/\*[^*].*?\*/`)
	unbundled       = regexp.MustCompile(`(?m)^\s*(?:import|export)\b.*`)
)

// bundle makes one script of a module and of all that it imports, for a page that may load nothing. A module becomes a function, called
// when the module is first imported; forget(keep…) forgets what the others made, so that they are evaluated again. No module may import
// one that imports it.
func bundle(entry string, read func(name string) ([]byte, error)) (string, error) {
	var b strings.Builder
	b.WriteString("\"use strict\";\n(() => {\nconst modules = {};\nconst made = new Map();\n" +
		"const load = (name) => {\n  if (!made.has(name)) made.set(name, modules[name]());\n  return made.get(name);\n};\n" +
		"const forget = (...keep) => { for (const name of made.keys()) if (!keep.includes(name)) made.delete(name); };\n")
	var done, open []string
	var add func(name string) error
	add = func(name string) error {
		switch {
		case slices.Contains(open, name):
			return fmt.Errorf("the modules %s import each other", strings.Join(open, ", "))
		case slices.Contains(done, name):
			return nil
		}
		source, err := read(name)
		if err != nil {
			return err
		}
		text, imported := module(name, string(source))
		if left := unbundled.FindString(text); left != "" {
			return fmt.Errorf("%s: %s", name, left)
		}
		fmt.Fprintf(&b, "modules[%q] = () => {\n%s};\n", name, text)
		done, open = append(done, name), append(open, name)
		for _, other := range imported {
			if err := add(other); err != nil {
				return err
			}
		}
		open = open[:len(open)-1]
		return nil
	}
	if err := add(entry); err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "load(%q);\n})();\n", entry)
	return strings.ReplaceAll(b.String(), "</script", `<\/script`), nil
}

// module is the body of the function that a module becomes, and what it imports.
func module(name, text string) (body string, imported []string) {
	found := func(address string) string {
		other := path.Join(path.Dir(name), address)
		imported = append(imported, other)
		return other
	}
	var given []string                          // what it exports
	text = commented.ReplaceAllString(text, "") // which may hold what was code; licences begin with /**
	text = replace(importing, text, func(m []string) string {
		if m[1] != "" {
			return fmt.Sprintf("const { default: %s } = load(%q);", m[1], found(m[3]))
		}
		return fmt.Sprintf("const {%s} = load(%q);", strings.ReplaceAll(m[2], " as ", ": "), found(m[3]))
	})
	text = replace(importingLater, text, func(m []string) string {
		return fmt.Sprintf("Promise.resolve().then(() => load(%q))", found(m[1]))
	})
	text = replace(exporting, text, func(m []string) string {
		given = append(given, m[2])
		return m[1]
	})
	text = replace(exportingObject, text, func(m []string) string {
		given = append(given, "default: "+m[1])
		return ""
	})
	return fmt.Sprintf("%s\nreturn { %s };\n", text, strings.Join(given, ", ")), imported
}

func replace(pattern *regexp.Regexp, text string, by func(groups []string) string) string {
	return pattern.ReplaceAllStringFunc(text, func(match string) string { return by(pattern.FindStringSubmatch(match)) })
}
