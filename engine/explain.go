package engine

import (
	"context"

	"leveret/engine/direct"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/solc"
)

// Explain reports what becomes of options.Lines as targets of a campaign on
// contract, and runs that campaign to see how near it comes.
func Explain(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (report *finding.TargetReport, err error) {
	err = guard(contract, func() (err error) {
		report, err = explain(ctx, contract, project, options)
		return err
	})
	return report, err
}

func explain(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (*finding.TargetReport, error) {
	options.Lookahead, options.Workers = LookaheadOn, 1
	ctx, done := options.until(ctx)
	defer done()
	c, err := newCampaign(ctx, contract, project, options)
	if err != nil {
		return nil, err
	}
	if c.result.Note != "" {
		return &finding.TargetReport{Note: c.result.Note}, nil
	}
	request := direct.Request{Lines: options.Lines}
	report := &finding.TargetReport{Creation: request.Creation(contract)}
	w := c.workers[0]
	analysis := w.recorder.lookahead
	if !analysis.Asked() {
		return report, nil
	}
	analysis.ExplainReach(report)
	w.attempts = newAttempts(w.strategy.rows)
	c.loop(ctx)
	report.Stuck, report.Unguided = w.attempts.stuck, w.attempts.unguided
	analysis.ExplainCodes(report, w.hits)
	analysis.ExplainRuns(report, w.hits, w.executor)
	w.sources.guide.ExplainMisses(report, w.executor, w.attempts.of)
	return report, nil
}

// hits counts the inputs that executed the block at a program counter.
func (w *worker) hits(code *evm.Code, pc uint64) int {
	if b, ok := w.search.Subject.Cover.BlockAt(code, pc); ok {
		return w.recorder.coverage.Hits(b)
	}
	return 0
}
