package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strconv"

	"leveret/engine/finding"
	"leveret/engine/report/printable"
)

// The elements of Cobertura's coverage-04.dtd. A package is a folder, and a class a
// source file.
type (
	coberturaDocument struct {
		XMLName xml.Name `xml:"coverage"`
		coberturaRates
		LinesCovered    int                `xml:"lines-covered,attr"`
		LinesValid      int                `xml:"lines-valid,attr"`
		BranchesCovered int                `xml:"branches-covered,attr"`
		BranchesValid   int                `xml:"branches-valid,attr"`
		Complexity      int                `xml:"complexity,attr"` // not measured
		Version         string             `xml:"version,attr"`
		Timestamp       int64              `xml:"timestamp,attr"` // of the start, in ms
		Sources         []string           `xml:"sources>source"`
		Packages        []coberturaPackage `xml:"packages>package"`
	}
	coberturaRates struct {
		Lines    string `xml:"line-rate,attr"`
		Branches string `xml:"branch-rate,attr"`
	}
	coberturaPackage struct {
		Name string `xml:"name,attr"`
		coberturaRates
		Complexity int              `xml:"complexity,attr"`
		Classes    []coberturaClass `xml:"classes>class"`
		files      []finding.FileCoverage
	}
	coberturaClass struct {
		Name string `xml:"name,attr"`
		File string `xml:"filename,attr"`
		coberturaRates
		Complexity int             `xml:"complexity,attr"`
		Methods    struct{}        `xml:"methods"`
		List       []coberturaLine `xml:"lines>line"`
	}
	coberturaLine struct {
		Number     int                  `xml:"number,attr"`
		Hits       int                  `xml:"hits,attr"`
		Branch     bool                 `xml:"branch,attr"`
		Coverage   string               `xml:"condition-coverage,attr,omitempty"` // "50% (1/2)"
		Conditions *coberturaConditions `xml:"conditions"`
	}
	coberturaConditions struct {
		List []coberturaCondition `xml:"condition"`
	}
	coberturaCondition struct {
		Number   int    `xml:"number,attr"`
		Type     string `xml:"type,attr"`
		Coverage string `xml:"coverage,attr"`
	}
)

const coberturaHeader = xml.Header + `<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">` + "\n"

// Cobertura writes the coverage as XML of Cobertura, which GitLab, Azure and Jenkins
// show.
func Cobertura(w io.Writer, r *Report, o Options) error {
	files := r.fileCoverage(r.base(o))
	lines, outcomes := count(files)
	d := coberturaDocument{
		coberturaRates: rates(files), Version: r.Tool, Sources: []string{printable.String(r.base(o))},
		LinesCovered: lines.covered, LinesValid: lines.total, BranchesCovered: outcomes.covered, BranchesValid: outcomes.total,
	}
	if !r.Run.Started.IsZero() {
		d.Timestamp = r.Run.Started.UnixMilli()
	}
	byFolder := map[string]int{}
	for _, f := range files {
		f.Path = printable.String(f.Path)
		folder := path.Dir(f.Path)
		i, known := byFolder[folder]
		if !known {
			i, byFolder[folder] = len(d.Packages), len(d.Packages)
			d.Packages = append(d.Packages, coberturaPackage{Name: folder})
		}
		p := &d.Packages[i]
		p.files = append(p.files, f)
		p.coberturaRates = rates(p.files)
		p.Classes = append(p.Classes, classOf(&f))
	}
	return printable.XML(w, coberturaHeader, d)
}

func rates(files []finding.FileCoverage) coberturaRates {
	lines, outcomes := count(files)
	return coberturaRates{decimal(lines.rate()), decimal(outcomes.rate())}
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

func classOf(f *finding.FileCoverage) coberturaClass {
	branches := map[int][]finding.BranchCoverage{}
	for _, b := range f.Branches {
		branches[b.Line] = append(branches[b.Line], b)
	}
	c := coberturaClass{Name: path.Base(f.Path), File: f.Path, coberturaRates: rates([]finding.FileCoverage{*f})}
	for _, l := range f.Lines {
		c.List = append(c.List, lineOf(l, branches[l.Line]))
	}
	return c
}

// lineOf describes a line and the branches that begin on it.
func lineOf(l finding.LineCoverage, branches []finding.BranchCoverage) coberturaLine {
	line := coberturaLine{Number: l.Line, Hits: l.Hits, Branch: len(branches) > 0}
	if !line.Branch {
		return line
	}
	all := ratio{}
	line.Conditions = new(coberturaConditions)
	for i := range branches {
		one := ratio{branches[i].Taken(), len(branches[i].Outcomes)}
		all.covered, all.total = all.covered+one.covered, all.total+one.total
		line.Conditions.List = append(line.Conditions.List, coberturaCondition{i, "jump", percentage(one)})
	}
	line.Coverage = fmt.Sprintf("%s (%d/%d)", percentage(all), all.covered, all.total)
	return line
}

func percentage(r ratio) string { return fmt.Sprintf("%.0f%%", 100*r.rate()) }
