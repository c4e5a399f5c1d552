package version

import "slices"

// EVMNames returns the names of all EVM versions that compilers know,
// oldest first.
func EVMNames() []string {
	var names []string
	for _, e := range evmNames {
		names = append(names, e.name)
	}
	return names
}

// An evmName is the name of an EVM version and the first release that knows it.
type evmName struct {
	name  string
	since Version
}

// evmNames lists them in the order of their activation.
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

// EVM returns the EVM version to request from compiler v: wanted, or
// the latest one that v supports if v is older. It is empty if the compiler's
// default applies. A compiler rejects a version that it does not know.
func EVM(v Version, wanted string) string {
	last := slices.IndexFunc(evmNames, func(e evmName) bool { return e.name == wanted })
	if last < 0 || !v.AtLeast(0, 5, 5) && v.Compare(evmNames[last].since) < 0 {
		return ""
	}
	for last > 0 && v.Compare(evmNames[last].since) < 0 {
		last--
	}
	return evmNames[last].name
}
