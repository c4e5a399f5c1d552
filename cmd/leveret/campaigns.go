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
	"leveret/solc"
	"leveret/solc/selection"
)

// campaigns fuzzes one contract after another. With an error, it also returns the
// report of the campaigns before.
func (r *fuzzRun) campaigns(ctx context.Context, list []selection.Candidate, lines [][]engine.Lines) (*report.Report, error) {
	out := &report.Report{Tool: toolVersion, Seed: r.seed, Block: engine.Start(r.options.Fork), Sources: r.sources, Severity: r.least}
	if r.accepted != nil {
		out.Accepted = r.accepted.IDs()
	}
	total := 0
	for _, c := range list {
		if c.Note == "" {
			total++
		}
	}
	p := newProgress(r.console.err, total)
	p.onBrokenPipe = r.stopIfUnread
	r.page.begin(out, list)
	p.shows = func(f *finding.Finding) bool { return f.Severity >= r.least && !out.Accepted[f.GroupID()] }
	r.announceDuration(total)
	budget := newBudget(time.Duration(r.time), time.Duration(r.totalTime), total, time.Now)
	for i, c := range list {
		result := &finding.Result{Name: c.Contract.Name, File: c.Contract.File, Note: c.Note}
		switch {
		case c.Note != "":
		case ctx.Err() != nil:
			result.Note = c.Contract.Name + " was not fuzzed: the run was stopped first"
		default:
			options := r.options
			options.Time = budget.next()
			p.start(c, fmt.Sprintf("%s, seed %d", r.limit(options.Time), r.seed), options.Time)
			r.page.start(i)
			options.Lines = lines[i]
			options.Observe = func(e engine.Event) {
				p.observe(e)
				r.page.observe(e)
			}
			if config := c.Contract.Build.Tests; config != nil {
				options.Tests.Host = r.forks.host(c.Unit.Project, c.Contract, config, solc.Builds{c.Unit.Build})
			}
			if r.corpus != "" {
				options.Corpus = filepath.Join(r.corpus, corpusFolder(list[0].Unit.Project.Root, c))
			}
			ran, err := r.fuzz(ctx, c, options)
			p.clear()
			if ran == nil {
				return out, err
			}
			if result = ran; result.BuiltBy != "" {
				fmt.Fprintf(r.console.err, "%s cannot be deployed alone; it was fuzzed as setUp of %s builds it.\n", c.Contract.Name, result.BuiltBy)
			}
			r.warnAboutCorpus(err)
		}
		r.page.done(i, result)
		out.Contracts = append(out.Contracts, reported(c, result, r.needs))
		out.Contracts[i].Curve = p.takeCurve()
		out.Root = out.Contracts[0].Root
		if r.forkError != nil || r.stopOnFirst && len(result.Findings) > 0 {
			break
		}
	}
	return out, nil
}

// longRun is the duration from which on a run is announced.
const longRun = time.Minute

// announceDuration prints how long a run will take if that may surprise.
func (r *fuzzRun) announceDuration(contracts int) {
	if whole := time.Duration(contracts) * time.Duration(r.time); r.totalTime == 0 && r.maxInputs == 0 && contracts > 1 && whole > longRun {
		fmt.Fprintf(r.console.err, "Fuzzing %d contracts for %s each takes up to %s; limit the run with --contract or --total-time.\n", contracts, r.time.String(), (*duration)(&whole).String())
	}
}

// corpusFolder is the folder of a contract's corpus below --corpus: that of its
// source file, because names of contracts are not unique. Files of a project
// other than that at root are below the relative path of that project.
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

// limit describes the budget of a contract: "for 10s or with 500 inputs".
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
