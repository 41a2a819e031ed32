package term

import (
	"econ-mcp/internal/report"
	"fmt"
	"io"
	"strings"
)

// page writes paragraphs in one language, wrapped for a terminal.
type page struct {
	w        io.Writer
	language string
}

func (p page) say(en, zh string) string { return Say(p.language, en, zh) }

// line is a paragraph under a label.
func (p page) line(label, text string) {
	const indent = 14
	fmt.Fprintln(p.w, Wrap(text, lineWidth, "  "+Left(label, indent-2), strings.Repeat(" ", indent)))
}

// lines are several paragraphs under one label.
func (p page) lines(label string, texts []string) {
	for _, text := range texts {
		p.line(label, text)
		label = ""
	}
}

// paragraph stands by itself.
func (p page) paragraph(text string) { fmt.Fprintln(p.w, Indented(text, "")) }

func (p page) counted(n int, en, zh string) string {
	if p.language == report.Chinese {
		return report.FormatNumber(float64(n), 0) + zh
	}
	return report.Plural(n, en)
}

// Say chooses between two languages.
func Say(language, en, zh string) string {
	if language == report.Chinese {
		return zh
	}
	return en
}
