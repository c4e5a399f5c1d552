package report

import (
	_ "embed"
	"html/template"
	"io"

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
	Groups    []pageGroup // most severe first
	Accepted  int         // groups in the baseline
	Contracts []pageContract
}

type pageGroup struct {
	Group
	Member // that is shown
	Code   []codeLine
	More   bool
	Others string // oracles of the same cause
	In     string // contracts, if there are several
}

type pageContract struct {
	*Contract
	Found string
}

func newPage(r *Report) page {
	groups := r.Groups()
	shown := fresh(groups)
	p := page{Report: r, Accepted: len(groups) - len(shown)}
	for _, g := range shown {
		f := g.Shown()
		lines, more := excerpt(f.Of.Texts[f.Place.File], f.Place)
		p.Groups = append(p.Groups, pageGroup{g, f, lines, more, g.others(), g.contracts()})
	}
	for i := range r.Contracts {
		c := &r.Contracts[i]
		p.Contracts = append(p.Contracts, pageContract{c, found(c.of(shown))})
	}
	return p
}
