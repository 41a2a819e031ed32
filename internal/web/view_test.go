package web

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"econ-mcp/sim"
)

// The view is one file of less than 400 kB, as JSON too, that loads nothing, and knows all indicators.
func TestView(t *testing.T) {
	html := View()
	if data, err := json.Marshal(html); err != nil || len(data) > 400_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	for _, loads := range []string{`<script src`, `<img`, `<iframe`, `@import`, "url(", "fetch(\"http", "importScripts"} {
		if strings.Contains(html, loads) {
			t.Errorf("it has %s", loads)
		}
	}
	for _, link := range regexp.MustCompile(`["'\x60(=]https?://[^\s"'\x60)]+`).FindAllString(html, -1) { // beside those of comments
		if link != `"http://www.w3.org/2000/svg` && !strings.HasPrefix(link, "(https://github.com/leeoniya/uPlot") {
			t.Errorf("it names %s", link)
		}
	}
	_, rest, _ := strings.Cut(html, `id="catalogue">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var c catalogued
	if err := json.Unmarshal([]byte(text), &c); err != nil || len(c.Indicators) != int(sim.NumOutcomes) {
		t.Fatalf("%d indicators, %v", len(c.Indicators), err)
	}
	for _, i := range c.Indicators {
		if i.Label.English == "" || i.Label.Chinese == "" || i.Unit.English == "" || i.Unit.Chinese == "" || i.Reading == "" {
			t.Errorf("%+v", i)
		}
	}
	for _, sheet := range []string{"theme.css", "uplot/uPlot.css", "charts.css"} {
		if !strings.Contains(html, `<style id="`+sheet+`">`) {
			t.Errorf("no %s: the charts would load it", sheet)
		}
	}
	if strings.Count(html, "</script") != 2 {
		t.Error("a script has the end of a script in it")
	}
}

// modules are files of a bundle.
type modules map[string]string

func (m modules) read(name string) ([]byte, error) {
	text, ok := m[name]
	if !ok {
		return nil, fmt.Errorf("no module %s", name)
	}
	return []byte(text), nil
}

// A bundle does what its modules do: in their order, each once, those that are imported later only then; and again when forgotten.
func TestBundle(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node, which runs the bundle")
	}
	script, err := bundle("a/main.js", modules{
		"a/main.js": `// begins
import { one, two as second } from "../b/lib.js";
import pick from "./pick.js";
console.log(one, second(), pick(3), "</script>");
import("./late.js").then(({ Late }) => {
  console.log(new Late().name);
  forget("b/lib.js");
  return import("./late.js");
}).then(({ done }) => done());
`,
		"b/lib.js": "console.log(\"lib\");\nexport const one = 1;\nexport function two() { return 2; }\nexport async function three() { return 3; }\n",
		"a/pick.js": `/** licence */
/*
export function old() {}
*/
function pick(x) { return x + 1; }
export { pick as default };`,
		"a/late.js": `import { three } from "../b/lib.js";
console.log("late");
export class Late { name = "Late"; }
export const done = () => three().then(console.log); // the end`,
	}.read)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(script, "</script") || !strings.Contains(script, "/** licence */") {
		t.Error(script)
	}
	file := filepath.Join(t.TempDir(), "bundle.cjs")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), node, file).CombinedOutput()
	if want := "lib\n1 2 4 </script>\nlate\nLate\nlate\n3\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

// What a bundle cannot say is an error of the program, and not of the browser.
func TestUnbundled(t *testing.T) {
	for name, tt := range map[string]struct {
		modules modules
		want    string
	}{
		"missing":   {modules{"m.js": "import { a } from \"./n.js\";"}, "no module n.js"},
		"namespace": {modules{"m.js": "import * as n from \"./n.js\";"}, "m.js: import * as n"},
		"default":   {modules{"m.js": "export default 1;"}, "m.js: export default 1"},
		"pattern":   {modules{"m.js": "export const { a } = b;"}, "m.js: export const {"},
		"circle":    {modules{"m.js": "import { a } from \"./n.js\";", "n.js": "import { b } from \"./m.js\";"}, "m.js, n.js import each other"},
	} {
		if _, err := bundle("m.js", tt.modules.read); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}
