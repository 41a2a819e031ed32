package analysis

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// reportStyle asks for nothing from outside. Tables and figures that are wider than the
// page scroll by themselves, the first column of a table stays; figures are on white paper
// in the dark too.
const reportStyle = `:root{color-scheme:light dark;--ink:#222;--soft:#555;--paper:#fff;--band:#f4f4f4;--rule:#ddd}
@media(prefers-color-scheme:dark){:root{--ink:#e4e4e4;--soft:#b0b0b0;--paper:#181a1b;--band:#24272a;--rule:#3c4043}}
body{font:16px/1.5 system-ui,"Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;max-width:66rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--paper);overflow-wrap:break-word}
p,figcaption{max-width:60rem}h1{line-height:1.2;margin-bottom:.3rem}h2{margin-top:2.2rem;border-bottom:1px solid var(--rule)}
.of,nav,figcaption{color:var(--soft);font-size:.9rem}.of{margin:0}nav a{color:inherit;white-space:nowrap}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .5rem;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top;min-width:6em}
td{max-width:32em}.n{text-align:right;white-space:nowrap;min-width:0}th{background:var(--band);vertical-align:bottom}th.n{white-space:normal}
th:first-child,td:first-child{position:sticky;left:0;min-width:6.5em}td:first-child{background:var(--paper)}
pre{background:var(--band);padding:.8rem;white-space:pre-wrap;font-size:.86rem}
figure{margin:1.5rem 0}figure svg{display:block;height:auto;background:#fff}
@media print{body{max-width:none;margin:0;font-size:10.5pt}nav{display:none}.scroll{overflow:visible}table{font-size:7.5pt}th,td{padding:.2rem .35rem;min-width:0!important;max-width:none;position:static!important}h2{break-after:avoid}figure,tr{break-inside:avoid}figure svg{min-width:0!important;max-width:100% !important}}`

// figureWidth is the least width of a figure on a screen, as a part of that on paper: on
// narrower ones it scrolls, rather than shrink beyond reading.
const figureWidth = .95

// together keeps a number and its unit on one line.
var together = strings.NewReplacer(" %", "\u00a0%", " pp", "\u00a0pp")

func (r *Report) html() (string, error) {
	var b strings.Builder
	title := html.EscapeString(r.Title)
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<style>\n%s\n</style>\n</head>\n<body>\n<h1>%s</h1>\n<p class=\"of\">%s</p>\n<nav>",
		r.Language, title, reportStyle, title, html.EscapeString(word(r.Language, "Experiment ", "实验 ")+r.Experiment))
	for k, s := range r.Sections {
		if k > 0 {
			b.WriteString(" · ")
		}
		fmt.Fprintf(&b, "<a href=\"#s%d\">%s</a>", k+1, html.EscapeString(s.Title))
	}
	b.WriteString("</nav>\n")
	for k, s := range r.Sections {
		fmt.Fprintf(&b, "<section id=\"s%d\">\n<h2>%s</h2>\n", k+1, html.EscapeString(s.Title))
		for _, p := range s.Paragraphs {
			fmt.Fprintf(&b, "<p>%s</p>\n", together.Replace(html.EscapeString(p)))
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
			fmt.Fprintf(&b, "<figure>\n<div class=\"scroll\">%s</div>\n<figcaption>%s</figcaption>\n</figure>\n", onScreen(svg, f.Caption), html.EscapeString(f.Caption))
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

// onScreen lets a figure take the width of its page, between figureWidth and screenScale,
// and names it for those who hear it.
func onScreen(svg []byte, name string) []byte {
	size := svgSize.FindSubmatch(svg)
	if size == nil {
		return svg
	}
	width, _ := strconv.ParseFloat(string(size[1]), 64)
	return bytes.Replace(svg, size[0], fmt.Appendf(nil, `role="img" aria-label="%s" style="width:100%%;min-width:%.0fpt;max-width:%.0fpt"`,
		html.EscapeString(name), figureWidth*width, screenScale*width), 1)
}
