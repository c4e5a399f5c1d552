package engine

import (
	"path/filepath"

	"leveret/engine/corpus"
	"leveret/engine/exec"
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
		if c.over() {
			break
		}
		s, ok := c.bind(known)
		if ok {
			verdicts := c.judge.examine(s)
			c.report(s, verdicts, recallBudget, c.recalled)
			ok = len(verdicts) > 0
		}
		if !ok && !c.over() {
			c.observe(Event{Kind: EventGone, Index: i})
		}
	}
	for _, s := range c.load() {
		c.lineUp(&candidate{Job: exec.Job{Sequence: s, States: []exec.State{c.start}}, source: c.recalled})
	}
	c.lineUpSeeds()
}

// load reads the saved corpus. Entries that no longer fit the contract are
// dropped; what cannot be read at all is told by save.
func (c *campaign) load() []input.Sequence {
	if c.options.Corpus == "" {
		return nil
	}
	path := filepath.Join(c.options.Corpus, c.program.UnderTest.Name+".corpus")
	c.saver.file = corpus.Open(path, func(text []byte) bool {
		_, err := input.ReadText(text, nil)
		return err == nil
	})
	texts, err := c.saver.file.Load()
	c.saver.wrote(err)
	var fit []input.Sequence
	for _, text := range texts {
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
