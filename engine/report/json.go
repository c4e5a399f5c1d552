package report

import (
	"encoding/json"
	"errors"
	"io"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/report/printable"
	"leveret/solc/srcmap"
)

// Version is the version of the JSON format. A new field keeps it; a changed
// meaning of a field increments it.
const Version = 2

// A Document is the JSON format of a Report.
type Document struct {
	Version   int                `json:"version"`
	Tool      string             `json:"tool"`
	Root      string             `json:"root"`
	Seed      uint64             `json:"seed"`
	Sources   Sources            `json:"sources"`
	Contracts []ContractDocument `json:"contracts"`
	Groups    []GroupDocument    `json:"groups"`
}

// A GroupDocument is the JSON format of a Group: of the finding that is shown, and
// of its members.
type GroupDocument struct {
	ID        string           `json:"id"`
	Cause     string           `json:"cause"` // an oracle
	Oracle    string           `json:"oracle"`
	Severity  finding.Severity `json:"severity"`
	Message   string           `json:"message"`
	File      string           `json:"file"`
	Start     srcmap.Position  `json:"start"`
	End       srcmap.Position  `json:"end"`
	Oracles   []string         `json:"oracles"`
	Contracts []string         `json:"contracts"`
	Findings  []string         `json:"findings"`           // ids, the shown one first
	Baseline  string           `json:"baseline,omitempty"` // New or Unchanged, if there is a baseline
}

// The states of a group, in words of SARIF's baselineState.
const (
	New       = "new"
	Unchanged = "unchanged" // in the baseline
)

// A ContractDocument is the JSON format of one contract's result.
type ContractDocument struct {
	Name     string            `json:"name"`
	File     string            `json:"file"`
	Note     string            `json:"note,omitempty"`
	Compiler Compiler          `json:"compiler"`
	Findings []FindingDocument `json:"findings"`
	Stats    finding.Stats     `json:"stats"`
	Blocker  *Blocker          `json:"blocker,omitempty"`
}

// A FindingDocument is the JSON format of one finding. It is enough to replay the
// finding, without the Document around it.
type FindingDocument struct {
	ID         string               `json:"id"`
	Group      string               `json:"group,omitempty"` // id
	Oracle     string               `json:"oracle"`
	SWC        string               `json:"swc"`
	Severity   finding.Severity     `json:"severity"`
	Message    string               `json:"message"`
	Contract   string               `json:"contract"`
	Source     string               `json:"source"` // source unit of the contract; File may be another one
	File       string               `json:"file"`
	Start      srcmap.Position      `json:"start"`
	End        srcmap.Position      `json:"end"`
	Function   string               `json:"function"`
	Fork       *input.Fork          `json:"fork,omitempty"` // of the deployment
	Block      input.BlockTime      `json:"block"`          // at the end of the deployment
	Deployment []input.JSONCreation `json:"deployment"`
	Sequence   []input.JSONTx       `json:"sequence"`
	Evidence   []finding.Evidence   `json:"evidence"`
	Related    []RelatedDocument    `json:"related"`
	Inputs     int                  `json:"inputs"`
	Seconds    float64              `json:"seconds"`
	Root       string               `json:"root"`
	Compiler   Compiler             `json:"compiler"`
}

// A RelatedDocument is the JSON format of a related place.
type RelatedDocument struct {
	File    string          `json:"file"`
	Start   srcmap.Position `json:"start"`
	End     srcmap.Position `json:"end"`
	Message string          `json:"message"`
}

// NewDocument converts a report to its JSON format.
func NewDocument(r *Report) Document {
	d := Document{Version: Version, Tool: r.Tool, Root: r.Root, Seed: r.Seed, Sources: r.Sources, Contracts: []ContractDocument{}, Groups: []GroupDocument{}}
	for _, c := range r.Contracts {
		doc := ContractDocument{Name: c.Name, File: c.File, Note: c.Note, Compiler: c.Compiler, Stats: c.Stats, Findings: []FindingDocument{}, Blocker: c.Blocker}
		for _, f := range c.Findings {
			if f.Severity >= r.Severity {
				doc.Findings = append(doc.Findings, NewFindingDocument(&c, r.Block, f))
			}
		}
		d.Contracts = append(d.Contracts, doc)
	}
	for _, g := range r.Groups() {
		d.Groups = append(d.Groups, newGroupDocument(r, &g))
	}
	return d
}

func newGroupDocument(r *Report, g *Group) GroupDocument {
	f := g.Shown()
	d := GroupDocument{
		ID: g.ID, Cause: f.CauseName(), Oracle: f.Oracle, Severity: f.Severity, Message: f.Message,
		File: f.Place.File, Start: f.Place.Start, End: f.Place.End, Oracles: g.Oracles(), Contracts: g.Contracts(),
		Baseline: r.state(g),
	}
	for _, m := range g.Members {
		d.Findings = append(d.Findings, m.Finding.ID)
	}
	return d
}

// state returns the state of a group; empty without a baseline.
func (r *Report) state(g *Group) string {
	switch {
	case r.Accepted == nil:
		return ""
	case g.Accepted:
		return Unchanged
	}
	return New
}

// NewFindingDocument converts a finding of a contract to its JSON format. start is the
// block at the end of the deployment.
func NewFindingDocument(c *Contract, start input.BlockTime, f finding.Finding) FindingDocument {
	d := FindingDocument{
		ID: f.ID, Group: f.GroupID(), Oracle: f.Oracle, SWC: f.SWC, Severity: f.Severity, Message: f.Message,
		Contract: f.Contract, Source: c.File,
		File: f.Place.File, Start: f.Place.Start, End: f.Place.End, Function: f.Function,
		Block: start, Evidence: append([]finding.Evidence{}, f.Evidence...), Related: []RelatedDocument{},
		Inputs: f.Inputs, Seconds: f.Seconds, Root: c.Root, Compiler: c.Compiler,
	}
	for _, rel := range f.Related {
		d.Related = append(d.Related, RelatedDocument{rel.Place.File, rel.Place.Start, rel.Place.End, rel.Message})
	}
	if f.Witness.Deployment != nil {
		d.Fork = f.Witness.Deployment.Fork
	}
	d.Deployment, d.Sequence = f.Witness.JSON(start)
	return d
}

// Witness returns the Sequence of the document; see input.ReadText about lookup.
// An error names the invalid field.
func (d *FindingDocument) Witness(lookup input.Lookup) (input.Sequence, error) {
	switch {
	case len(d.Deployment) == 0:
		return input.Sequence{}, errors.New("the finding has no deployment")
	case len(d.Sequence) == 0:
		return input.Sequence{}, errors.New("the sequence of the finding is empty")
	}
	s, err := input.FromJSON(d.Deployment, d.Sequence, d.Block, lookup)
	if err == nil {
		s.Deployment.Fork = d.Fork
	}
	return s, err
}

// JSON writes the report as one JSON object, indented.
func JSON(w io.Writer, r *Report, _ Options) error {
	e := json.NewEncoder(&printable.JSONWriter{W: w})
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(NewDocument(r))
}
