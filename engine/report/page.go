package report

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"leveret/docs/oracles"
	"leveret/engine/finding"
	"leveret/engine/replay"
	"leveret/engine/report/words"
	"leveret/solc/srcmap"
)

// PageVersion is the version of the PageDocument. A new field keeps it; a changed
// meaning of a field increments it.
const PageVersion = 1

// Limits of a PageDocument. What exceeds them is left out, and the page says so.
const (
	maxPageFile  = 1 << 20  // bytes of one source
	maxPageText  = 16 << 20 // bytes of all sources
	maxPageNodes = 3000     // of one trace
)

// A PageDocument is what the HTML page shows: the report in its JSON format, and
// what belongs to it.
type PageDocument struct {
	Version   int                    `json:"version"`
	Live      bool                   `json:"live,omitempty"` // of a run that goes on
	Run       Run                    `json:"run"`
	Report    Document               `json:"report"`
	Accepted  int                    `json:"accepted"`  // groups in the baseline, which Details lacks
	Details   map[string]PageFinding `json:"details"`   // of the shown finding of each group, by its id
	Oracles   map[string]string      `json:"oracles"`   // pages of the oracles in Details, Markdown, by name
	Files     []PageFile             `json:"files"`     // by name
	Campaigns []PageCampaign         `json:"campaigns"` // of Report.Contracts
}

// A PageFinding is what the JSON format of a finding lacks.
type PageFinding struct {
	At         *PagePlace    `json:"at"`
	Related    []PageRelated `json:"related"`
	Deployment []string      `json:"deployment"` // sentences
	Steps      []PageStep    `json:"steps"`
	Trace      []PageNode    `json:"trace"`
	Cut        bool          `json:"cut,omitempty"` // the trace was longer
}

// A PagePlace is a line of a PageFile.
type PagePlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// A PageRelated is a related place.
type PageRelated struct {
	At      *PagePlace `json:"at"`
	Message string     `json:"message"`
}

// A PageStep is a transaction in words.
type PageStep struct {
	Text string     `json:"text"`
	When string     `json:"when,omitempty"`
	At   *PagePlace `json:"at,omitempty"`
}

// A PageNode is a line of a call trace.
type PageNode struct {
	Text  string     `json:"text"`
	At    *PagePlace `json:"at,omitempty"`
	Here  string     `json:"here,omitempty"` // oracle that blames this step
	Nodes []PageNode `json:"nodes,omitempty"`
	After []string   `json:"after,omitempty"`
}

// A PageFile is a source file with its coverage by all contracts.
type PageFile struct {
	Name     string       `json:"name"` // relative to the report's root
	Text     string       `json:"text"`
	Omitted  bool         `json:"omitted,omitempty"` // the text is too large
	Lines    [][4]int     `json:"lines"`             // line, inputs, instructions covered, and all
	Branches []PageBranch `json:"branches"`
}

// A PageBranch is a condition of the source.
type PageBranch struct {
	Line  int     `json:"line"`
	Text  string  `json:"text"`  // beginning of the statement or expression
	Taken [2]bool `json:"taken"` // not jumping, jumping
}

// A PageCampaign is how a campaign went.
type PageCampaign struct {
	Samples   []Sample       `json:"samples"`
	Functions []PageFunction `json:"functions"`
}

// A PageFunction counts the calls of a function.
type PageFunction struct {
	Signature string `json:"signature"`
	Inputs    int    `json:"inputs"`
	Paths     int    `json:"paths"`
}

// NewPageDocument converts a report to the document of its page.
func NewPageDocument(r *Report) PageDocument {
	d := PageDocument{Version: PageVersion, Run: r.Run, Report: NewDocument(r), Details: map[string]PageFinding{}, Oracles: map[string]string{}}
	groups := r.Groups()
	shown := fresh(groups)
	d.Accepted = len(groups) - len(shown)
	for _, g := range shown {
		f := g.Shown()
		d.Details[f.ID] = newPageFinding(r, f)
		for _, name := range g.Oracles() {
			d.Oracles[name] = oracles.Page(name)
		}
	}
	d.Files = pageFiles(r)
	for i := range r.Contracts {
		d.Campaigns = append(d.Campaigns, newPageCampaign(&r.Contracts[i]))
	}
	return d
}

func newPageCampaign(c *Contract) PageCampaign {
	p := PageCampaign{Samples: c.Curve.Samples}
	if c.Coverage != nil {
		for _, f := range c.Coverage.Functions {
			p.Functions = append(p.Functions, PageFunction{f.Function.Signature, f.Inputs, f.Paths})
		}
	}
	return p
}

