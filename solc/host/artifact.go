package host

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"leveret/engine/cheat"
	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/trust"
)

// maxArtifact bounds an artifact's file, in bytes.
const maxArtifact = 64 << 20

// Artifact implements cheat.Host. A name that is the path of a JSON file means this
// file, if no contract was compiled for it.
func (h *Host) Artifact(name string) (*cheat.Artifact, error) {
	c, err := h.Builds.Artifact(h.remapped(name), h.Contract)
	switch {
	case err == nil:
		return h.compiled(c), nil
	case errors.Is(err, solc.ErrNoArtifact) && strings.HasSuffix(name, ".json"):
		return h.written(name)
	}
	return nil, err
}

// remapped applies the remapping with the longest prefix to the path in a name.
func (h *Host) remapped(name string) string {
	if h.Contract == nil || h.Contract.Build == nil {
		return name
	}
	longest, path := "", name
	for _, r := range h.Contract.Build.Settings.Remappings {
		prefix, target, _ := strings.Cut(r, "=")
		if _, after, ok := strings.Cut(prefix, ":"); ok {
			prefix = after
		}
		if rest, ok := strings.CutPrefix(name, prefix); ok && len(prefix) > len(longest) {
			longest, path = prefix, strings.TrimPrefix(target+rest, h.Folder+"/")
		}
	}
	return path
}

// compiled returns the artifact of a contract. Code with open links is left out.
func (h *Host) compiled(c *solc.Contract) *cheat.Artifact {
	a := &cheat.Artifact{Name: c.File + ":" + c.Name, Path: filepath.Join(h.Folder, "out", path.Base(c.File), c.Name+".json")}
	if len(c.Creation.Object) > 0 && len(c.Creation.Links) == 0 {
		a.Creation = c.Creation.Object
	}
	if len(c.Runtime.Object) > 0 && len(c.Runtime.Links) == 0 {
		a.Deployed = c.Runtime.Object
	}
	for _, selector := range c.Methods {
		if data, err := hex.DecodeString(selector); err == nil && len(data) == 4 {
			a.Selectors = append(a.Selectors, [4]byte(data))
		}
	}
	slices.SortFunc(a.Selectors, func(x, y [4]byte) int { return slices.Compare(x[:], y[:]) })
	return a
}

// code is bytecode in an artifact: hex, or an object with hex.
type code []byte

func (c *code) UnmarshalJSON(text []byte) error {
	var object struct{ Object string }
	if len(text) > 0 && text[0] == '"' {
		if err := json.Unmarshal(text, &object.Object); err != nil {
			return err
		}
	} else if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	data, err := hex.DecodeString(strings.TrimPrefix(object.Object, "0x"))
	if err != nil {
		return errors.New("the bytecode is not hex; is it unlinked?")
	}
	*c = data
	return nil
}

// written reads an artifact's file, of forge or Hardhat.
func (h *Host) written(name string) (*cheat.Artifact, error) {
	real, err := h.Readable(name)
	if err != nil {
		return nil, err
	}
	text, err := trust.ReadRegular(real, maxArtifact)
	if err != nil {
		return nil, err
	}
	var file struct {
		ABI                        json.RawMessage
		Bytecode, DeployedBytecode code
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s is not an artifact: %w", name, err)
	}
	a := &cheat.Artifact{Path: real, Creation: file.Bytecode, Deployed: file.DeployedBytecode}
	if abi, err := input.ParseABI(file.ABI); err == nil {
		for _, f := range abi.Functions {
			a.Selectors = append(a.Selectors, f.Selector)
		}
	}
	return a, nil
}

// maxDifference is the share of bytes in which codes of one contract may differ:
// immutables and metadata.
const maxDifference = 0.1

// ArtifactOf implements cheat.Host: the contract whose code is most similar.
func (h *Host) ArtifactOf(code []byte, deployed bool) (*cheat.Artifact, error) {
	var best *solc.Contract
	least := maxDifference
	for _, build := range h.Builds {
		for _, c := range build.Contracts {
			own := c.Creation.Object
			if deployed {
				own = c.Runtime.Object
			}
			if d := difference(own, code); len(own) > 0 && (d < least || d == least && best == nil) {
				best, least = c, d
			}
		}
	}
	if best == nil {
		return nil, solc.ErrNoArtifact
	}
	return h.compiled(best), nil
}

// difference returns the share of bytes in which two codes differ.
func difference(a, b []byte) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	different := len(b) - len(a)
	for i := range a {
		if a[i] != b[i] {
			different++
		}
	}
	return float64(different) / float64(max(len(b), 1))
}
