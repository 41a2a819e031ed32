package analysis

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

const reportStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{line-height:1.2}h2{margin-top:2.2rem;border-bottom:1px solid #ddd}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .6rem;border-bottom:1px solid #e6e6e6;text-align:left;vertical-align:top}
.n{text-align:right;white-space:nowrap}th{background:#f6f6f6}
td{overflow-wrap:anywhere}pre{background:#f6f6f6;padding:.8rem;overflow-x:auto;font-size:.86rem}
figure{margin:1.5rem 0}figure svg{height:auto}figcaption{color:#555;font-size:.9rem}`

func (r *Report) html() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<style>\n%s\n</style>\n</head>\n<body>\n<h1>%s</h1>\n",
		r.Language, html.EscapeString(r.Title), reportStyle, html.EscapeString(r.Title))
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "<section>\n<h2>%s</h2>\n", html.EscapeString(s.Title))
		for _, p := range s.Paragraphs {
			fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(p))
		}
		writeHTMLTable(&b, s)
		if s.Code != "" {
			fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(s.Code))
		}
		for _, f := range s.Figures {
			svg, err := r.SVG(f.Name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "<figure>\n%s\n<figcaption>%s</figcaption>\n</figure>\n", onScreen(svg), html.EscapeString(f.Caption))
		}
		b.WriteString("</section>\n")
	}
	b.WriteString("</body>\n</html>\n")
	return b.String(), nil
}

// writeHTMLTable writes a section's table, with columns of numbers aligned to the right.
func writeHTMLTable(b *strings.Builder, s Section) {
	if len(s.Rows) == 0 {
		return
	}
	b.WriteString("<div class=\"scroll\"><table>\n")
	numeric := table{s.Heads, s.Rows}.numeric()
	line := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for k, cell := range cells {
			class := ""
			if numeric[k] {
				class = " class=\"n\""
			}
			fmt.Fprintf(b, "<%s%s>%s</%s>", tag, class, html.EscapeString(cell), tag)
		}
		b.WriteString("</tr>\n")
	}
	line("th", s.Heads)
	for _, row := range s.Rows {
		line("td", row)
	}
	b.WriteString("</table></div>\n")
}

// svgSize is the size on paper of a figure.
var svgSize = regexp.MustCompile(`width="([0-9.]+)pt" height="[0-9.]+pt"`)

// screenScale is how much larger than on paper a figure is in a page, where there is room.
const screenScale = 1.35

// onScreen lets a figure take the width of its page, up to screenScale.
func onScreen(svg []byte) []byte {
	size := svgSize.FindSubmatch(svg)
	if size == nil {
		return svg
	}
	width, _ := strconv.ParseFloat(string(size[1]), 64)
	return bytes.Replace(svg, size[0], fmt.Appendf(nil, `role="img" style="width:100%%;max-width:%.0fpt"`, screenScale*width), 1)
}
