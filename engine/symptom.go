package engine

import (
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// symptom tells how what v reports can be seen from outside when s is run.
func (j *judge) symptom(s input.Sequence, v *verdict) (symptom finding.Symptom) {
	for _, p := range j.propertyFunctions {
		if p.node != nil && p.node == v.node {
			return finding.Symptom{Property: p.function.Signature}
		}
	}
	at := j.start
	for i := range s.Txs {
		next, outcome := j.executor.transact(at, &s.Txs[i], nil, nil)
		if outcome.Status == evm.Success {
			at = next
		}
		if i < len(s.Txs)-1 {
			continue
		}
		symptom.Fails, symptom.Data = outcome.Status != evm.Success, outcome.Return
		for _, l := range outcome.Logs {
			if len(l.Topics) > 0 && j.topics[l.Topics[0]] {
				symptom.Event = j.topicNames[l.Topics[0]]
			}
		}
	}
	return symptom
}
