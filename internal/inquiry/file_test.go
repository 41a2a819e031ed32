package inquiry_test

import (
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
