package joint

import (
	"leveret/engine/input"

	"github.com/holiman/uint256"
)

// A domain is the values of a variable: those of its type with some known bits.
type domain struct {
	word  input.WordType
	fixed uint256.Int // bits that are known
	value uint256.Int // their values
}

// newDomains returns the domains of the types.
func newDomains(variables []Variable) []domain {
	list := make([]domain, len(variables))
	for i, v := range variables {
		d := &list[i]
		d.word = v.Word
		if v.Word.Signed {
			continue
		}
		max := v.Word.MaxOrdinal()
		could := lowBits(max.BitLen())
		if v.Word.Left {
			could.Lsh(&could, uint(256-v.Word.Bits))
		}
		d.fixed.Not(&could)
	}
	return list
}

// could returns the bits that can be set.
func (d *domain) could() (w uint256.Int) {
	w.Not(&d.fixed)
	return *w.Or(&w, &d.value)
}

// known reports whether there is only one value.
func (d *domain) known() bool {
	var free uint256.Int
	return free.Not(&d.fixed).IsZero()
}

// fix fixes bits. It reports whether that is news, and whether it is possible.
func (d *domain) fix(bits, value *uint256.Int) (news, ok bool) {
	var both, x uint256.Int
	both.And(&d.fixed, bits)
	x.Xor(&d.value, value)
	if !x.And(&x, &both).IsZero() {
		return false, false
	}
	news = !both.Eq(bits)
	x.And(value, bits)
	d.value.Or(&d.value, &x)
	d.fixed.Or(&d.fixed, bits)
	return news, !d.known() || d.contains(&d.value)
}

// contains reports whether a word is a value of the domain.
func (d *domain) contains(w *uint256.Int) bool { return d.wrap(w) == *w }

// wrap brings a word into the domain; a Limit may be missed by fixed bits.
func (d *domain) wrap(w *uint256.Int) uint256.Int {
	r := d.word.Wrap(w)
	var mask uint256.Int
	r.And(&r, mask.Not(&d.fixed))
	return *r.Or(&r, &d.value)
}
