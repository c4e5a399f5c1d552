// Package campaign fuzzes the contracts of a project on several machines. They meet at
// a NATS server with JetStream, which keeps the compiled contracts, the inputs that
// covered something, and the witnesses of findings.
//
// Who takes part needs neither sources nor a compiler. What others send is executed,
// and never believed: an input counts for what it covers here, and a finding is shown
// once its witness shows it here.
package campaign

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"leveret/engine"
	"leveret/solc"
)

// A Manifest is what a campaign works on: all that a worker needs.
type Manifest struct {
	Contracts []ContractName `json:"contracts"`
	Settings  Settings       `json:"settings"`
	Bundles   []*solc.Bundle `json:"bundles"`
}

// A ContractName is a contract of a manifest.
type ContractName struct {
	Bundle int    `json:"bundle"` // index
	File   string `json:"file"`   // source unit name
	Name   string `json:"name"`
}

// Settings are the options of a campaign that all workers share.
type Settings struct {
	Oracles []string `json:"oracles,omitempty"` // to watch; empty: all
}

// A Target is a contract of a campaign, ready to be fuzzed.
type Target struct {
	Contract *solc.Contract
	Project  []*solc.Contract // of the same build
}

// The bounds of a manifest in bytes.
const (
	maxManifest = 256 << 20 // compressed
	maxUnpacked = 2 << 30
)

// Add adds contracts of a build, which must have its Output. The manifest has the paths
// of files relative to folder.
func (m *Manifest) Add(b *solc.Build, folder string, contracts []*solc.Contract) error {
	bundle, err := solc.NewBundle(b, folder)
	if err != nil {
		return err
	}
	for _, c := range contracts {
		m.Contracts = append(m.Contracts, ContractName{Bundle: len(m.Bundles), File: c.File, Name: c.Name})
	}
	m.Bundles = append(m.Bundles, bundle)
	return nil
}

// Targets reads the builds and returns the contracts, in the order of m.Contracts. An
// error says what is wrong with the manifest. Findings are in files below folder, where
// they need not exist; without a folder, they have no path.
func (m *Manifest) Targets(folder string) ([]Target, error) {
	var builds []*solc.Build
	for _, bundle := range m.Bundles {
		if bundle == nil {
			return nil, errors.New("the campaign has an empty build")
		}
		b, err := bundle.Build(folder)
		if err != nil {
			return nil, fmt.Errorf("the compiled contracts of the campaign cannot be read: %w", err)
		}
		builds = append(builds, b)
	}
	var list []Target
	for _, c := range m.Contracts {
		if c.Bundle < 0 || c.Bundle >= len(builds) {
			return nil, fmt.Errorf("the campaign has no build of %s", c.Name)
		}
		b := builds[c.Bundle]
		i := slices.IndexFunc(b.Contracts, func(o *solc.Contract) bool { return o.File == c.File && o.Name == c.Name })
		if i < 0 {
			return nil, fmt.Errorf("the campaign has no code of %s:%s", c.File, c.Name)
		}
		list = append(list, Target{b.Contracts[i], b.Contracts})
	}
	if len(list) == 0 {
		return nil, errors.New("the campaign has no contract")
	}
	return list, nil
}

// Options are the options of an engine's run that m sets.
func (m *Manifest) Options() engine.Options {
	return engine.Options{Oracles: m.Settings.Oracles, Suppress: true}
}

// Code returns a digest of the code of all contracts, in hexadecimal: campaigns with
// equal ones may share their inputs.
func Code(targets []Target) string {
	var lines []string
	for _, t := range targets {
		for _, c := range t.Project {
			creation, runtime := sha256.Sum256(c.Creation.Object), sha256.Sum256(c.Runtime.Object)
			lines = append(lines, fmt.Sprintf("%s %s %x %x\n", c.File, c.Name, creation, runtime))
		}
		lines = append(lines, fmt.Sprintf("target %s %s\n", t.Contract.File, t.Contract.Name))
	}
	slices.Sort(lines)
	h := sha256.New()
	for _, line := range slices.Compact(lines) {
		io.WriteString(h, line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Encode returns the manifest as it travels.
func (m *Manifest) Encode() ([]byte, error) {
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	if err := json.NewEncoder(packed).Encode(m); err != nil {
		return nil, err
	}
	if err := packed.Close(); err != nil {
		return nil, err
	}
	if out.Len() > maxManifest {
		return nil, fmt.Errorf("the compiled contracts take %d MB, and a campaign may have %d MB; choose fewer contracts", out.Len()>>20, maxManifest>>20)
	}
	return out.Bytes(), nil
}

// DecodeManifest reads what Encode returned.
func DecodeManifest(text []byte) (*Manifest, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("the campaign's manifest cannot be read: %w", err)
	}
	m := new(Manifest)
	if err := json.NewDecoder(io.LimitReader(unpacked, maxUnpacked)).Decode(m); err != nil {
		return nil, fmt.Errorf("the campaign's manifest cannot be read: %w", err)
	}
	return m, nil
}
