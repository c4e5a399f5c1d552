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
	maxForests   = 4        // compilations whose trees are kept
	maxTrees     = 16 << 20 // bytes of an output whose trees are kept
	worthKeeping = 64 << 10 // bytes of trees: asking for fewer costs nothing
)

// Writing the syntax trees takes the compiler about as long as making the
// code. Most sources of a closure are what they were at the last save, and so
// are their trees, as long as the numbers of their nodes are: the compiler
// numbers nodes source by source in the order of their names. So those of the
// sources before the first changed one are taken from the last answer, unless
// they import what changed.

// trees keeps the answers to the last compilations.
type trees struct {
	mu      sync.Mutex
	forests []*forest // most recently used last
	pending sync.WaitGroup
}

// A forest is what the syntax trees of one answer are known by.
type forest struct {
	plot  string // compiler, settings and names of the sources
	texts map[string]inputSource
	trees map[string]grown // by source name
}

// A grown tree is one as the compiler wrote it.
type grown struct {
	text      json.RawMessage
	low, high int // numbers of its nodes
	imports   []string
}

// plot names what has to be the same for trees to be.
func plot(with Installation, in standardInput) string {
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

// keep remembers an answer, in the background. One without usable trees leaves
// those from before, which are as good for the texts that they were made of.
func (t *trees) keep(plot string, in standardInput, output []byte) {
	if len(output) > maxTrees {
		return
	}
	t.pending.Go(func() {
		f := &forest{plot: plot, texts: in.Sources, trees: readTrees(output)}
		if f.trees == nil {
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.forests = slices.DeleteFunc(t.forests, func(old *forest) bool { return old.plot == plot })
		if len(t.forests) == maxForests {
			t.forests = slices.Delete(t.forests, 0, 1)
		}
		t.forests = append(t.forests, f)
	})
}

// find returns the forest of the last compilation on a plot, or nil.
func (t *trees) find(plot string) *forest {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.forests {
		if f.plot == plot {
			return f
		}
	}
	return nil
}

// wait returns when nothing is being read any more.
func (t *trees) wait() { t.pending.Wait() }

// standing returns the trees that are still the same for other texts of the
// sources, and the first source that is not; nil if there are too few to
// matter.
func (f *forest) standing(texts map[string]inputSource) (same map[string]grown, changed string) {
	names := slices.Sorted(maps.Keys(texts))
	first := slices.IndexFunc(names, func(name string) bool { return texts[name] != f.texts[name] })
	if first < 0 {
		return nil, ""
	}
	other := map[string]bool{} // changed, or imports what is
	for _, name := range names[first:] {
		other[name] = texts[name] != f.texts[name]
	}
	for again := true; again; {
		again = false
		for name, tree := range f.trees {
			if !other[name] && slices.ContainsFunc(tree.imports, func(i string) bool { return other[i] }) {
				other[name], again = true, true
			}
		}
	}
	same, size := map[string]grown{}, 0
	for _, name := range names[:first] {
		if !other[name] {
			same[name] = f.trees[name]
			size += len(f.trees[name].text)
		}
	}
	if size < worthKeeping {
		return nil, ""
	}
	return same, names[first]
}

// readTrees takes the trees out of an answer; nil if one is missing, if the
// nodes are not numbered in the order of the sources' names, or if the trees
// refer to something that is numbered behind them: before 0.6, what is built
// in was. Later it has the same numbers always, beyond builtIn.
func readTrees(output []byte) map[string]grown {
	var out struct {
		Sources map[string]struct {
			AST json.RawMessage `json:"ast"`
		} `json:"sources"`
	}
	if json.Unmarshal(output, &out) != nil {
		return nil
	}
	all := map[string]grown{}
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

func readTree(text json.RawMessage) (grown, bool) {
	var unit struct {
		Nodes []struct {
			Type string `json:"nodeType"`
			Path string `json:"absolutePath"`
		} `json:"nodes"`
	}
	tree := grown{text: text}
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

// builtIn is greater than the number of any node.
const builtIn = 1 << 31

// numbers returns the least and the greatest number that a field has anywhere
// in a tree.
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
	here := plot(with, in)
	key := storeKey(with, input)
	output := t.store.get(key)
	if output == nil {
		if output, err = t.answerAnew(ctx, with, in, t.trees.find(here)); output == nil && err == nil {
			output, err = t.execute(ctx, with, input)
		}
		if err != nil {
			return nil, err
		}
		t.store.put(key, output)
	}
	t.trees.keep(here, in, output)
	return output, nil
}

// answerAnew compiles without asking for the trees that stand from before, and
// puts them into the answer. It returns nothing if that cannot be done.
func (t *Toolchain) answerAnew(ctx context.Context, with Installation, in standardInput, before *forest) ([]byte, error) {
	if before == nil {
		return nil, nil
	}
	same, changed := before.standing(in.Sources)
	if same == nil {
		return nil, nil
	}
	wanted := in.Settings.OutputSelection["*"]
	selection := map[string]map[string][]string{"*": {"*": wanted["*"]}}
	for name := range in.Sources {
		if _, stands := same[name]; !stands {
			selection[name] = map[string][]string{"": wanted[""]}
		}
	}
	in.Settings.OutputSelection = selection
	input, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	output, err := t.execute(ctx, with, input)
	if err != nil {
		return nil, err
	}
	return plant(output, same, before.trees, changed), nil
}

// severity is the part of the compiler's message that says whether it is fatal.
type severity struct {
	Severity string `json:"severity"`
}

// plant puts the same trees as before into an answer that lacks them. It
// returns nothing if the nodes of the others show that these are numbered
// otherwise now: those up to where the first changed source begins must not be.
func plant(output []byte, same, before map[string]grown, changed string) []byte {
	var out map[string]json.RawMessage
	var sources map[string]map[string]json.RawMessage
	var messages []severity
	if json.Unmarshal(output, &out) != nil || out["errors"] != nil && json.Unmarshal(out["errors"], &messages) != nil {
		return nil
	}
	if slices.Contains(messages, severity{"error"}) {
		return output // nobody asks for the trees of what is refused
	}
	if json.Unmarshal(out["sources"], &sources) != nil || len(sources) != len(before) {
		return nil
	}
	last := -1
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		tree, stands := same[name]
		if stands {
			sources[name]["ast"] = tree.text
			last = max(last, tree.high)
			continue
		}
		low, high := numbers(sources[name]["ast"], "id")
		if low <= last || high < low || name <= changed && low != before[name].low || name < changed && high != before[name].high {
			return nil
		}
		last = high
	}
	parts := map[string]json.RawMessage{}
	for name, s := range sources {
		parts[name] = object(s)
	}
	out["sources"] = object(parts)
	return object(out)
}

// object writes a JSON object of values as they are.
func object(values map[string]json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(name) // a string can be written
		fmt.Fprintf(&b, "%s:%s", key, values[name])
	}
	b.WriteByte('}')
	return b.Bytes()
}
