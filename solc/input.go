package solc

import "slices"

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

// An evmName is the name of an EVM version and the first release that knows it.
type evmName struct {
	name  string
	since Version
}

// evmNames has them in the order in which they came.
var evmNames = []evmName{
	{"homestead", Version{Minor: 4, Patch: 21}},
	{"tangerineWhistle", Version{Minor: 4, Patch: 21}},
	{"spuriousDragon", Version{Minor: 4, Patch: 21}},
	{"byzantium", Version{Minor: 4, Patch: 21}},
	{"constantinople", Version{Minor: 4, Patch: 21}},
	{"petersburg", Version{Minor: 5, Patch: 5}},
	{"istanbul", Version{Minor: 5, Patch: 14}},
	{"berlin", Version{Minor: 8, Patch: 5}},
	{"london", Version{Minor: 8, Patch: 7}},
	{"paris", Version{Minor: 8, Patch: 18}},
	{"shanghai", Version{Minor: 8, Patch: 20}},
	{"cancun", Version{Minor: 8, Patch: 24}},
	{"prague", Version{Minor: 8, Patch: 27}},
	{"osaka", Version{Minor: 8, Patch: 29}},
}

// evmVersion returns what to ask a compiler for: what is wanted or, from a
// compiler that came before it, the last one that it knows; nothing where its
// own default serves. Asked for one it does not know, a compiler compiles
// nothing.
func evmVersion(v Version, wanted string) string {
	last := slices.IndexFunc(evmNames, func(e evmName) bool { return e.name == wanted })
	if last < 0 || !v.AtLeast(0, 5, 5) && v.Compare(evmNames[last].since) < 0 {
		return ""
	}
	for last > 0 && v.Compare(evmNames[last].since) < 0 {
		last--
	}
	return evmNames[last].name
}

// newInput returns the standard JSON for a compiler: nothing in it that this
// version would refuse. Without the hash of its metadata, code stays the same
// when only comments change.
func newInput(v Version, sources map[string][]byte, remappings []string, s Settings) standardInput {
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
	in.Settings.EVMVersion = evmVersion(v, s.EVMVersion)
	if v.AtLeast(0, 6, 0) {
		in.Settings.Metadata = map[string]string{"bytecodeHash": "none"}
	}
	wanted := contractOutput
	if v.AtLeast(0, 5, 13) {
		wanted = append(wanted[:len(wanted):len(wanted)], "storageLayout")
	}
	in.Settings.OutputSelection = map[string]map[string][]string{"*": {"*": wanted, "": treeOutput(v)}}
	return in
}

// treeOutput names the syntax tree: before 0.4.12 there was only the old form.
func treeOutput(v Version) []string {
	if v.AtLeast(0, 4, 12) {
		return []string{"ast"}
	}
	return []string{"legacyAST", "ast"}
}
