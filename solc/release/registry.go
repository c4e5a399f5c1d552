package release

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"leveret/solc/version"
)

// fixed marks a package that replaces a broken release.
const fixed = "fixed"

// registry returns the releases of the package solc in an npm registry.
func (i *Installer) registry(ctx context.Context, base string) ([]Release, error) {
	text, err := i.read(ctx, base+"/solc", "application/vnd.npm.install-v1+json, application/json;q=0.5")
	if err != nil {
		return nil, err
	}
	var document struct {
		Versions map[string]struct {
			Dist struct{ Tarball, Integrity string }
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("the answer is not an npm package: %w", err)
	}
	byVersion := map[version.Version]Release{}
	for name, p := range document.Versions {
		v, ok := version.Parse(name)
		if !ok || v.Pre != "" && v.Pre != fixed || !v.AtLeast(0, 4, 11) {
			continue
		}
		sum, err := parseIntegrity(p.Dist.Integrity)
		if err != nil {
			continue // without a checksum
		}
		repaired := v.Pre == fixed
		v.Pre = ""
		if _, double := byVersion[v]; !double || repaired {
			byVersion[v] = Release{Version: v, Node: true, From: base, sum: sum, url: p.Dist.Tarball, packed: true}
		}
	}
	var found []Release
	for _, r := range byVersion {
		found = append(found, r)
	}
	return found, nil
}

// unpack extracts the compiler from an npm package.
func unpack(w io.Writer, archive io.Reader) error {
	zipped, err := gzip.NewReader(archive)
	if err != nil {
		return fmt.Errorf("the package cannot be unpacked: %w", err)
	}
	for files := tar.NewReader(zipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return errors.New("the package has no soljson.js")
		}
		if err != nil {
			return fmt.Errorf("the package cannot be unpacked: %w", err)
		}
		// The name of the first folder varies.
		if dir, name := path.Split(header.Name); header.Typeflag != tar.TypeReg || name != "soljson.js" || strings.Count(dir, "/") != 1 {
			continue
		}
		if header.Size > maxCompiler {
			return errTooBig
		}
		if _, err = io.Copy(w, files); err != nil {
			return fmt.Errorf("the package cannot be unpacked: %w", err)
		}
		return nil
	}
}
