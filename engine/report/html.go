package report

import (
	_ "embed"
	"html/template"
	"io"

	"leveret/engine/finding"
	"leveret/engine/report/printable"
	"leveret/engine/report/words"
)

//go:embed page.html
var pageText string

// HTML writes the report as one page without external resources.
func HTML(w io.Writer, r *Report, _ Options) error {
	page, err := template.New("page").Funcs(template.FuncMap{
		"creations": words.Creations,
		"steps":     words.Steps,
		"found":     found,
		"percent":   percent,
		"seconds":   seconds,
		"thousands": thousands,
		"perSecond": perSecond,
	}).Parse(pageText)
	if err != nil {
		return err
	}
	return page.Execute(&printable.Writer{W: w}, newPage(r))
}

// A page is the data of the template.
type page struct {
	*Report
	Findings []pageFinding // most severe first
}

type pageFinding struct {
	finding.Finding
	Code []codeLine
	More bool
}

func newPage(r *Report) page {
	var all []finding.Finding
	texts := map[string][]byte{}
	for _, c := range r.Contracts {
		all = append(all, c.Findings...)
		for name, text := range c.Texts {
			texts[name] = text
		}
	}
	p := page{Report: r}
	for _, f := range bySeverity(all) {
		lines, more := excerpt(texts[f.Place.File], f.Place)
		p.Findings = append(p.Findings, pageFinding{f, lines, more})
	}
	return p
}
