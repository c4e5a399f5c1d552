// Package corpus is the corpus of a campaign: one Entry per path, the nearest
// Entry for each just-missed branch, and the schedules that assign energy to
// Entries.
//
// It executes nothing. One goroutine owns it.
//
// The corpus is the map PIDs of HARVEY (ESEC/FSE 2020), Algorithm 1; the
// nearest Entry per just-missed branch follows sFuzz (ICSE 2020), section 3.2.
package corpus

import (
	"math/rand/v2"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/bounded"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// An Entry is one input of the corpus. It is immutable except for its Usage and
// what its owner attaches.
type Entry struct {
	Number   int // order of arrival, from 0
	Sequence input.Sequence
	Path     cover.PathID
	Costs    []cover.Cost // ascending by Metric
	Branches []cover.Branch
	Reads    []evm.Slot // by the last Tx
	Writes   []evm.Slot // by the last Tx
	Success  bool       // of the last Tx
	Rejected bool       // the last Tx is not allowed: its test or handler assumes something else
	Source   string     // name of the input source that found it
	Gas      uint64     // used by the last Tx: a measure of speed
	Size     int        // bytes that it takes, about

	Usage    Usage
	First    bool // covered something first: it is never forgotten
	forgot   bool
	Attached any // owned by the engine: states, observations
}

// Cost returns the Entry's distance from a goal; false if the run reached the
// goal or never measured it.
func (e *Entry) Cost(m cover.Metric) (*uint256.Int, bool) {
	return CostOf(e.Costs, m)
}

// CostOf searches costs, ascending by Metric, for m.
func CostOf(costs []cover.Cost, m cover.Metric) (*uint256.Int, bool) {
	i, ok := slices.BinarySearchFunc(costs, m, func(c cover.Cost, m cover.Metric) int {
		switch {
		case c.Metric < m:
			return -1
		case c.Metric > m:
			return 1
		}
		return 0
	})
	if !ok {
		return nil, false
	}
	return &costs[i].Value, true
}

// Function returns the function that the last Tx calls.
func (e *Entry) Function() *input.Function { return e.Sequence.Last().Function }

// A Usage counts how an Entry was used.
type Usage struct {
	Selected int // times picked for mutation: s(i) of AFLFast
	Fuzzed   int // inputs made from it
	Rate     Rate
}

// A Corpus is the set of inputs kept.
type Corpus struct {
	Entries []*Entry // one per path that is not forgotten, in order of arrival

	paths  map[cover.PathID]*pathCount // of Entries
	gone   *bounded.Map                // runs of the paths of forgotten Entries
	total  int                         // runs counted in paths and gone
	added  map[*input.Function]int     // paths, by function
	fresh  []cover.PathID              // paths since TakePaths
	size   int                         // bytes of Entries
	begun  int                         // Forget was called
	seen   []bool
	missed map[cover.Branch]*miss
	order  []cover.Branch // keys of missed in order of first occurrence
}

type pathCount struct {
	entry *Entry
	runs  int // f(i) of AFLFast
}

// A miss is the state of a just-missed branch.
type miss struct {
	best *Entry
	cost uint256.Int
	also []near // the nearest Entries on other paths, unordered
}

// A near is an Entry and its distance.
type near struct {
	entry *Entry
	cost  uint256.Int
}

// maxAlso bounds the Entries on other paths kept for one outcome.
const maxAlso = 3

// New returns an empty Corpus.
func New() *Corpus {
	return &Corpus{paths: map[cover.PathID]*pathCount{}, gone: bounded.NewMap(maxForgotten), added: map[*input.Function]int{}, missed: map[cover.Branch]*miss{}}
}

// Hit counts one more run of a path and returns its Entry, nil if that was forgotten.
// known is false if the path is new.
func (c *Corpus) Hit(path cover.PathID) (e *Entry, known bool) {
	p := c.paths[path]
	if p == nil {
		return nil, c.hitForgotten(path)
	}
	p.runs++
	c.total++
	return p.entry, true
}

// Knows reports whether a path was seen, without counting it.
func (c *Corpus) Knows(path cover.PathID) bool {
	_, forgotten := c.gone.Get(uint64(path))
	return forgotten || c.paths[path] != nil
}

// Runs returns how many inputs took the Entry's path.
func (c *Corpus) Runs(e *Entry) int {
	if p := c.paths[e.Path]; p != nil {
		return p.runs
	}
	runs, _ := c.gone.Get(uint64(e.Path))
	return int(runs)
}

// MeanRuns is the mean of Runs over all paths.
func (c *Corpus) MeanRuns() float64 {
	known := len(c.paths) + c.gone.Len()
	if known == 0 {
		return 0
	}
	return float64(c.total) / float64(known)
}

// Add adds e, whose path is new.
func (c *Corpus) Add(e *Entry) {
	e.Number = len(c.Entries)
	c.Entries = append(c.Entries, e)
	c.paths[e.Path] = &pathCount{entry: e, runs: 1}
	c.total++
	c.size += e.Size
	if len(e.Sequence.Txs) > 0 {
		c.added[e.Function()]++
	}
	c.fresh = append(c.fresh, e.Path)
}

// Covered reports whether an outcome was covered.
func (c *Corpus) Covered(b cover.Branch) bool { return int(b) < len(c.seen) && c.seen[b] }

// AllCovered returns which outcomes were covered, by cover.Branch. The caller owns
// the list.
func (c *Corpus) AllCovered() []bool { return slices.Clone(c.seen) }

// Cover records outcomes and returns how many are new. A covered outcome is no
// longer a just-missed one.
func (c *Corpus) Cover(branches []cover.Branch) (news int) {
	for _, b := range branches {
		if int(b) >= len(c.seen) {
			c.seen = append(c.seen, make([]bool, int(b)+1-len(c.seen))...)
		}
		if c.seen[b] {
			continue
		}
		c.seen[b] = true
		news++
		if _, ok := c.missed[b]; ok {
			delete(c.missed, b)
			c.order = slices.DeleteFunc(c.order, func(o cover.Branch) bool { return o == b })
		}
	}
	return news
}

// Nearer reports whether an input on path that misses the outcome b by cost is
// worth keeping: if it is nearer than all others, or the nearest on its path
// and among the nearest few paths.
func (c *Corpus) Nearer(b cover.Branch, path cover.PathID, cost *uint256.Int) bool {
	if c.Covered(b) {
		return false
	}
	m := c.missed[b]
	return m == nil || cost.Lt(&m.cost) || m.best.Path != path && m.place(path, cost) >= 0
}

// place returns the index among the others for an Entry: that of its path, the
// end, or that of the farthest; negative if the Entry is no nearer than that.
func (m *miss) place(path cover.PathID, cost *uint256.Int) int {
	farthest := 0
	for i := range m.also {
		if m.also[i].entry.Path == path {
			if cost.Lt(&m.also[i].cost) {
				return i
			}
			return -1
		}
		if m.also[i].cost.Gt(&m.also[farthest].cost) {
			farthest = i
		}
	}
	switch {
	case len(m.also) < maxAlso:
		return len(m.also)
	case cost.Lt(&m.also[farthest].cost):
		return farthest
	}
	return -1
}

// Approach adds e, which missed the outcome b by cost; see Nearer.
func (c *Corpus) Approach(b cover.Branch, e *Entry, cost *uint256.Int) {
	m := c.missed[b]
	switch {
	case m == nil:
		m = &miss{best: e, cost: *cost}
		c.missed[b] = m
		c.order = append(c.order, b)
	case cost.Lt(&m.cost):
		was := near{m.best, m.cost}
		m.best, m.cost = e, *cost
		m.also = slices.DeleteFunc(m.also, func(n near) bool { return n.entry.Path == e.Path })
		if was.entry.Path != e.Path {
			m.put(was)
		}
	default:
		m.put(near{e, *cost})
	}
}

// put adds n to the others if it has a place there.
func (m *miss) put(n near) {
	switch at := m.place(n.entry.Path, &n.cost); {
	case at == len(m.also):
		m.also = append(m.also, n)
	case at >= 0:
		m.also[at] = n
	}
}

// Missed returns the just-missed outcomes in order of first occurrence. The
// list belongs to the Corpus.
func (c *Corpus) Missed() []cover.Branch { return c.order }

// Best returns the nearest Entry to a missed outcome and its distance.
func (c *Corpus) Best(b cover.Branch) (*Entry, *uint256.Int) {
	m := c.missed[b]
	if m == nil {
		return nil, nil
	}
	return m.best, &m.cost
}

// Near draws one of the nearest Entries to a missed outcome, one per path; half
// of the time the nearest of all.
func (c *Corpus) Near(r *rand.Rand, b cover.Branch) *Entry {
	m := c.missed[b]
	if m == nil {
		return nil
	}
	if len(m.also) == 0 || r.IntN(2) == 0 {
		return m.best
	}
	return m.also[r.IntN(len(m.also))].entry
}
