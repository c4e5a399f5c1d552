package engine

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// weakPatience is how many inputs a weak verdict waits for a worse one.
const weakPatience = 1500

// A weakVerdict is one that is held back, because the same place may yet show
// something worse: whoever reads a finding should see what it can lead to.
type weakVerdict struct {
	sequence input.Sequence
	verdict  verdict
	from     *source
	since    int // inputs
}

// hold keeps a weak verdict back; false if it has waited long enough.
func (c *campaign) hold(s input.Sequence, v verdict, from *source) bool {
	if from == c.recalled {
		return false
	}
	if !slices.ContainsFunc(c.weak, func(w weakVerdict) bool { return w.verdict.key == v.key }) {
		c.worsen(s)
		c.weak = append(c.weak, weakVerdict{s, v, from, c.result.Stats.Inputs})
	}
	return true
}

// release reports the verdicts that have waited for a number of inputs.
func (c *campaign) release(patience int) {
	for len(c.weak) > 0 && c.weak[0].since+patience <= c.result.Stats.Inputs {
		w := c.weak[0]
		c.weak = c.weak[1:]
		w.verdict.report.Provisional = false
		c.report(w.sequence, []verdict{w.verdict}, shrinkBudget, w.from)
	}
}

// abiAt returns the ABI of a contract of the deployment.
func (j *judge) abiAt(a common.Address) *input.ABI {
	for _, d := range j.base.Contracts {
		if d.Address == a {
			return j.program.ABI(d.Contract)
		}
	}
	return nil
}
