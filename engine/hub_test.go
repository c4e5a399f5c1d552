package engine

import (
	"sync"
	"testing"

	"leveret/engine/input"
)

// A searcher gets each input of the others once, and none of its own.
func TestHub(t *testing.T) {
	const searchers, inputs = 4, 200
	h := newHub()
	seen := make([]map[string]bool, searchers)
	var wait sync.WaitGroup
	for n := range searchers {
		seen[n] = map[string]bool{}
		wait.Go(func() {
			since := 0
			for i := range inputs {
				digest := uint64(n*inputs + i)
				s := input.Sequence{Txs: []input.Tx{{Delay: input.Delay{Seconds: digest}}}}
				h.publish(n, s, digest)
				h.publish(n, s, digest)
				for {
					list, now := h.take(n, since)
					if now == since {
						break
					}
					since = now
					for _, s := range list {
						by := int(s.Txs[0].Delay.Seconds) / inputs
						if text := s.String(); by == n || seen[n][text] {
							t.Errorf("searcher %d gets %s of %d", n, text, by)
						} else {
							seen[n][text] = true
						}
					}
				}
			}
		})
	}
	wait.Wait()
	for n := range searchers {
		list, now := h.take(n, 0)
		if now != searchers*inputs || len(list) != (searchers-1)*inputs {
			t.Errorf("%d of %d published inputs are for searcher %d", len(list), now, n)
		}
	}
}
