package web

import (
	"bytes"
	"embed"
	"encoding/json"
	"strings"
	"sync"
	"text/template"

	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

//go:embed view
var viewFiles embed.FS

// View is the page that hosts of the protocol show beside the result of a tool: one file with the charts, numbers and colours of the
// pages. It loads nothing, and has from its host what it shows: what the tool answered, what other tools answer, theme and language.
var View = sync.OnceValue(func() string {
	script, err := bundle("view/main.js", readAnywhere)
	if err != nil {
		panic(err) // they are embedded, and tested
	}
	data := struct{ Sheets, Catalogue, Script string }{"", string(mustJSON(catalogue())), script}
	for _, sheet := range []struct{ id, path string }{
		{"theme.css", ""}, {"app.css", "assets/app.css"}, {"uplot/uPlot.css", "assets/uplot/uPlot.css"}, {"charts.css", "assets/charts.css"},
		{"view.css", "view/view.css"},
	} {
		text := themeCSS()
		if sheet.path != "" {
			if text, err = readAnywhere(sheet.path); err != nil {
				panic(err)
			}
		}
		data.Sheets += "<style id=\"" + sheet.id + "\">\n" + string(text) + "</style>\n"
	}
	var b bytes.Buffer
	if err := template.Must(template.ParseFS(viewFiles, "view/view.html")).Execute(&b, data); err != nil {
		panic(err)
	}
	return b.String()
})

// readAnywhere reads a file of the pages or of the view.
func readAnywhere(name string) ([]byte, error) {
	if strings.HasPrefix(name, "view/") {
		return viewFiles.ReadFile(name)
	}
	return files.ReadFile(name)
}

// bilingual is a text in the languages of the view.
type bilingual struct {
	English string `json:"en"`
	Chinese string `json:"zh"`
}

// catalogued is what the view must know of what results name by identifiers alone.
type catalogued struct {
	Indicators []shownIndicator     `json:"indicators"`
	Groupings  map[string]bilingual `json:"groupings"` // of households
}

type shownIndicator struct {
	Name    string    `json:"name"`
	Label   bilingual `json:"label"`
	Unit    bilingual `json:"unit"`
	Reading string    `json:"reading"`        // see [report.Reading]
	Main    bool      `json:"main,omitempty"` // it is in lists to choose from
}

func catalogue() catalogued {
	c := catalogued{Groupings: map[string]bilingual{}}
	for i := range sim.NumOutcomes {
		c.Indicators = append(c.Indicators, shownIndicator{
			i.String(), bilingual{report.Label(i, report.English), report.Label(i, report.Chinese)},
			bilingual{report.Unit(i, report.English), report.Unit(i, report.Chinese)}, report.Reading(i), i < sim.NumIndicators,
		})
	}
	for _, s := range tables.Standings {
		c.Groupings[s.Name] = bilingual{s.EN, s.ZH}
	}
	return c
}

// mustJSON encodes plain structs, which always encode. Less-than signs are escaped, so that it may stand in HTML.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
