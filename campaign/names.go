package campaign

import (
	"fmt"
	"regexp"
	"strings"
)

// names are those of a campaign's parts at the broker.
type names struct {
	campaign string

	entries  string // stream of inputs that covered something
	findings string // stream of witnesses
	state    string // bucket with the Header; the owner writes it
	presence string // bucket with leases and heartbeats, which expire
	progress string // bucket with what was done on each contract
	files    string // object store with the manifest; the owner writes it
}

const (
	prefix      = "leveret_"
	stateSuffix = "_state"
)

func newNames(name string) names {
	p := prefix + name
	return names{campaign: name, entries: p + "_entries", findings: p + "_findings", state: p + stateSuffix, presence: p + "_presence", progress: p + "_progress", files: p + "_files"}
}

// The subjects of the streams end with the index of a contract.
func (n *names) entry(contract any) string {
	return fmt.Sprintf("leveret.%s.entry.%v", n.campaign, contract)
}
func (n *names) finding(contract any) string {
	return fmt.Sprintf("leveret.%s.finding.%v", n.campaign, contract)
}

var goodName = regexp.MustCompile(`^[A-Za-z0-9-]{1,32}$`)

// CheckName validates the name of a campaign.
func CheckName(name string) error {
	if !goodName.MatchString(name) {
		return fmt.Errorf("%q is no name of a campaign; choose up to 32 letters, digits and hyphens", name)
	}
	return nil
}

// campaignOf returns the campaign that a bucket with a Header belongs to; empty if it is
// another bucket.
func campaignOf(bucket string) string {
	name, ok := strings.CutPrefix(bucket, prefix)
	if name, is := strings.CutSuffix(name, stateSuffix); ok && is {
		return name
	}
	return ""
}
