package release

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"

	"leveret/solc/version"
)

// maxList bounds the size of lists, in bytes.
const maxList = 64 << 20

// official reads one folder's list.json of the official releases.
func (i *Installer) official(ctx context.Context, base, folder string, node bool) ([]Release, error) {
	text, err := i.read(ctx, base+"/"+folder+"/list.json", "application/json")
	if err != nil {
		return nil, err
	}
	var list struct {
		Builds []struct {
			Path, Version, Prerelease, SHA256 string
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s/list.json is not a list of releases: %w", folder, err)
	}
	var found []Release
	for _, b := range list.Builds {
		v, ok := version.Parse(b.Version)
		// Compilers before 0.4.11 do not support standard JSON. Zipped ones have
		// libraries and need a folder of their own.
		if !ok || b.Prerelease != "" || !v.AtLeast(0, 4, 11) || path.Base(b.Path) != b.Path || strings.HasSuffix(b.Path, ".zip") {
			continue
		}
		sum, err := parseSHA256(b.SHA256)
		if err != nil {
			continue // without a checksum
		}
		v.Pre = ""
		found = append(found, Release{Version: v, Node: node, From: base, sum: sum, url: base + "/" + folder + "/" + url.PathEscape(b.Path)})
	}
	return found, nil
}
