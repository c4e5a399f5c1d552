package rpc

import (
	"encoding/json"
	"fmt"
	"sort"

	"go.lsp.dev/protocol"
)

// maxTolerated bounds what is searched for parts that do not fit, which takes
// time that grows with the square of the size. A client sends some 10 kB.
const maxTolerated = 256 << 10

// decodeInitialize decodes the parameters of initialize. The decoder is
// strict, clients are not (a boolean where LSP 3.18 wants an object is
// common), and a client that cannot initialize is a client without a server:
// whatever does not decode is dropped, and named in dropped.
func decodeInitialize(raw []byte) (params *protocol.InitializeParams, dropped []string, err error) {
	params = new(protocol.InitializeParams)
	if err := protocol.Unmarshal(raw, params); err == nil {
		return params, nil, nil
	}
	if len(raw) > maxTolerated {
		return nil, nil, fmt.Errorf("parameters of %d bytes are not as LSP has them", len(raw))
	}
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, nil, fmt.Errorf("parameters are not an object: %w", err)
	}
	p := pruner{fits: fitsInitialize}
	kept, _ := p.prune(tree, func(v any) any { return v }, "").(map[string]any)
	clean, err := json.Marshal(kept)
	if err != nil {
		return nil, nil, err
	}
	params = new(protocol.InitializeParams)
	if err := protocol.Unmarshal(clean, params); err != nil {
		return nil, nil, err
	}
	return params, p.dropped, nil
}

func fitsInitialize(tree any) bool {
	raw, err := json.Marshal(tree)
	if err != nil {
		return false
	}
	return protocol.Unmarshal(raw, new(protocol.InitializeParams)) == nil
}

// A pruner keeps of a JSON tree what fits.
type pruner struct {
	fits    func(tree any) bool
	dropped []string // paths of what did not fit
}

// prune returns the part of the object node that fits where wrap puts it. A
// true or false in the place of an object counts as an empty one.
func (p *pruner) prune(node map[string]any, wrap func(any) any, path string) any {
	kept := map[string]any{}
	keys := make([]string, 0, len(node))
	for key := range node {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		at := func(v any) any { return wrap(map[string]any{key: v}) }
		child := node[key]
		if p.fits(at(child)) {
			kept[key] = child
			continue
		}
		name := path + "/" + key
		switch child := child.(type) {
		case map[string]any:
			if p.fits(at(map[string]any{})) {
				kept[key] = p.prune(child, at, name)
				continue
			}
		case bool:
			if child && p.fits(at(map[string]any{})) {
				kept[key] = map[string]any{}
				continue
			}
		}
		p.dropped = append(p.dropped, name)
	}
	return kept
}
