package project

import (
	"strings"
	"testing"

	"leveret/solc"
)

// TestUnfuzzable checks the reasons that the engine, the command and the server
// share.
func TestUnfuzzable(t *testing.T) {
	code := solc.Code{Object: []byte{0}}
	for _, row := range []struct {
		contract *solc.Contract
		want     string // part of the reason; "" if it can be fuzzed
	}{
		{&solc.Contract{Name: "I", Kind: solc.KindInterface}, "I is an interface"},
		{&solc.Contract{Name: "L", Kind: solc.KindLibrary, Creation: code}, "L is a library"},
		{&solc.Contract{Name: "A", Kind: solc.KindContract, Abstract: true}, "A is abstract"},
		{&solc.Contract{Name: "T", Kind: solc.KindContract, Creation: code, Methods: map[string]string{"IS_TEST()": ""}}, "T is a test without test functions"},
		{&solc.Contract{Name: "T", Kind: solc.KindContract, Creation: code, Methods: map[string]string{"IS_TEST()": "", "testA()": ""}}, ""},
		{&solc.Contract{Name: "S", Kind: solc.KindContract, Creation: code, Methods: map[string]string{"IS_SCRIPT()": "", "testA()": ""}}, "S is a script"},
		{&solc.Contract{Name: "N", Kind: solc.KindContract}, "N has no code"},
		{&solc.Contract{Name: "C", Kind: solc.KindContract, Creation: code}, ""},
	} {
		if got := row.contract.Unfuzzable(); got != row.want && (row.want == "" || !strings.HasPrefix(got, row.want)) {
			t.Errorf("%s: %q, want %q", row.contract.Name, got, row.want)
		}
	}
}
