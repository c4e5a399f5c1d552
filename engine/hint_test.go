package engine

import (
	"context"
	"path/filepath"
	"testing"

	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/compiler"
)

// hintedInputs is how many inputs of each contract are examined whatever the
// hot tier says.
const hintedInputs = 400

// Whatever an oracle reports about the last Tx of an input, the hot tier has
// hinted at it.
func TestHints(t *testing.T) {
	tools := compiler.NewToolchain(toolEnv(t))
	defer tools.Close()
	shown := map[*oracle.Oracle]int{}
	for _, o := range oracle.All {
		files, err := filepath.Glob("oracle/testdata/" + o.Name + "/hit_*.sol")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			b := compileWith(t, tools, file)
			for _, c := range b.Contracts {
				if c.Kind == solc.KindContract && !c.Abstract {
					examineAll(t, c, b, shown)
				}
			}
		}
	}
	for o, n := range shown {
		t.Logf("%s: %d times", o.Name, n)
	}
	if len(shown) < len(oracle.All)/2 {
		t.Errorf("only %d oracles reported anything", len(shown))
	}
}

// examineAll fuzzes a contract and has the oracles examine every input.
func examineAll(t *testing.T, under *solc.Contract, b *solc.Build, shown map[*oracle.Oracle]int) {
	c, err := newCampaign(context.Background(), under, b.Contracts, Options{MaxInputs: hintedInputs, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if c.result.Note != "" {
		return
	}
	c.recall()
	for !c.spent(context.Background()) {
		for _, r := range c.execute(c.strategy.next(1)) {
			if !r.PrefixFailed && r.Storage == nil {
				c.checkHints(t, r, shown)
			}
			c.learn(r)
		}
	}
}

func (c *campaign) checkHints(t *testing.T, r *result, shown map[*oracle.Oracle]int) {
	for _, v := range c.judge.examine(r.Sequence) {
		o := v.report.Oracle
		if v.Node != nil && c.judge.isProperty(&v) || v.tx != len(r.Sequence.Txs)-1 {
			continue
		}
		shown[o]++
		if seen := c.observation(r); !o.Hint(&seen) {
			t.Errorf("%s, input %d: no hint at %s: %s", c.program.UnderTest.Name, c.result.Stats.Inputs, o.Name, v.report.Message)
		}
	}
}

// isProperty reports whether a verdict is that a property is broken.
func (j *judge) isProperty(v *verdict) bool {
	_, properties := j.concerned(v.key)
	return len(properties) > 0
}
