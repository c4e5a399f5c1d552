// Package release lists, downloads and installs released compilers. A compiler
// is installed atomically, after its checksum was verified, where package
// compiler finds it.
//
// Only Install and List use the network. The package knows no editor and no
// command line, and reads no environment.
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

// An Installer installs compilers in a folder. Several may use the same folder at
// once, in one process or in many.
type Installer struct {
	Dir      string // absolute; see compiler.Env.CompilerDir
	Official string // base address of the official release lists; empty: do not use
	Registry string // base address of an npm registry; empty: do not use
	Platform string // folder of native compilers in the official lists; empty: there are none for this machine
	Node     bool   // node is installed: compilers in JavaScript run

	Client   *http.Client  // nil: one with bounds on waiting
	Patience time.Duration // how long nothing may arrive; 0 means 30 seconds
	// Progress is called during a download; total is 0 if it is unknown.
	Progress func(r Release, done, total int64)
}

// A Release is a compiler that can be downloaded.
type Release struct {
	Version version.Version
	Node    bool   // written in JavaScript
	From    string // base address of the publisher

	url    string
	sum    checksum
	packed bool // the compiler is soljson.js in an npm package
}

// String describes the release for messages.
func (r Release) String() string { return "solc " + r.Version.String() + " from " + r.From }

// A releaseSource is a server that publishes compilers.
type releaseSource struct {
	name string
	base string
	list func(ctx context.Context) ([]Release, error)
}

// sources lists the publishers, best first: native compilers start faster than
// JavaScript, and the official lists are those of the compiler's developers.
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

// List returns the releases that can be installed, the highest version first and
// the best source of each first. It fails only if all sources fail.
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

// nowhere returns why there is no source.
func (i *Installer) nowhere() []error {
	if len(i.sources()) > 0 {
		return nil
	}
	return []error{errors.New("compilers are published for this machine in JavaScript only, and there is no node on the PATH")}
}

// unreachable returns the failure that no source can be reached, with its reasons
// and a remedy.
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
