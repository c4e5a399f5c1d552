package rpc

import (
	"encoding/json"
	"fmt"
	"sort"

	"go.lsp.dev/protocol"
)

// maxTolerated bounds the parameters that are searched for invalid parts, in
// quadratic time. A client sends about 10 kB.
const maxTolerated = 256 << 10

// decodeInitialize decodes the parameters of initialize without the parts that
// do not fit LSP, which dropped names. The decoder is strict, but clients often
// send, for example, a boolean where LSP 3.18 has an object.
func decodeInitialize(raw []byte) (params *protocol.InitializeParams, dropped []string, err error) {
	params = new(protocol.InitializeParams)
	if err := protocol.Unmarshal(raw, params); err == nil {
		return params, nil, nil
	}
	if len(raw) > maxTolerated {
		return nil, nil, fmt.Errorf("parameters of %d bytes do not fit LSP", len(raw))
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

// A pruner removes the invalid parts of a JSON tree.
type pruner struct {
	fits    func(tree any) bool
	dropped []string // paths of the removed parts
}

// prune returns the valid part of an object at the position that wrap gives it.
// true in the place of an object counts as an empty object.
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
