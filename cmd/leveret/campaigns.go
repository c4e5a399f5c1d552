package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc/selection"
)

// campaigns fuzzes one contract after the other. Beside an error, the report
// has what was found before.
func (r *fuzzRun) campaigns(ctx context.Context, list []selection.Candidate, lines [][]engine.Lines) (*report.Report, error) {
	out := &report.Report{Tool: toolVersion, Seed: r.seed, Block: engine.Start(), Sources: r.sources}
	total := 0
	for _, c := range list {
		if c.Note == "" {
			total++
		}
	}
	p := newProgress(r.console.err, total)
	p.unheard = r.unheard
	r.foretell(total)
	budget := newBudget(time.Duration(r.time), time.Duration(r.totalTime), total, time.Now)
	for i, c := range list {
		result := &finding.Result{Name: c.Contract.Name, File: c.Contract.File, Note: c.Note}
		switch {
		case c.Note != "":
		case ctx.Err() != nil:
			result.Note = c.Contract.Name + " was not fuzzed: the run was stopped before its turn"
		default:
			options := r.options
			options.Time = budget.next()
			p.start(c, r.limit(options.Time), options.Time, r.seed)
			options.Lines, options.Observe = lines[i], p.observe
			if r.corpus != "" {
				options.Corpus = filepath.Join(r.corpus, corpusFolder(list[0].Unit.Project.Root, c))
			}
			ran, err := r.fuzz(ctx, c, options)
			p.clear()
			if ran == nil {
				return out, err
			}
			result = ran
			r.warnOfCorpus(err)
		}
		out.Contracts = append(out.Contracts, reported(c, result))
		out.Root = out.Contracts[0].Root
		if r.stopOnFirst && len(result.Findings) > 0 {
			break
		}
	}
	return out, nil
}

// long is how long a run may take without being told beforehand.
const long = time.Minute

// foretell tells how long a run will take that nobody may expect to.
func (r *fuzzRun) foretell(contracts int) {
	if whole := time.Duration(contracts) * time.Duration(r.time); r.totalTime == 0 && r.maxInputs == 0 && contracts > 1 && whole > long {
		fmt.Fprintf(r.console.err, "%d contracts for %s each: up to %s. For less, choose some, or set --total-time.\n", contracts, r.time.String(), (*duration)(&whole).String())
	}
}

// corpusFolder is the folder of a contract's corpus below --corpus, one for
// each source: names of contracts alone are not unique, nor are those of
// sources where there are several projects, of which the first has root.
func corpusFolder(root string, c selection.Candidate) string {
	file := filepath.FromSlash(c.Contract.File)
	if !filepath.IsLocal(file) {
		file = filepath.Base(file)
	}
	if rel, err := filepath.Rel(root, c.Unit.Project.Root); err == nil && rel != "." {
		return filepath.Join(strings.ReplaceAll(rel, "..", "up"), file)
	}
	return file
}

// limit is the budget of a contract in words.
func (r *fuzzRun) limit(share time.Duration) string {
	var parts []string
	if share > 0 {
		share = share.Round(time.Millisecond)
		if share > time.Second/2 {
			share = share.Round(time.Second / 10)
		}
		parts = append(parts, "for "+(*duration)(&share).String())
	}
	if r.maxInputs > 0 {
		parts = append(parts, fmt.Sprintf("with %d inputs", r.maxInputs))
	}
	return strings.Join(parts, " or ")
}
