package report

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"

	"leveret/engine/finding"
)

// base is the folder that paths in files for other programs are relative to.
func (r *Report) base(o Options) string { return cmp.Or(o.Dir, r.Root) }

// fileCoverage merges what the campaigns covered, by file: Path is relative to a
// folder, with slashes, or absolute outside of it. Files that are not on disk are left
// out.
func (r *Report) fileCoverage(base string) (files []finding.FileCoverage) {
	byPath := map[string][]finding.FileCoverage{}
	for i := range r.Contracts {
		if c := r.Contracts[i].Coverage; c != nil {
			for _, f := range c.Files {
				byPath[f.Path] = append(byPath[f.Path], f)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		if path == "" {
			continue
		}
		f := finding.MergeFiles(byPath[path])
		f.Path = filepath.ToSlash(path)
		if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
			f.Path = filepath.ToSlash(rel)
		}
		files = append(files, f)
	}
	return files
}

// A ratio counts what can be covered, and what is.
type ratio struct{ covered, total int }

func (r *ratio) add(covered bool) {
	r.total++
	if covered {
		r.covered++
	}
}

// rate is the covered part, from 0 to 1; 1 if there is nothing to cover.
func (r ratio) rate() float64 {
	if r.total == 0 {
		return 1
	}
	return float64(r.covered) / float64(r.total)
}

// count counts the lines and the outcomes of branches of files.
func count(files []finding.FileCoverage) (lines, outcomes ratio) {
	for i := range files {
		for _, l := range files[i].Lines {
			lines.add(l.Hits > 0)
		}
		for _, b := range files[i].Branches {
			for _, outcome := range b.Outcomes {
				outcomes.add(outcome.Taken)
			}
		}
	}
	return lines, outcomes
}

// hits returns the inputs that ran each line.
func hits(f *finding.FileCoverage) map[int]int {
	list := map[int]int{}
	for _, l := range f.Lines {
		list[l.Line] = l.Hits
	}
	return list
}
