package bytecode_test

import (
	"encoding/hex"
	"encoding/json"
	"testing"

	"leveret/solc/solctest"
)

// A compiled contract, as testdata/compile.js prints it.
type compiled struct {
	Contract   string
	Solc       string
	Settings   json.RawMessage
	Runtime    string
	Creation   string
	Methods    map[string]string
	Map        string
	Immutables map[string][]struct{ Start, Length int }
}

func (c compiled) name() string { return c.Contract + " " + c.Solc + " " + string(c.Settings) }

func (c compiled) code(t *testing.T) []byte {
	code, err := hex.DecodeString(c.Runtime)
	if err != nil {
		t.Fatalf("%s: %v", c.name(), err)
	}
	return code
}

type job struct {
	Solc     string          `json:"solc"`
	Settings json.RawMessage `json:"settings"`
	Files    []string        `json:"files"`
}

const (
	plain     = `{"optimizer":{"enabled":false}}`
	optimised = `{"optimizer":{"enabled":true,"runs":200}}`
	viaIR     = `{"viaIR":true,"optimizer":{"enabled":true,"runs":200}}`
	viaIRslow = `{"viaIR":true,"optimizer":{"enabled":false}}`
)

var versions = []struct {
	solc     string
	settings []string
}{
	{"solc-0.4.26", []string{plain, optimised}},
	{"solc-0.5.17", []string{optimised}},
	{"solc-0.6.12", []string{plain}},
	{"solc-0.7.6", []string{optimised}},
	{"solc-0.8.19", []string{viaIR}},
	{"solc-0.8.30", []string{plain, optimised, viaIR, viaIRslow}},
}

const modules = "../../solc/testdata/npm/node_modules"

// contracts returns compiled contracts with code, or skips the test.
func contracts(t *testing.T) []compiled {
	t.Helper()
	var jobs []job
	for _, v := range versions {
		for _, s := range v.settings {
			jobs = append(jobs, job{v.solc, json.RawMessage(s), []string{"testdata/Mixed.sol"}})
		}
	}
	in, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	out := solctest.Node(t, []string{"testdata/compile.js", modules}, in, "testdata/compile.js", "testdata/Mixed.sol")
	var all []compiled
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	var full []compiled
	for _, c := range all {
		if c.Runtime != "" {
			full = append(full, c)
		}
	}
	return full
}
