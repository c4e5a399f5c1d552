// Package release gets released compilers onto this machine: it reads where
// they are published, downloads one, and lets it appear, whole and with the
// right checksum, where package compiler looks for compilers.
//
// Nothing happens unasked: whoever calls Install or List wants the network.
// The package knows no editor and no command line, and reads no environment.
package release

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"leveret/solc"
	"leveret/solc/version"
)

// The addresses at which compilers are published.
const (
	Official = "https://binaries.soliditylang.org"
	Registry = "https://registry.npmjs.org"
)

// An Installer keeps compilers in a folder. Several may work on one folder at
// once, in one process or in many.
type Installer struct {
	Dir      string // absolute; where package compiler finds them, see compiler.Env.CompilerDir
	Official string // base address of the official release lists; empty: do not ask there
	Registry string // base address of an npm registry; empty: do not ask there
	Platform string // folder of native compilers in the official lists; empty: there are none for this machine
	Node     bool   // there is a node: compilers in JavaScript run

	Client   *http.Client  // nil: one with bounds on waiting
	Patience time.Duration // how long nothing may arrive; 0 means 30 seconds
	// Progress is called while a compiler arrives; total is 0 if it is unknown.
	Progress func(r Release, done, total int64)
}

// A Release is a compiler that can be downloaded.
type Release struct {
	Version version.Version
	Node    bool   // it is JavaScript
	From    string // base address it comes from

	url    string
	sum    checksum
	packed bool // the compiler is soljson.js in an npm package
}

// String names the release for people.
func (r Release) String() string { return "solc " + r.Version.String() + " from " + r.From }

// A releaseSource is a server that publishes compilers.
type releaseSource struct {
	name string
	base string
	list func(ctx context.Context) ([]Release, error)
}

// sources lists the places to ask, the best first: native compilers start
// faster than JavaScript, and the official lists come from those who build
// them.
func (i *Installer) sources() []releaseSource {
	var list []releaseSource
	if i.Official != "" {
		base := strings.TrimRight(i.Official, "/")
		if i.Platform != "" {
			list = append(list, releaseSource{i.Platform, base, func(ctx context.Context) ([]Release, error) { return i.official(ctx, base, i.Platform, false) }})
		}
		if i.Node {
			list = append(list, releaseSource{"JavaScript", base, func(ctx context.Context) ([]Release, error) { return i.official(ctx, base, "bin", true) }})
		}
	}
	if i.Registry != "" && i.Node {
		base := strings.TrimRight(i.Registry, "/")
		list = append(list, releaseSource{"npm", base, func(ctx context.Context) ([]Release, error) { return i.registry(ctx, base) }})
	}
	return list
}

// List returns what can be installed, the highest version first and the best
// source of each first. It fails only if no source answers.
func (i *Installer) List(ctx context.Context) ([]Release, error) {
	var all []Release
	answered, failed := false, i.nowhere()
	for _, s := range i.sources() {
		found, err := s.list(ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.base, err))
			continue
		}
		answered = true
		all = append(all, found...)
	}
	if !answered {
		return nil, i.unreachable("the list of compilers cannot be had", failed)
	}
	slices.SortStableFunc(all, func(a, b Release) int { return b.Version.Compare(a.Version) })
	return all, nil
}

// nowhere says why there is no source at all.
func (i *Installer) nowhere() []error {
	if len(i.sources()) > 0 {
		return nil
	}
	return []error{errors.New("compilers are published for this machine in JavaScript only, and there is no node on the PATH")}
}

// unreachable is the failure for want of a source: what is missing, why, and
// how to get it all the same.
func (i *Installer) unreachable(what string, why []error) error {
	var reasons []string
	for _, err := range why {
		if text := err.Error(); !slices.Contains(reasons, text) {
			reasons = append(reasons, text)
		}
	}
	return &solc.Failure{Kind: solc.DownloadFailed, Sentence: what + ": " + cmp.Or(strings.Join(reasons, "; "), "no source is set"),
		Remedy: fmt.Sprintf("try again with a network, or copy a compiler into %s under its released name, such as soljson-v0.8.30+commit.73712a01.js, or name one with --solc or the setting leveret.solc.path", i.Dir)}
}
