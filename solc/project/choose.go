package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/version"
)

// A choice is the compiler and the settings for a closure.
type choice struct {
	compiler.Installation
	settings solc.Settings
	note     string // information for the user
	unmet    string // what is configured and not followed; empty: nothing

	pace pace          // of settings
	own  solc.Settings // those that the project configures, if settings are faster
}

// choose picks the compiler and its settings for a closure.
func (p *Project) choose(ctx context.Context, c *closure) (choice, error) {
	with, err := p.pick(ctx, c)
	with.settings.EVMVersion = version.EVM(with.Version, with.settings.EVMVersion)
	if p.Fast != nil && err == nil {
		with.settings.BytecodeHash = ""
		with = p.Fast.choose(c, with)
	}
	return with, err
}

// pick picks, of the compilers that satisfy all pragmas, the one that the project
// configures, or else the highest version.
func (p *Project) pick(ctx context.Context, c *closure) (choice, error) {
	wanted, err := c.wanted()
	if err != nil {
		return choice{}, err
	}
	for _, r := range p.demandsOf(c) {
		next := wanted.Intersect(r.versions)
		if next.Empty() {
			return choice{}, p.named(&solc.Failure{Kind: solc.VersionConflict, File: c.order[0].Path,
				Sentence: fmt.Sprintf("the compilation_restrictions of %s allow no version that the pragmas allow", r.paths),
				Remedy:   "change its version in foundry.toml"})
		}
		wanted = next
	}
	configured, err := p.compilersFor(c)
	if err != nil {
		return choice{}, err
	}
	if at := slices.IndexFunc(configured, func(s compilerSettings) bool { return s.path != "" }); at >= 0 && p.tools.Env().Solc == "" {
		return p.atPath(ctx, configured[at], c, wanted)
	}
	fit, err := p.fitting(ctx, c, wanted)
	if err != nil {
		return choice{}, err
	}
	compilers := slices.DeleteFunc(configured, func(s compilerSettings) bool { return s.version != nil && !wanted.Contains(*s.version) })
	slices.SortStableFunc(compilers, func(a, b compilerSettings) int { return b.order().Compare(a.order()) })
	if len(compilers) == 0 {
		return choice{Installation: fit[0], settings: p.Settings}, nil
	}
	for _, s := range compilers {
		for _, i := range fit {
			if s.version == nil || i.Version.CompareRelease(*s.version) == 0 {
				return choice{Installation: i, settings: s.Settings}, nil
			}
		}
	}
	return p.nearest(compilers[0], fit), nil
}

// atPath picks the compiler that the project configures by its path.
func (p *Project) atPath(ctx context.Context, s compilerSettings, c *closure, wanted version.Range) (choice, error) {
	config := unitName(p.Root, p.Config)
	i, err := compiler.Named(ctx, s.path)
	if f := (*solc.Failure)(nil); errors.As(err, &f) {
		f.Remedy = "correct the path in " + config + ", or write a version there"
	}
	if err != nil {
		return choice{}, p.named(err)
	}
	if !wanted.Contains(i.Version) {
		return choice{}, p.named(&solc.Failure{Kind: solc.VersionMismatch, File: c.order[0].Path,
			Sentence: fmt.Sprintf("%s sets %s, which the pragmas do not allow", config, i),
			Remedy:   "set another compiler or a version there, or change the pragma"})
	}
	return choice{Installation: i, settings: s.Settings}, nil
}

// fitting returns the installed compilers that satisfy a range, best first. If
// there is none, it searches again: one may have been installed meanwhile.
func (p *Project) fitting(ctx context.Context, c *closure, wanted version.Range) ([]compiler.Installation, error) {
	var installed []compiler.Installation
	for range 2 {
		var err error
		if installed, err = p.tools.Installations(ctx, p.Root); err != nil {
			return nil, err
		}
		fit := slices.DeleteFunc(slices.Clone(installed), func(i compiler.Installation) bool { return !wanted.Contains(i.Version) })
		if len(fit) > 0 {
			return fit, nil
		}
		p.tools.Forget(p.Root)
	}
	return nil, p.noneFits(c, wanted, installed)
}

// nearest picks a compiler if the configured version is not installed: the next
// higher version, or else the highest.
func (p *Project) nearest(s compilerSettings, fit []compiler.Installation) choice {
	best := fit[0]
	for _, i := range fit {
		if i.Version.Compare(*s.version) >= 0 && i.Version.Compare(best.Version) < 0 {
			best = i
		}
	}
	unmet := fmt.Sprintf("%s configures solc %s, which is not installed; compiled with %s (leveret solc install %s)",
		unitName(p.Root, p.Config), s.version, best.Version, s.version)
	return choice{Installation: best, settings: s.Settings, note: unmet, unmet: unmet}
}

// maxFound bounds the compiler versions that a failure names as found.
const maxFound = 4

// noneFits returns the failure that no installed compiler satisfies the pragmas,
// with the first file that needs another one.
func (p *Project) noneFits(c *closure, wanted version.Range, installed []compiler.Installation) error {
	f := &solc.Failure{Kind: solc.NoCompiler, File: c.order[0].Path, Sentence: "no Solidity compiler was found",
		Remedy: "compilers before 0.4.11 cannot be used; allow a later one in the pragma"}
	if v, ok := p.advised(c, wanted); ok {
		f.Install = v.String()
		f.Remedy = fmt.Sprintf("run leveret solc install %s, or put a solc on the PATH", v)
	}
	if len(installed) == 0 {
		return p.named(f)
	}
	f.Kind = solc.VersionMismatch
	var have []string
	for _, i := range installed {
		if v := i.Version.String(); !slices.Contains(have, v) {
			have = append(have, v)
		}
	}
	if more := len(have) - maxFound; more > 1 {
		have = append(have[:maxFound], fmt.Sprintf("%d more", more))
	}
	f.Sentence = fmt.Sprintf("no installed compiler satisfies all pragmas; found %s", strings.Join(have, ", "))
	for _, pragma := range c.pragmas {
		if !slices.ContainsFunc(installed, func(i compiler.Installation) bool { return pragma.Contains(i.Version) }) {
			f.File, f.Line = pragma.file.Path, pragma.Line
			f.Sentence = fmt.Sprintf("this file needs solc %s; found %s", pragma.Pragma.Range, strings.Join(have, ", "))
			break
		}
	}
	if p.tools.Env().Solc != "" {
		f.Sentence += " as set"
		f.Remedy, f.Install = "leave out --solc or the setting leveret.solc.path, or set a matching compiler", ""
	}
	return p.named(f)
}
