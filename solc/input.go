package solc

import (
	"encoding/json"
)

// standardInput is the compiler's standard JSON input.
type standardInput struct {
	Language string                 `json:"language"`
	Sources  map[string]inputSource `json:"sources"`
	Settings inputSettings          `json:"settings"`
}

type inputSource struct {
	Content string `json:"content"`
}

type inputSettings struct {
	Remappings      []string                       `json:"remappings,omitempty"`
	Optimizer       inputOptimizer                 `json:"optimizer"`
	EVMVersion      string                         `json:"evmVersion,omitempty"`
	ViaIR           bool                           `json:"viaIR,omitempty"`
	Metadata        map[string]string              `json:"metadata,omitempty"`
	OutputSelection map[string]map[string][]string `json:"outputSelection"`
}

type inputOptimizer struct {
	Enabled bool `json:"enabled"`
	Runs    int  `json:"runs"`
}

// contractOutput is all that is asked for of each contract. Gas estimates are
// never: they take the compiler longer than everything else together.
var contractOutput = []string{
	"abi",
	"evm.bytecode.object", "evm.bytecode.sourceMap", "evm.bytecode.linkReferences", "evm.bytecode.generatedSources",
	"evm.deployedBytecode.object", "evm.deployedBytecode.sourceMap", "evm.deployedBytecode.linkReferences",
	"evm.deployedBytecode.immutableReferences", "evm.deployedBytecode.generatedSources",
	"evm.methodIdentifiers",
}

// evmVersions has the releases that made an EVM version known to the compiler.
// Asked for one it does not know, a compiler compiles nothing.
var evmVersions = map[string]Version{
	"homestead":        {Minor: 4, Patch: 21},
	"tangerineWhistle": {Minor: 4, Patch: 21},
	"spuriousDragon":   {Minor: 4, Patch: 21},
	"byzantium":        {Minor: 4, Patch: 21},
	"constantinople":   {Minor: 4, Patch: 21},
	"petersburg":       {Minor: 5, Patch: 5},
	"istanbul":         {Minor: 5, Patch: 14},
	"berlin":           {Minor: 8, Patch: 5},
	"london":           {Minor: 8, Patch: 7},
	"paris":            {Minor: 8, Patch: 18},
	"shanghai":         {Minor: 8, Patch: 20},
	"cancun":           {Minor: 8, Patch: 24},
	"prague":           {Minor: 8, Patch: 27},
	"osaka":            {Minor: 8, Patch: 29},
}

// newInput returns the standard JSON for a compiler: nothing in it that this
// version would refuse. Without the hash of its metadata, code stays the same
// when only comments change.
func newInput(v Version, sources map[string][]byte, remappings []string, s Settings) ([]byte, error) {
	in := standardInput{
		Language: "Solidity",
		Sources:  make(map[string]inputSource, len(sources)),
		Settings: inputSettings{
			Remappings: remappings,
			Optimizer:  inputOptimizer{Enabled: s.Optimizer, Runs: s.OptimizerRuns},
			ViaIR:      s.ViaIR && v.AtLeast(0, 8, 13),
		},
	}
	for name, text := range sources {
		in.Sources[name] = inputSource{Content: string(text)}
	}
	if known, ok := evmVersions[s.EVMVersion]; ok && v.Compare(known) >= 0 {
		in.Settings.EVMVersion = s.EVMVersion
	}
	if v.AtLeast(0, 6, 0) {
		in.Settings.Metadata = map[string]string{"bytecodeHash": "none"}
	}
	wanted := contractOutput
	if v.AtLeast(0, 5, 13) {
		wanted = append(wanted[:len(wanted):len(wanted)], "storageLayout")
	}
	in.Settings.OutputSelection = map[string]map[string][]string{"*": {"*": wanted, "": treeOutput(v)}}
	return json.Marshal(in)
}

// treeOutput names the syntax tree: before 0.4.12 there was only the old form.
func treeOutput(v Version) []string {
	if v.AtLeast(0, 4, 12) {
		return []string{"ast"}
	}
	return []string{"legacyAST", "ast"}
}
