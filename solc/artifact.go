package solc

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
)

// Builds are the builds of one project: files may need different compilers.
type Builds []*Build

// Errors of Builds.Artifact.
var (
	ErrNoArtifact       = errors.New("no matching artifact found")
	ErrSeveralArtifacts = errors.New("multiple matching artifacts found")
)

// asksForArtifact matches a call, or a declaration, of a cheatcode that takes the name of an
// artifact or looks for one, and of forge-std's functions that pass it on.
var asksForArtifact = regexp.MustCompile(`\b(getCode|getDeployedCode|getSelectors|getArtifactPath\w*|deployCode\w*)\(`)

// AsksForArtifact reports whether a source may ask for any contract of its project by a name,
// which Builds.Artifact finds.
func AsksForArtifact(text []byte) bool { return asksForArtifact.Match(text) }

// Artifact returns the contract that the name of an artifact means, as in
// vm.getCode and deployCode: "Token", "Token.sol", "Token.sol:Token",
// "src/Token.sol:Token", each also with a compiler's version, "Token:0.8.30", or
// the path of forge's JSON file, "out/Token.sol/Token.json". Of several, it is the
// one of running's build, the contract under test; nil: none is running. It
// reads no file.
//
// The error is or wraps ErrNoArtifact or ErrSeveralArtifacts.
func (b Builds) Artifact(name string, running *Contract) (*Contract, error) {
	want, err := parseArtifact(name)
	if err != nil {
		return nil, err
	}
	var found []*Contract
	for _, build := range b {
		for _, c := range build.Contracts {
			if want.is(c) && !slices.ContainsFunc(found, func(f *Contract) bool { return f.sameArtifact(c) }) {
				found = append(found, c)
			}
		}
	}
	if len(found) > 1 && running != nil {
		found = slices.DeleteFunc(found, func(c *Contract) bool { return c.Build.Version != running.Build.Version })
		if len(found) != 1 {
			return nil, fmt.Errorf("%w: %s; name the file too, as in src/Token.sol:Token", ErrSeveralArtifacts, name)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%w: %s", ErrNoArtifact, name)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%w: %s; name the file too, as in src/Token.sol:Token", ErrSeveralArtifacts, name)
}

// sameArtifact reports whether two builds compiled the same contract in the same
// way: an import of files that need different settings.
func (c *Contract) sameArtifact(d *Contract) bool {
	return c.Name == d.Name && c.File == d.File && c.Build.Version == d.Build.Version
}

// An artifactName is a parsed name of an artifact. Empty parts match all.
type artifactName struct {
	file, contract, version string
}

func parseArtifact(name string) (artifactName, error) {
	var want artifactName
	if file, ok := strings.CutSuffix(name, ".json"); ok { // Token.sol/Token.json, or Token.sol/Token.0.8.30.json
		want.file = path.Base(path.Dir(file))
		want.contract, want.version, _ = strings.Cut(path.Base(file), ".")
		return want, nil
	}
	parts := strings.Split(name, ":")
	if strings.Contains(parts[0], ".") {
		want.file, parts = strings.TrimPrefix(path.Clean(parts[0]), "/"), parts[1:]
		if len(parts) > 0 && !strings.Contains(parts[0], ".") {
			want.contract, parts = parts[0], parts[1:]
		}
	} else {
		want.contract, parts = parts[0], parts[1:]
	}
	if len(parts) > 0 {
		want.version, parts = parts[0], parts[1:]
	}
	if want.file+want.contract == "" || len(parts) > 0 {
		return want, fmt.Errorf("%w: %q is no name of an artifact; write it like src/Token.sol:Token", ErrNoArtifact, name)
	}
	return want, nil
}

func (n artifactName) is(c *Contract) bool {
	return (n.contract == "" || n.contract == c.Name) && (n.version == "" || n.version == c.Build.Version) &&
		(n.file == "" || strings.HasSuffix("/"+strings.TrimPrefix(c.File, "/"), "/"+n.file))
}

// LibraryDeployer deploys the libraries that test contracts need, from nonce 0 on.
var LibraryDeployer = common.HexToAddress("0x1F95D37F27EA0dEA9C252FC09D5A6eaA97647353")

// Libraries returns the libraries that any contract of the builds is linked with; see
// the function Libraries.
func (b Builds) Libraries(deployed []LibraryAddress) []*Contract {
	var all []*Contract
	for _, build := range b {
		all = append(all, build.Contracts...)
	}
	return Libraries(all, deployed)
}

// Libraries returns the libraries that contracts are linked with, directly or
// through others, without those that are deployed already, in the order in which
// forge deploys them: by file name, contract, and path.
func Libraries(contracts []*Contract, deployed []LibraryAddress) []*Contract {
	needed := map[*Contract]bool{}
	var add func(c *Contract)
	add = func(c *Contract) {
		for _, l := range slices.Concat(c.Creation.Links, c.Runtime.Links) {
			library := c.Build.Contract(l.File + ":" + l.Library)
			if library == nil || needed[library] || LinkAddress(deployed, l) != nil {
				continue
			}
			needed[library] = true
			add(library)
		}
	}
	for _, c := range contracts {
		add(c)
	}
	var list []*Contract
	for c := range needed {
		if !slices.ContainsFunc(list, c.sameArtifact) {
			list = append(list, c)
		}
	}
	key := func(c *Contract) string {
		return path.Base(c.File) + "\x00" + c.Name + "\x00" + c.File + "\x00" + c.Build.Version
	}
	slices.SortFunc(list, func(c, d *Contract) int { return strings.Compare(key(c), key(d)) })
	return list
}

// Linked returns the code with the addresses of its libraries.
func (c *Code) Linked(libraries []LibraryAddress) ([]byte, error) {
	code := bytes.Clone(c.Object)
	for _, hole := range c.Links {
		address := LinkAddress(libraries, hole)
		if address == nil {
			return nil, fmt.Errorf("library %s of %s is not part of the compilation", hole.Library, hole.File)
		}
		copy(code[hole.At.Start:hole.At.Start+hole.At.Length], address[:])
	}
	return code, nil
}

// LinkAddress returns the address of a link's library if it is deployed already,
// else nil.
func LinkAddress(deployed []LibraryAddress, l Link) *common.Address {
	for _, d := range deployed {
		if d.Name == l.Library && d.File == l.File {
			return &d.Address
		}
	}
	return nil
}
