// Package baseline reads, compares and writes baselines: lists of findings that a
// team accepts for now, by the ids of their groups, which survive edits that move
// lines.
//
// It knows no campaign: it compares with a report.
package baseline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc/atomicfile"
)

// Name is the name of the baseline that editors read in a workspace folder.
const Name = "leveret.baseline.json"

// Version is the version of the format. A new field keeps it.
const Version = 1

// A File is a baseline.
type File struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

// An Entry is an accepted Group. Only the id decides; the rest is for people and to
// tell whether its code still exists.
type Entry struct {
	ID        string           `json:"id"`
	Cause     string           `json:"cause"` // an oracle
	Severity  finding.Severity `json:"severity"`
	File      string           `json:"file"` // source unit
	Text      string           `json:"text"`
	Contracts []string         `json:"contracts"`
}

// maxFile is the size of the largest baseline, in bytes.
const maxFile = 64 << 20

// Read reads a baseline. The error is fs.ErrNotExist for a missing file, and else
// says what to do, without the name.
func Read(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, errors.New("too large for a baseline")
	}
	return Parse(text)
}

// Parse reads the text of a baseline.
func Parse(text []byte) (*File, error) {
	var b File
	if err := json.Unmarshal(text, &b); err != nil || b.Version == 0 || b.Findings == nil {
		return nil, errors.New("not a baseline of Leveret; choose another name, or write one with --update-baseline")
	}
	if b.Version > Version {
		return nil, fmt.Errorf("it has version %d, and this Leveret reads versions up to %d; update Leveret", b.Version, Version)
	}
	return &b, nil
}

// IDs returns the set of ids; it is not nil.
func (b *File) IDs() map[string]bool {
	ids := map[string]bool{}
	for i := range b.Findings {
		ids[b.Findings[i].ID] = true
	}
	return ids
}

// Write writes a baseline, sorted, so that a change of one finding is a change of
// few lines.
func (b *File) Write(path string) error {
	sorted := File{Version: Version, Findings: append([]Entry{}, b.Findings...)}
	slices.SortFunc(sorted.Findings, func(x, y Entry) int { return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.ID, y.ID)) })
	text, err := json.MarshalIndent(sorted, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(path, append(text, '\n'), 0o666)
}

// EntryOf returns the entry of a group.
func EntryOf(g *report.Group) Entry {
	f := g.Shown()
	contracts := g.Contracts()
	slices.Sort(contracts)
	return Entry{ID: g.ID, Cause: f.CauseName(), Severity: f.Severity, File: f.Place.File, Text: f.Anchor.Text, Contracts: contracts}
}
