package inquiry_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
)

// What a file holds becomes part of the inquiry, which is the same experiment as one that names the
// scenario, and needs the file no more.
func TestFileBecomesPartOfTheInquiry(t *testing.T) {
	files := func(path string) (scenario.Scenario, error) { return presets.Load(strings.TrimSuffix(path, ".yaml")) }
	for _, name := range presets.Names() {
		const more = "arms: {a: {events: [{set: {vat_rate: 20%}, from: 2}]}}\ndesign: {months: 300}"
		filed, err := inquiry.DecodeFiles([]byte("background: {file: "+name+".yaml}\n"+more), files)
		if err != nil {
			t.Fatal(err)
		}
		again, err := inquiry.Decode(filed.Encode())
		if err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, filed.Encode())
		}
		named, err := inquiry.Decode([]byte("background: {preset: " + name + "}\n" + more))
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.Scenarios(builtIn{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := named.Scenarios(builtIn{})
		if err != nil {
			t.Fatal(err)
		}
		for k := range want {
			if got[k].Scenario.Hash() != want[k].Scenario.Hash() {
				t.Errorf("%s: arm %s is another scenario", name, want[k].Name)
			}
		}
	}
	if _, err := inquiry.Decode([]byte("background: {file: /etc/passwd}")); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("a file where none are read: %v", err)
	}
	if _, err := inquiry.DecodeFiles([]byte("background: {file: crisis.yaml, preset: crisis}"), files); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a file and a preset: %v", err)
	}
}

// What the guide shows can be asked as it stands there.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/GUIDE.md")
	if err != nil {
		t.Fatal(err)
	}
	guide, _, _ = bytes.Cut(guide, []byte("\n## Many points")) // what follows are files of sweeps and estimations
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)\n```yaml\n(.*?)```").FindAllSubmatch(guide, -1) {
		blocks = append(blocks, string(m[1]))
	}
	rule := regexp.MustCompile("`(rules: [^`]*)`").FindSubmatch(guide)
	if len(blocks) != 3 || rule == nil {
		t.Fatalf("%d inquiries and the rule %q", len(blocks), rule)
	}
	arms, equal, find := blocks[0], blocks[1], blocks[2]
	for _, text := range []string{arms, arms + equal, find, "arms: {retention: {" + string(rule[1]) + "}}\n"} {
		if q := mustDecode(t, text); len(mustScenarios(t, q)) < 2 && q.Find == nil {
			t.Errorf("it compares nothing:\n%s", text)
		}
	}
}
