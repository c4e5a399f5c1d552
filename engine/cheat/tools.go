package cheat

import "slices"

// tools is what the cheatcodes remember that change neither the chain nor what a
// test expects of it.
type tools struct {
	wallets   wallets
	random    random
	vars      vars
	readers   readers
	objects   objects
	slept     uint64 // milliseconds of vm.sleep
	intercept bool   // the next creation, for vm.interceptInitcode
}

func (t *tools) clone() tools {
	return tools{
		wallets: t.wallets.clone(), random: t.random.clone(), vars: t.vars.clone(), readers: t.readers.clone(),
		objects: t.objects.clone(), slept: t.slept, intercept: t.intercept,
	}
}

var toolRows = slices.Concat(
	keyRows, signatureRows, curveRows, randomRows, utilityRows, eip712Rows,
	stringRows, envRows, fileRows, ffiRows, artifactRows, structuredRows,
)
