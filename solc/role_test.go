package solc

import (
	"strings"
	"testing"
)

// The engine, the command and the server say the same of a contract.
func TestUnfuzzable(t *testing.T) {
	code := Code{Object: []byte{0}}
	for _, row := range []struct {
		contract Contract
		want     string // a part of the reason; empty: it can be fuzzed
	}{
		{Contract{Name: "I", Kind: KindInterface}, "I is an interface"},
		{Contract{Name: "L", Kind: KindLibrary, Creation: code}, "L is a library"},
		{Contract{Name: "A", Kind: KindContract, Abstract: true}, "A is abstract"},
		{Contract{Name: "T", Kind: KindContract, Creation: code, Methods: map[string]string{"IS_TEST()": ""}}, "T is a test"},
		{Contract{Name: "N", Kind: KindContract}, "N has no code"},
		{Contract{Name: "C", Kind: KindContract, Creation: code}, ""},
	} {
		if got := row.contract.Unfuzzable(); got != row.want && (row.want == "" || !strings.HasPrefix(got, row.want)) {
			t.Errorf("%s: %q, want %q", row.contract.Name, got, row.want)
		}
	}
}
