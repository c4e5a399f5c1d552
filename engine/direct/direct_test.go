package direct

import (
	"testing"
	"time"

	"leveret/engine/lookahead"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// A directedSearch is a search with targets.
type directedSearch struct {
	*searchtest.Driver
	lookahead *Lookahead
	guide     *Guide
	targeted  *Targeted
}

// begin sets up a search of a contract for what is requested.
func begin(t *testing.T, b *solc.Build, name string, q Request) *directedSearch {
	t.Helper()
	d := &directedSearch{Driver: searchtest.New(t, b, name, 1)}
	d.lookahead = NewLookahead(lookahead.On, q, d.Subject, d.Corpus, d.Progress, d.Replayer, time.Now)
	d.Covered = d.lookahead.Covered
	if d.guide = NewGuide(d.lookahead, d.Generator.Random); d.guide.Guides() {
		d.Branches.Leads = d.guide.Leads
		d.Generator.Callee = d.guide.Callee
	}
	d.Seed()
	d.targeted = NewTargeted(d.guide, d.Generator, noAttacks{})
	return d
}

// beginGuided is begin for a request that gives a guide.
func beginGuided(t *testing.T, b *solc.Build, name string, q Request) *directedSearch {
	t.Helper()
	d := begin(t, b, name, q)
	if d.guide == nil {
		t.Fatal("no guide")
	}
	return d
}

// run executes inputs, one in three from the targeted source.
func (d *directedSearch) run(inputs int) {
	next := func() *search.Candidate {
		if d.guide.Guides() && d.Generator.Random.IntN(3) == 0 {
			if c := d.targeted.Next(); c != nil {
				return c
			}
		}
		return d.Next()
	}
	d.Run(inputs, next, d.lookahead.Learn, d.targeted.Learn, d.Approach)
}

type noAttacks struct{}

func (noAttacks) Next() *search.Candidate { return nil }
func (noAttacks) Near() bool              { return false }

// lines requests the lines of a text.
func lines(t *testing.T, b *solc.Build, text string) Request {
	t.Helper()
	file, span := searchtest.Find(t, b, text)
	return Request{Lines: []Lines{{File: file, Spans: []srcmap.Span{span}}}}
}
