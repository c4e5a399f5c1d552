package engine

import (
	"os"
	"path/filepath"

	"leveret/engine/corpus"
	"leveret/engine/input"
)

// recallBudget bounds the executions spent on the witness of a finding that
// was shrunk before.
const recallBudget = 60

// recall re-executes what earlier campaigns left: the witnesses of known
// findings first, so that those that no longer fail vanish at once, then the
// saved corpus.
func (c *campaign) recall() {
	for i, known := range c.options.Known {
		s, ok := c.bind(known)
		if ok {
			verdicts := c.judge.examine(s)
			c.report(s, verdicts, recallBudget, c.recalled)
			ok = len(verdicts) > 0
		}
		if !ok {
			c.observe(Event{Kind: EventGone, Index: i})
		}
	}
	for _, s := range c.load() {
		c.lineUp(&candidate{sequence: s, states: []state{c.start}, source: c.recalled})
	}
	c.lineUpSeeds()
}

// corpusFile is where the corpus of the contract under test is kept.
func (c *campaign) corpusFile() string {
	return filepath.Join(c.options.Corpus, c.program.under.Name+".corpus")
}

// load reads the saved corpus. Entries that no longer fit the contract are
// dropped, and a file that cannot be read counts as none: a corpus is worth
// nothing but time.
func (c *campaign) load() []input.Sequence {
	if c.options.Corpus == "" {
		return nil
	}
	data, err := os.ReadFile(c.corpusFile())
	if err != nil {
		return nil
	}
	var fit []input.Sequence
	for _, text := range corpus.Split(data) {
		s, err := input.ReadText(text, nil)
		if err != nil {
			continue
		}
		if s, ok := c.bind(s); ok {
			fit = append(fit, s)
		}
	}
	return fit
}
