package report

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"image/color"
	"regexp"
	"strconv"
	"strings"

	"econ-mcp/internal/plot"
)

//go:embed page.html
var pageText string

// pageTemplate is the report as one page.
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"together": together.Replace}).Parse(pageText))

// together keeps a number and its unit on one line.
var together = strings.NewReplacer(" %", "\u00a0%", " pp", "\u00a0pp")

// darkPaper is the background of a page in the dark.
var darkPaper = color.NRGBA{R: 0x18, G: 0x1A, B: 0x1B, A: 0xFF}

// page is what the template says.
type page struct {
	Dark                template.CSS // colours of figures in the dark
	Language, Title, Of string
	Sections            []pageSection
}

type pageSection struct {
	Section
	Number  int
	Numeric []bool // columns of numbers are aligned to the right
	Drawn   []drawing
}

type drawing struct {
	Caption string
	SVG     template.HTML // of our own making
}

func (r *Report) html(ctx context.Context) (string, error) {
	p := page{
		Dark: template.CSS(plot.DarkColours(darkPaper)), Language: r.Language, Title: r.Title,
		Of: word(r.Language, "Experiment ", "实验 ") + r.Experiment,
	}
	for k, s := range r.Sections {
		section := pageSection{Section: s, Number: k + 1, Numeric: table{s.Heads, s.Rows}.numeric()}
		for _, f := range s.Figures {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			svg, err := r.SVG(f.Name)
			if err != nil {
				return "", err
			}
			section.Drawn = append(section.Drawn, drawing{f.Caption, template.HTML(onScreen(plot.Themed(svg)))})
		}
		p.Sections = append(p.Sections, section)
	}
	var b strings.Builder
	err := pageTemplate.Execute(&b, p)
	return b.String(), err
}

// svgSize is the size on paper of a figure.
var svgSize = regexp.MustCompile(`width="([0-9.]+)pt" height="[0-9.]+pt"`)

// figureWidth is the least width of a figure on a screen, as a part of that on paper: on
// narrower ones it scrolls, rather than shrink beyond reading. screenScale is how much
// larger than on paper it is where there is room.
const (
	figureWidth = .95
	screenScale = 1.35
)

// onScreen lets a figure take the width of its page, between figureWidth and screenScale.
func onScreen(svg []byte) []byte {
	size := svgSize.FindSubmatch(svg)
	if size == nil {
		return svg
	}
	width, _ := strconv.ParseFloat(string(size[1]), 64)
	return bytes.Replace(svg, size[0], fmt.Appendf(nil, `style="width:100%%;min-width:%.0fpt;max-width:%.0fpt"`,
		figureWidth*width, screenScale*width), 1)
}
