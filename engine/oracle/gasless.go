package oracle

import (
	"fmt"

	"leveret/engine/cover"
	"leveret/engine/finding"
)

// GaslessSend reports sends whose recipient runs out of the 2,300 gas stipend
// while the sender continues as if it were paid (sFuzz, ICSE 2020, section
// 3.4).
var GaslessSend = Oracle{
	Name: "gasless-send", SWC: "SWC-134", Severity: finding.Warning,
	Title:        "A payment fails: out of gas",
	Cause:        &UncheckedCall,
	Hint:         succeeded(saw(cover.Starved)),
	Unexportable: burnsGas,
	ByPath:       true,
	Watch: func(env *Env) Watcher {
		return watchIgnored(env, func(c *ignored, text string) (Report, bool) {
			return Report{Message: fmt.Sprintf(
				"a recipient that needs more than 2,300 gas is not paid by %s, and the transaction goes on as if it had been", text)}, c.starved
		})
	},
}
