package compiler

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"leveret/solc"
)

const (
	maxCachedASTs = 4        // compilations whose trees are kept
	maxASTOutput  = 16 << 20 // bytes of the largest output whose trees are kept
	minReused     = 64 << 10 // bytes of trees: requesting fewer costs nothing
)

// The compiler takes about as long to write the syntax trees as to generate
// code. Most sources of a closure have not changed since the last compilation.
// The compiler numbers nodes source by source in the order of their names, so
// the trees of unchanged sources that import no changed one stay valid except
// for their numbers: these are shifted, by the same distance for all sources
// between two changed ones. The trees are taken from the last output, and a tree
// of each such segment is requested to learn the distance, see renumber.go.

// An astCache keeps the syntax trees of the last compilations.
type astCache struct {
	mu      sync.Mutex
	entries []*cachedASTs // most recently used last
	pending sync.WaitGroup
}

// cachedASTs are the syntax trees of one compilation.
type cachedASTs struct {
	key   string // of compiler, settings and source names
	texts map[string]inputSource
	trees map[string]cachedAST // by source name
}

// A cachedAST is the syntax tree of one source as the compiler wrote it.
type cachedAST struct {
	text      json.RawMessage
	low, high int // ids of its nodes
	imports   []string
}

// astKey identifies compilations that may share syntax trees: those with the
// same compiler, settings and source names.
func astKey(with Installation, in standardInput) string {
	in.Sources = maps.Clone(in.Sources)
	for name := range in.Sources {
		in.Sources[name] = inputSource{}
	}
	text, err := json.Marshal(in)
	if err != nil {
		return ""
	}
	return storeKey(with, text)
}

// add stores the trees of an output, in the background. If the output has no
// usable trees, the earlier entry stays.
func (t *astCache) add(key string, in standardInput, output []byte) {
	if len(output) > maxASTOutput {
		return
	}
	t.pending.Go(func() {
		c := &cachedASTs{key: key, texts: in.Sources, trees: readTrees(output)}
		if c.trees == nil {
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.entries = slices.DeleteFunc(t.entries, func(old *cachedASTs) bool { return old.key == key })
		if len(t.entries) == maxCachedASTs {
			t.entries = slices.Delete(t.entries, 0, 1)
		}
		t.entries = append(t.entries, c)
	})
}

// find returns the trees of the last compilation with a key, or nil.
func (t *astCache) find(key string) *cachedASTs {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.entries {
		if c.key == key {
			return c
		}
	}
	return nil
}

// wait waits for pending additions.
func (t *astCache) wait() { t.pending.Wait() }

// reusable returns the trees that are valid for other texts of the sources, by
// name, once renumbered. It returns nil if they are too small to matter.
func (c *cachedASTs) reusable(texts map[string]inputSource) map[string]cachedAST {
	names := slices.Sorted(maps.Keys(texts))
	stale := map[string]bool{} // changed, or imports a stale source
	for _, name := range names {
		stale[name] = texts[name] != c.texts[name]
	}
	if !slices.ContainsFunc(names, func(name string) bool { return stale[name] }) {
		return nil
	}
	for again := true; again; {
		again = false
		for name, tree := range c.trees {
			if !stale[name] && slices.ContainsFunc(tree.imports, func(i string) bool { return stale[i] }) {
				stale[name], again = true, true
			}
		}
	}
	reused, size := map[string]cachedAST{}, 0
	segments, _ := c.segments(texts)
	for i, segment := range segments {
		if sample := c.sample(segment, stale); i > 0 && sample != "" {
			stale[sample] = true
		}
		for _, name := range segment {
			if !stale[name] {
				reused[name] = c.trees[name]
				size += len(c.trees[name].text)
			}
		}
	}
	if size < minReused {
		return nil
	}
	return reused
}

// segments returns the names of the unchanged sources before, between and after
// the changed ones, and the names of these, all in order.
func (c *cachedASTs) segments(texts map[string]inputSource) (unchanged [][]string, changed []string) {
	unchanged = [][]string{nil}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if texts[name] != c.texts[name] {
			unchanged, changed = append(unchanged, nil), append(changed, name)
			continue
		}
		last := len(changed)
		unchanged[last] = append(unchanged[last], name)
	}
	return unchanged, changed
}

// sample returns the source of a segment whose tree to request: the one with the
// smallest tree, or none if that of another is requested anyway.
func (c *cachedASTs) sample(segment []string, stale map[string]bool) string {
	best := ""
	for _, name := range segment {
		if stale[name] {
			return ""
		}
		if best == "" || len(c.trees[name].text) < len(c.trees[best].text) {
			best = name
		}
	}
	return best
}

// readTrees returns the trees of an output by source name. It returns nil if a
// tree is missing, if node ids do not increase in the order of source names, or
// if a tree refers to a higher id than any node has. Before 0.6, the language's
// own declarations have such ids; later ones are constant, beyond builtIn.
func readTrees(output []byte) map[string]cachedAST {
	var out struct {
		Sources map[string]struct {
			AST json.RawMessage `json:"ast"`
		} `json:"sources"`
	}
	if json.Unmarshal(output, &out) != nil {
		return nil
	}
	all := map[string]cachedAST{}
	last, referred := -1, -1
	for _, name := range slices.Sorted(maps.Keys(out.Sources)) {
		tree, ok := readTree(out.Sources[name].AST)
		if !ok || tree.low <= last {
			return nil
		}
		last = tree.high
		_, to := numbers(tree.text, "referencedDeclaration")
		referred = max(referred, to)
		all[name] = tree
	}
	if referred > last {
		return nil
	}
	return all
}