func newPageFinding(r *Report, f Member) PageFinding {
	p := PageFinding{At: r.pagePlace(f.Of, &f.Place), Deployment: words.Creations(f.Witness)}
	for _, rel := range f.Related {
		p.Related = append(p.Related, PageRelated{r.pagePlace(f.Of, &rel.Place), rel.Message})
	}
	trace := f.Of.Traces[f.ID]
	for i, s := range words.Steps(f.Witness) {
		step := PageStep{Text: s.Text, When: s.When}
		if i < len(trace) {
			step.At = r.pagePlace(f.Of, trace[i].Place)
		}
		p.Steps = append(p.Steps, step)
	}
	left := maxPageNodes
	p.Trace = r.pageNodes(f.Of, trace, &left)
	p.Cut = left < 0
	return p
}

// pageNodes converts nodes of a trace, at most *left of them.
func (r *Report) pageNodes(c *Contract, nodes []replay.Node, left *int) (list []PageNode) {
	for _, n := range nodes {
		if *left--; *left < 0 {
			break
		}
		list = append(list, PageNode{n.Text, r.pagePlace(c, n.Place), n.Here, r.pageNodes(c, n.Nodes, left), n.After})
	}
	return list
}

// pagePlace returns the line of a place, nil if there is none.
func (r *Report) pagePlace(c *Contract, p *finding.Place) *PagePlace {
	if p == nil || p.Start.Line < 1 {
		return nil
	}
	return &PagePlace{r.fileName(c, p.File), p.Start.Line}
}

// fileName names a file of a contract: relative to the project, and in a report on
// several projects to the report's root.
func (r *Report) fileName(c *Contract, file string) string {
	if c.Root == r.Root {
		return file
	}
	if rel, err := filepath.Rel(r.Root, filepath.Join(c.Root, filepath.FromSlash(file))); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}

// Files lists the source files of a contract that a page shows: those with coverage
// and those that findings and their traces name.
func (c *Contract) Files() []string {
	names := map[string]bool{}
	for _, f := range c.Findings {
		names[f.Place.File] = true
		for _, rel := range f.Related {
			names[rel.Place.File] = true
		}
	}
	for _, trace := range c.Traces {
		addFiles(names, trace)
	}
	if c.Coverage != nil {
		for _, f := range c.Coverage.Files {
			names[f.File] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func addFiles(names map[string]bool, nodes []replay.Node) {
	for _, n := range nodes {
		if n.Place != nil {
			names[n.Place.File] = true
		}
		addFiles(names, n.Nodes)
	}
}

// pageFiles returns the files of all contracts.
func pageFiles(r *Report) []PageFile {
	texts, coverage := map[string][]byte{}, map[string][]finding.FileCoverage{}
	for i := range r.Contracts {
		c := &r.Contracts[i]
		for _, name := range c.Files() {
			if text, ok := c.Texts[name]; ok {
				texts[r.fileName(c, name)] = text
			}
		}
		if c.Coverage == nil {
			continue
		}
		for _, f := range c.Coverage.Files {
			name := r.fileName(c, f.File)
			coverage[name] = append(coverage[name], f)
		}
	}
	var files []PageFile
	left := maxPageText
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		files = append(files, newPageFile(name, texts[name], finding.MergeFiles(coverage[name]), &left))
	}
	return files
}

func newPageFile(name string, text []byte, covered finding.FileCoverage, left *int) PageFile {
	f := PageFile{Name: name}
	if f.Omitted = len(text) > min(*left, maxPageFile); !f.Omitted {
		f.Text = string(text)
		*left -= len(text)
	}
	for _, l := range covered.Lines {
		f.Lines = append(f.Lines, [4]int{l.Line, l.Hits, l.Covered, l.Total})
	}
	for _, b := range covered.Branches {
		f.Branches = append(f.Branches, PageBranch{b.Line, beginning(text, b.Span), [2]bool{b.Outcomes[0].Taken, b.Outcomes[1].Taken}})
	}
	return f
}

// maxBeginning is the largest number of bytes of a condition that a page names.
const maxBeginning = 60

// beginning returns the beginning of the first line of a span of a text.
func beginning(text []byte, span srcmap.Span) string {
	code := spanned(text, span)
	line, _, _ := bytes.Cut(code[:min(len(code), maxBeginning)], []byte("\n"))
	return strings.ToValidUTF8(string(line), "")
}

// spanned returns the bytes of a span of a text, which may be that of another build; nil if
// there are none.
func spanned(text []byte, span srcmap.Span) []byte {
	if span.Start < 0 || span.Length < 0 || span.End() > len(text) {
		return nil
	}
	return text[span.Start:span.End()]
}
