package triage

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// A finding says that an account has to send a transaction only if no actor can.
func TestSendersThatAreNeeded(t *testing.T) {
	all := newTriaging(t, "testdata/Named.sol", "Named")
	keeper := input.Actor(common.HexToAddress("0x5FbDB2315678afecb367f032d93F642f64180aa3"))
	for name, needed := range map[string]bool{"keep": true, "either": false, "anybody": false} {
		s := all.call(t, name, 77)
		s.Txs[0].From = keeper
		verdicts := all.Check(s)
		if len(verdicts) != 1 {
			t.Fatalf("%s: %d verdicts", name, len(verdicts))
		}
		if list := all.writer.senders(all.checker.claim(s, &verdicts[0])); len(list) > 0 != needed {
			t.Errorf("%s: %v", name, list)
		}
	}
}