func readTree(text json.RawMessage) (cachedAST, bool) {
	var unit struct {
		Nodes []struct {
			Type string `json:"nodeType"`
			Path string `json:"absolutePath"`
		} `json:"nodes"`
	}
	tree := cachedAST{text: text}
	if json.Unmarshal(text, &unit) != nil {
		return tree, false
	}
	for _, n := range unit.Nodes {
		if n.Type == "ImportDirective" {
			tree.imports = append(tree.imports, n.Path)
		}
	}
	tree.low, tree.high = numbers(text, "id")
	return tree, tree.low <= tree.high
}

// builtIn is greater than the id of any node of a source.
const builtIn = 1 << 31

// numbers returns the least and the greatest number that a field of any node
// has.
func numbers(text []byte, field string) (low, high int) {
	low, high = builtIn, -1
	key := []byte(`"` + field + `":`)
	for {
		at := bytes.Index(text, key)
		if at < 0 {
			return low, high
		}
		text = text[at+len(key):]
		end := 0
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			end++
		}
		if n, err := strconv.Atoi(string(text[:end])); err == nil && n < builtIn {
			low, high = min(low, n), max(high, n)
		}
	}
}

// Compile compiles sources, by unit name, or takes the result from the cache.
// It returns the compiler's standard JSON output, which may have errors.
func (t *Toolchain) Compile(ctx context.Context, with Installation, sources map[string][]byte, remappings []string, s solc.Settings) ([]byte, error) {
	in := newInput(with.Version, sources, remappings, s)
	input, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	trees := astKey(with, in)
	key := storeKey(with, input)
	output := t.store.get(key)
	if output == nil {
		ended := t.watch(Run{Version: with.Version, Settings: s, Files: len(sources)})
		if output, err = t.compileReusing(ctx, with, in, t.trees.find(trees)); output == nil && err == nil {
			output, err = t.execute(ctx, with, input)
		}
		ended(err)
		if err != nil {
			return nil, err
		}
		t.store.put(key, output)
	}
	t.trees.add(trees, in, output)
	return output, nil
}

// compileReusing compiles without requesting the trees that an earlier
// compilation has, and splices these into the output. It returns nil if no tree
// can be reused.
func (t *Toolchain) compileReusing(ctx context.Context, with Installation, in standardInput, before *cachedASTs) ([]byte, error) {
	if before == nil {
		return nil, nil
	}
	reused := before.reusable(in.Sources)
	if reused == nil {
		return nil, nil
	}
	texts := in.Sources
	in.Settings.OutputSelection = withoutTrees(in, reused)
	input, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	output, err := t.execute(ctx, with, input)
	if err != nil {
		return nil, err
	}
	return before.splice(output, reused, texts), nil
}

// withoutTrees returns the output selection of an input without the trees that are reused.
func withoutTrees(in standardInput, reused map[string]cachedAST) map[string]map[string][]string {
	selection := map[string]map[string][]string{}
	for source, wanted := range in.Settings.OutputSelection {
		selection[source] = maps.Clone(wanted)
	}
	trees := selection["*"][""]
	delete(selection["*"], "")
	for name := range in.Sources {
		if _, ok := reused[name]; ok {
			continue
		}
		if selection[name] == nil {
			selection[name] = map[string][]string{}
		}
		selection[name][""] = trees
	}
	return selection
}

// severity is the part of the compiler's message that says whether it is fatal.
type severity struct {
	Severity string `json:"severity"`
}

// splice adds reused trees, renumbered, to an output that lacks them. It returns
// nil if the ids of the other trees show that the numbers cannot be known.
func (c *cachedASTs) splice(output []byte, reused map[string]cachedAST, texts map[string]inputSource) []byte {
	var out map[string]json.RawMessage
	var sources map[string]map[string]json.RawMessage
	var messages []severity
	if json.Unmarshal(output, &out) != nil || out["errors"] != nil && json.Unmarshal(out["errors"], &messages) != nil {
		return nil
	}
	if slices.Contains(messages, severity{"error"}) {
		return output // trees of rejected sources are not used
	}
	if json.Unmarshal(out["sources"], &sources) != nil || len(sources) != len(c.trees) {
		return nil
	}
	written := map[string]cachedAST{}
	for name, s := range sources {
		if _, ok := reused[name]; !ok {
			low, high := numbers(s["ast"], "id")
			written[name] = cachedAST{low: low, high: high}
		}
	}
	numbering := c.renumbering(written, texts)
	if numbering == nil {
		return nil
	}
	parts := map[string]json.RawMessage{}
	for name, s := range sources {
		if tree, ok := reused[name]; ok {
			if s["ast"], ok = numbering.tree(tree.text); !ok {
				return nil
			}
		}
		parts[name] = object(s)
	}
	out["sources"] = object(parts)
	return object(out)
}

// object encodes a JSON object of encoded values.
func object(values map[string]json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(name) // strings always encode
		fmt.Fprintf(&b, "%s:%s", key, values[name])
	}
	b.WriteByte('}')
	return b.Bytes()
}
