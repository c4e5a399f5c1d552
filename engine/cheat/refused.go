package cheat

import (
	"sync"

	"leveret/engine/input"
)

// Why cheatcodes of Foundry are not implemented.
const (
	noTempo    = "belongs to the Tempo network"
	noTrace    = "forge's traces of instructions are not recorded; `leveret replay` shows them"
	noLayout   = "storage layouts are not known while a test runs"
	noVersions = "a test runs with the rules of one hard fork"
	noSigned   = "signed transactions are not executed"
	noDump     = "states are not read from or written to files"
	noQuestion = "of a chain, tests can only read accounts, storage and block values"
	noHooks    = "storage has no callbacks"
)

// refused are the cheatcodes of Foundry that are not implemented, and why.
var refused = []struct{ signature, why string }{
	{"assumeImplicitApproval(address)", noTempo},
	{"isImplicitlyApproved(address)", noTempo},
	{"expectKeychainAdminVerified(address,bytes32,bytes)", noTempo},
	{"expectKeychainVerified(address,bytes32,bytes)", noTempo},
	{"expectLogoURIUpdated(address,address,string)", noTempo},
	{"expectTip20LogoURIUpdated(address,address,string)", noTempo},
	{"setLogoURI(address,string)", noTempo},
	{"setTip20LogoURI(address,string)", noTempo},
	{"signKeychain(uint256,address,bytes32)", noTempo},
	{"signKeychainAdmin(uint256,address,bytes32)", noTempo},
	{"startDebugTraceRecording()", noTrace},
	{"stopAndReturnDebugTraceRecording()", noTrace},
	{"getStorageSlots(address,string)", noLayout},
	{"setEvmVersion(string)", noVersions},
	{"broadcastRawTransaction(bytes)", noSigned},
	{"executeTransaction(bytes)", noSigned},
	{"attachBlob(bytes)", noSigned},
	{"dumpState(string)", noDump},
	{"loadAllocs(string)", noDump},
	{"rpc(string,string)", noQuestion},
	{"rpc(string,string,string)", noQuestion},
	{"rpcJson(string,string)", noQuestion},
	{"rpcJson(string,string,string)", noQuestion},
	{"eth_getLogs(uint256,uint256,address,bytes32[])", noQuestion},
	{"getRawBlockHeader(uint256)", noQuestion},
	{"registerSloadHook(address,bytes4)", noHooks},
	{"registerSstoreHook(address,bytes4)", noHooks},
	{"registerMappingSstoreHook(address,bytes32,bytes4)", noHooks},
}

// unsupported names the cheatcodes that are refused, by selector.
var unsupported = sync.OnceValue(func() map[[4]byte]string {
	names := make(map[[4]byte]string, len(refused))
	for _, r := range refused {
		f, err := input.ParseSignature(r.signature)
		if err != nil {
			panic(err)
		}
		names[f.Selector] = r.signature + ": " + r.why
	}
	return names
})
