package finding

// A Suppression is a comment in the source that suppresses findings.
type Suppression struct {
	Place      Place
	Oracles    []string // names; empty: all
	Suppressed int      // findings that it suppressed in this campaign; one without any in all campaigns is unused
}
