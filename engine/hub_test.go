package engine

import (
	"sync"
	"testing"

	"leveret/engine/input"
)

// A searcher gets each input of the others once, and none of its own.
func TestHub(t *testing.T) {
	const searchers, inputs = 4, 200
	h := newHub(nil, searchers)
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

// A hub is bounded: it forgets the oldest inputs, and a searcher that lags behind goes
// on with the rest.
func TestHubIsBounded(t *testing.T) {
	h := newHub(nil, 2)
	sequence := func(n int) input.Sequence {
		return input.Sequence{Txs: []input.Tx{{Delay: input.Delay{Seconds: uint64(n)}}}}
	}
	const all = maxDigests + 2*maxPublished
	for n := range all {
		h.publish(0, sequence(n), uint64(n))
	}
	if len(h.list) > maxPublished || len(h.known) > maxDigests {
		t.Errorf("%d inputs and %d digests are kept", len(h.list), len(h.known))
	}
	list, now := h.take(1, 0)
	if now != all || len(list) < maxPublished/2 || list[len(list)-1].Txs[0].Delay.Seconds != all-1 {
		t.Errorf("%d inputs up to %d", len(list), now)
	}
	h.pass(sequence(all))
	if list, now = h.take(0, now); now != all+1 || len(list) != 1 {
		t.Errorf("then %d inputs up to %d", len(list), now)
	}
}

// Every n-th of the times that any of n searchers asks, it hears the peers, the first
// one among them: a searcher that the machine holds up holds up no peer.
func TestHubHears(t *testing.T) {
	alone, peers := newHub(nil, 3), newHub(&scripted{}, 3)
	for asked := range 9 {
		if alone.hears() {
			t.Errorf("time %d: it hears peers, of which there are none", asked)
		}
		if got := peers.hears(); got != (asked%3 == 0) {
			t.Errorf("time %d: %t", asked, got)
		}
	}
}
