package finding

// A Suppression is a comment in the source that silences findings.
type Suppression struct {
	Place      Place
	Oracles    []string // names; empty: all
	Suppressed int      // findings of this campaign; a comment with none in any campaign is unused
}
