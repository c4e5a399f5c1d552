package project

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/version"
)

// A restriction is what some files demand of the compiler: an entry of
// compilation_restrictions in foundry.toml, or several for one file.
type restriction struct {
	paths    string // a glob
	versions version.Range
	viaIR    *bool
	runs     bounds // of the optimiser
	evm      bounds // indices of EVM versions
}

// bounds are the least and the largest allowed value. nil: none.
type bounds struct{ min, max *int }

func (b bounds) contains(n int) bool {
	return (b.min == nil || n >= *b.min) && (b.max == nil || n <= *b.max)
}

// intersect returns what both allow; false if that is nothing.
func (b bounds) intersect(c bounds) (bounds, bool) {
	if b.min == nil || c.min != nil && *c.min > *b.min {
		b.min = c.min
	}
	if b.max == nil || c.max != nil && *c.max < *b.max {
		b.max = c.max
	}
	return b, b.min == nil || b.max == nil || *b.min <= *b.max
}

// readRestrictions reads compilation_restrictions. What restricts only the
// metadata, such as bytecode_hash, changes no behaviour and is ignored.
func (c *foundryConfig) readRestrictions(value any) bool {
	list, ok := value.([]any)
	for _, item := range list {
		keys, isTable := item.(map[string]any)
		r := restriction{versions: version.Any()}
		ok = isTable && set(&r.paths, keys["paths"]) && ok
		for key, value := range keys {
			ok = (value == nil || r.set(foundryKey(key), value)) && ok
		}
		c.Restrictions = append(c.Restrictions, r)
	}
	return ok
}

// set sets the field of a key and reports whether the value has the right type.
func (r *restriction) set(key string, value any) bool {
	switch key {
	case "version":
		text := ""
		ok := set(&text, value)
		versions, err := version.ParseRange(strings.ReplaceAll(text, ",", " "))
		r.versions = versions
		return ok && err == nil
	case "via_ir":
		r.viaIR = new(bool)
		return set(r.viaIR, value)
	case "optimizer_runs", "min_optimizer_runs", "max_optimizer_runs":
		n := 0
		r.runs.set(key, &n)
		return setNumber(&n, value)
	case "evm_version", "min_evm_version", "max_evm_version":
		name := ""
		ok := set(&name, value)
		n := slices.Index(version.EVMNames(), evmName(name))
		r.evm.set(key, &n)
		return ok && n >= 0
	}
	return true
}

// set sets the bound that a key is about, or both.
func (b *bounds) set(key string, n *int) {
	if !strings.HasPrefix(key, "max_") {
		b.min = n
	}
	if !strings.HasPrefix(key, "min_") {
		b.max = n
	}
}

// allows reports whether settings satisfy the restriction, by the rule of
// foundry-compilers (SolcSettings::satisfies_restrictions).
func (r restriction) allows(s solc.Settings) bool {
	return (r.viaIR == nil || *r.viaIR == s.ViaIR) &&
		r.runs.contains(s.OptimizerRuns) && (s.Optimizer || r.runs.min == nil || *r.runs.min == 0) &&
		r.evm.contains(slices.Index(version.EVMNames(), s.EVMVersion))
}

// covers reports whether the restriction applies to a source: if the glob
// matches its name, or the last element of the name contains it.
func (r restriction) covers(name string) bool {
	return solc.MatchGlob(strings.TrimPrefix(r.paths, "./"), name) || strings.Contains(path.Base(name), r.paths)
}

// intersect returns the restriction to what both allow; false if that is
// nothing.
func (r restriction) intersect(s restriction) (restriction, bool) {
	agree := r.viaIR == nil || s.viaIR == nil || *r.viaIR == *s.viaIR
	if r.viaIR == nil {
		r.viaIR = s.viaIR
	}
	var okRuns, okEVM bool
	r.runs, okRuns = r.runs.intersect(s.runs)
	r.evm, okEVM = r.evm.intersect(s.evm)
	r.versions = r.versions.Intersect(s.versions)
	return r, agree && okRuns && okEVM && !r.versions.Empty()
}

// String returns "src/A.sol demands via IR and at least 200 optimiser runs".
func (r restriction) String() string {
	var list []string
	if r.viaIR != nil {
		list = append(list, map[bool]string{true: "via IR", false: "no IR"}[*r.viaIR])
	}
	if text := r.runs.describe(func(n int) string { return fmt.Sprint(n) }); text != "" {
		list = append(list, text+" optimiser runs")
	}
	if text := r.evm.describe(func(n int) string { return version.EVMNames()[n] }); text != "" {
		list = append(list, "EVM version "+text)
	}
	if len(list) == 0 {
		list = append(list, "another compiler")
	}
	return r.paths + " demands " + strings.Join(list, " and ")
}

func (b bounds) describe(text func(int) string) string {
	switch {
	case b.min != nil && b.max != nil && *b.min == *b.max:
		return text(*b.min)
	case b.min != nil && b.max != nil:
		return text(*b.min) + " to " + text(*b.max)
	case b.min != nil:
		return "at least " + text(*b.min)
	case b.max != nil:
		return "at most " + text(*b.max)
	}
	return ""
}

// demands returns what the configuration demands for one source; false if
// nothing. If two restrictions of one source contradict each other, the first
// counts, as in forge.
func (c *configuration) demands(source string) (restriction, bool) {
	all, any := restriction{paths: source, versions: version.Any()}, false
	for _, r := range c.restrictions {
		if !r.covers(source) {
			continue
		}
		any = true
		if both, ok := all.intersect(r); ok {
			all = both
		}
	}
	return all, any
}

// demandsOf returns the restrictions of a closure's files.
func (c *configuration) demandsOf(files *closure) []restriction {
	var list []restriction
	for _, s := range files.order {
		if r, ok := c.demands(s.Name); ok {
			list = append(list, r)
		}
	}
	return list
}

// allowed returns the first settings that satisfy all demands, of the usual ones
// and the profiles.
func (c *configuration) allowed(usual solc.Settings, demands ...restriction) (solc.Settings, bool) {
	for _, s := range append([]solc.Settings{usual}, c.profiles...) {
		s.Remappings = usual.Remappings
		if !slices.ContainsFunc(demands, func(r restriction) bool { return !r.allows(s) }) {
			return s, true
		}
	}
	return usual, false
}

// restrictionConflict returns the failure that no profile satisfies all demands
// of a closure's files: those of one file, or of the first file that contradicts
// an earlier one.
func (c *configuration) restrictionConflict(files *closure, usual solc.Settings, demands []restriction) error {
	f := &solc.Failure{Kind: solc.SettingsConflict, File: files.order[0].Path,
		Sentence: "the compilation_restrictions of the files that this one needs conflict",
		Remedy:   "add a profile to additional_compiler_profiles in foundry.toml that satisfies all of them"}
	for n, r := range demands {
		if _, ok := c.allowed(usual, r); !ok {
			f.Sentence = fmt.Sprintf("no compiler profile satisfies the compilation_restrictions: %s", r)
			break
		}
		i := slices.IndexFunc(demands[:n], func(e restriction) bool { _, ok := c.allowed(usual, e, r); return !ok })
		if i >= 0 {
			f.Sentence = fmt.Sprintf("the compilation_restrictions conflict: %s, but %s, and both files are needed", demands[i], r)
			break
		}
	}
	return files.at.named(f)
}
