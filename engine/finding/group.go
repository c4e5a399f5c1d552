package finding

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Spot is a place and the cause of what fails there. Findings with one Spot are
// one to the reader: of several contracts that inherit the line, or of several
// oracles that describe the same cause.
type Spot struct {
	File       string // absolute, else the name of the source unit
	Start, End int    // bytes
	Cause      string
}

// Spot returns the Spot of f.
func (f *Finding) Spot() Spot {
	return Spot{cmp.Or(f.Place.Path, f.Place.File), f.Place.Span.Start, f.Place.Span.End(), f.CauseName()}
}

// An Anchor tells a place from others in its file, whatever its line.
type Anchor struct {
	Around string // the contract and the function around it
	Text   string // on one line, shortened
	Nth    int    // how often the text stands before it in the function
}

// CauseName returns the name of the oracle that tells most about the cause of f.
func (f *Finding) CauseName() string { return cmp.Or(f.Cause, f.Oracle) }

// GroupID returns the id of the group of f, "unchecked-call@Vault.sol:4f2a9c01".
// Unlike ID it does not depend on the contract under test, and it counts equal
// texts in the order of the source. It survives edits that move the line.
func (f *Finding) GroupID() string {
	file := path.Base(f.Place.File)
	sum := sha256.Sum256([]byte(strings.Join([]string{f.CauseName(), file, f.Anchor.Around, f.Anchor.Text, strconv.Itoa(f.Anchor.Nth)}, "\x00")))
	name, _, _ := strings.Cut(f.CauseName(), " ")
	return fmt.Sprintf("%s@%s:%x", name, file, sum[:4])
}

// A Sighting is a finding with its Spot and severity of now, which edits and
// settings may change.
type Sighting struct {
	Finding  *Finding
	Spot     Spot
	Severity Severity
}

// Group groups values by their Spots, in order of the first of each. In a group,
// the most telling value is first: the most severe, then that of the oracle which
// names the cause, then the one with the shortest witness.
func Group[T any](list []T, of func(T) Sighting) (groups [][]T) {
	at := map[Spot]int{}
	for _, v := range list {
		spot := of(v).Spot
		n, known := at[spot]
		if !known {
			n = len(groups)
			at[spot], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], v)
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b T) int { return compareTelling(of(a), of(b)) })
	}
	return groups
}

func compareTelling(a, b Sighting) int {
	other := func(s Sighting) int {
		if s.Finding.Oracle == s.Finding.CauseName() {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(other(a), other(b)),
		cmp.Compare(len(a.Finding.Witness.Txs), len(b.Finding.Witness.Txs)),
	)
}

// Names returns a text of each value, without repetitions, in order.
func Names[T any](list []T, name func(T) string) (names []string) {
	for _, v := range list {
		if n := name(v); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}
