package compiler

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/version"
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
	Metadata        map[string]any                 `json:"metadata,omitempty"`
	Debug           map[string]string              `json:"debug,omitempty"`
	OutputSelection map[string]map[string][]string `json:"outputSelection"`
}

type inputOptimizer struct {
	Enabled bool           `json:"enabled"`
	Runs    int            `json:"runs"`
	Details solc.Optimizer `json:"details,omitempty"`
}

// contractOutput lists what is requested of each contract. Gas estimates are
// left out: they take longer than everything else together.
var contractOutput = []string{
	"abi",
	"evm.bytecode.object", "evm.bytecode.sourceMap", "evm.bytecode.linkReferences", "evm.bytecode.generatedSources",
	"evm.deployedBytecode.object", "evm.deployedBytecode.sourceMap", "evm.deployedBytecode.linkReferences",
	"evm.deployedBytecode.immutableReferences", "evm.deployedBytecode.generatedSources",
	"evm.methodIdentifiers",
}

// newInput returns the standard JSON for a compiler, without settings that this
// version rejects. The metadata hash is off unless the settings ask for one, so that
// code does not change when only comments do.
func newInput(v version.Version, sources map[string][]byte, remappings []string, s solc.Settings) standardInput {
	in := standardInput{
		Language: "Solidity",
		Sources:  make(map[string]inputSource, len(sources)),
		Settings: inputSettings{
			Remappings: remappings,
			Optimizer:  inputOptimizer{s.Optimizer, s.OptimizerRuns, knownDetails(v, s.Details)},
			ViaIR:      s.ViaIR && HasViaIR(v),
		},
	}
	for name, text := range sources {
		in.Sources[name] = inputSource{Content: string(text)}
	}
	in.Settings.EVMVersion = version.EVM(v, s.EVMVersion)
	if v.AtLeast(0, 6, 0) {
		in.Settings.Metadata = map[string]any{"bytecodeHash": cmp.Or(s.BytecodeHash, "none")}
		if s.RevertStrings != "" {
			in.Settings.Debug = map[string]string{"revertStrings": s.RevertStrings}
		}
	}
	if v.AtLeast(0, 8, 18) && s.NoMetadata {
		in.Settings.Metadata = map[string]any{"bytecodeHash": "none", "appendCBOR": false}
	}
	wanted := contractOutput
	if v.AtLeast(0, 5, 13) {
		wanted = append(wanted[:len(wanted):len(wanted)], "storageLayout")
	}
	if s.NoGenerated {
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return strings.HasSuffix(name, ".generatedSources") })
	}
	trees := treeOutput(v)
	if s.NoTrees {
		trees = nil
	}
	in.Settings.OutputSelection = selection(sources, wanted, trees, s.Compiled)
	return in
}

// selection requests the outputs of contracts. One of which anything is requested is
// compiled whole by most versions, and so are those of a source whose tree is. Without trees,
// only the contracts are that compiled has, and what they create.
func selection(sources map[string][]byte, wanted, trees []string, compiled solc.Selection) map[string]map[string][]string {
	all := map[string]map[string][]string{"*": {"*": wanted, "": trees}}
	if compiled == nil {
		return all
	}
	if delete(all["*"], "*"); trees == nil {
		delete(all, "*")
	}
	for source := range sources {
		names, some := compiled[source]
		if !some {
			names = []string{"*"}
		}
		all[source] = map[string][]string{}
		for _, name := range names {
			all[source][name] = wanted
		}
	}
	return all
}

// detailSince are the compilers from which on they know some of the optimiser's
// details; all know the others.
var detailSince = map[string]version.Version{
	"inliner": {Major: 0, Minor: 8, Patch: 5}, "simpleCounterForLoopUncheckedIncrement": {Major: 0, Minor: 8, Patch: 22},
}

// knownDetails returns the details that a compiler knows.
func knownDetails(v version.Version, all solc.Optimizer) solc.Optimizer {
	known := maps.Clone(all)
	maps.DeleteFunc(known, func(name string, _ any) bool { return v.CompareRelease(detailSince[name]) < 0 })
	return known
}

// HasViaIR reports whether a compiler has a stable code generator via IR.
func HasViaIR(v version.Version) bool { return v.AtLeast(0, 8, 13) }

// treeOutput names the outputs with the syntax tree: before 0.4.12 there was
// only legacyAST.
func treeOutput(v version.Version) []string {
	if v.AtLeast(0, 4, 12) {
		return []string{"ast"}
	}
	return []string{"legacyAST", "ast"}
}
