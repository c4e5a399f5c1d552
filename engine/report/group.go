package report

import (
	"cmp"
	"fmt"
	"slices"

	"leveret/engine/finding"

	"github.com/dustin/go-humanize/english"
)

// A Group are the findings at one place with one cause, the most telling first.
// Every format shows it once.
type Group struct {
	ID       string
	Accepted bool // by the baseline
	Members  []Member
}

// A Member is a finding with its contract.
type Member struct {
	*finding.Finding
	Of *Contract
}

// Shown is the member that a format describes.
func (g *Group) Shown() Member { return g.Members[0] }

// Contracts lists the names of the contracts with the place.
func (g *Group) Contracts() []string {
	return finding.Names(g.Members, func(m Member) string { return m.Of.Name })
}

// Oracles lists the oracles that describe the cause.
func (g *Group) Oracles() []string {
	return finding.Names(g.Members, func(m Member) string { return m.Oracle })
}

// Groups returns the findings of the severity that the report has or above,
// grouped: most severe first, then by place.
func (r *Report) Groups() []Group {
	var members []Member
	for i := range r.Contracts {
		c := &r.Contracts[i]
		for k := range c.Findings {
			if f := &c.Findings[k]; f.Severity >= r.Severity {
				members = append(members, Member{f, c})
			}
		}
	}
	var groups []Group
	for _, list := range finding.Group(members, sighting) {
		id := list[0].GroupID()
		groups = append(groups, Group{ID: id, Accepted: r.Accepted[id], Members: list})
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		x, y := a.Shown(), b.Shown()
		return cmp.Or(-cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Place.File, y.Place.File), cmp.Compare(x.Place.Start.Line, y.Place.Start.Line))
	})
	return groups
}

func sighting(m Member) finding.Sighting {
	return finding.Sighting{Finding: m.Finding, Spot: m.Spot(), Severity: m.Severity}
}

// fresh returns the groups that are not in the baseline.
func fresh(groups []Group) []Group {
	return slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return g.Accepted })
}

// of returns the groups with a finding of a contract.
func (c *Contract) of(groups []Group) []Group {
	return slices.DeleteFunc(slices.Clone(groups), func(g Group) bool {
		return !slices.ContainsFunc(g.Members, func(m Member) bool { return m.Of == c })
	})
}

// maxContracts bounds the contracts that a sentence names.
const maxContracts = 10

// contracts names the contracts of a group if there are several, "3 contracts: A, B
// and C".
func (g *Group) contracts() string {
	names := g.Contracts()
	if len(names) < 2 {
		return ""
	}
	all := len(names)
	if all > maxContracts {
		names = append(names[:maxContracts:maxContracts], fmt.Sprintf("%d more", all-maxContracts))
	}
	return fmt.Sprintf("%d contracts: %s", all, english.WordSeries(names, "and"))
}

// others names the oracles of a group but the shown one's.
func (g *Group) others() string {
	return english.WordSeries(slices.DeleteFunc(g.Oracles(), func(name string) bool { return name == g.Shown().Oracle }), "and")
}
