package server

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/session"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// A workshop is a fake compiler and engine. Each file is a contract with the
// file's name. A line "bug N" is a finding, and "error" does not compile.
type workshop struct {
	mu    sync.Mutex
	hold  chan struct{} // campaigns wait for it to be closed or sent to
	runs  int
	ended int
	last  engine.Options // of the latest campaign

	calls, related int // transactions of a finding (0: one), and related places of its oracle
}

func (w *workshop) config(cache string) Config {
	return Config{Version: "test", Session: session.Config{
		Compiler: session.Compiler{Compile: w.compile}, Engine: session.Engine{Fuzz: w.fuzz}, Cache: cache,
		Oracles: []session.Oracle{
			{Name: "assertion", Title: "An assertion fails", Doc: "Mend it.", URL: "https://example.org/assertion"},
			{Name: "overflow", Title: "A sum wraps", Doc: "Mind it."},
		},
		Test: func(old []byte, f *finding.Finding, _ *solc.Contract) ([]byte, error) {
			return append(bytes.Clone(old), "// test of "+f.ID+"\n"...), nil
		},
	}}
}

func (w *workshop) compile(_ context.Context, source session.SourceFile) (*solc.Build, error) {
	text, ok := source.Overlay[source.File]
	if !ok {
		var err error
		if text, err = os.ReadFile(source.File); err != nil {
			return nil, err
		}
	}
	if strings.Contains(string(text), "error") {
		return nil, &solc.Failure{Kind: solc.CompileError, File: source.File, Line: 2, Sentence: "this is wrong", Remedy: "mend it"}
	}
	name := filepath.Base(source.File)
	b := &solc.Build{Sources: []*solc.Source{{Name: name, Path: source.File, Text: text}}}
	b.Contracts = []*solc.Contract{{
		Name: strings.TrimSuffix(name, ".sol"), File: name, Kind: solc.KindContract, Build: b, Creation: solc.Code{Object: text},
	}}
	return b, nil
}

var bugWord = regexp.MustCompile(`bug (\w+)`)

func (w *workshop) fuzz(ctx context.Context, c *solc.Contract, _ []*solc.Contract, o engine.Options) (*finding.Result, error) {
	w.mu.Lock()
	w.runs++
	w.last = o
	hold := w.hold
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.ended++
		w.mu.Unlock()
	}()
	source := c.Build.Sources[0]
	there := map[string]bool{}
	result := &finding.Result{Name: c.Name, Stats: finding.Stats{Inputs: 10, Paths: 2, Seconds: 1}}
	o.Observe(engine.Event{Kind: engine.EventProgress, Contract: c, Stats: result.Stats, Left: o.Time / 2})
	for _, m := range bugWord.FindAllSubmatchIndex(source.Text, -1) {
		id := string(source.Text[m[2]:m[3]])
		there[id] = true
		to := common.Address{1}
		f := finding.Finding{
			ID: c.Name + ":" + id, Oracle: "assertion", SWC: "SWC-110", Severity: finding.Error, Message: "bug " + id, Contract: c.Name,
			Place: finding.Place{File: source.Name, Path: source.Path, Span: srcmap.Span{Start: m[0], Length: m[1] - m[0]}},
			Witness: input.Sequence{
				Deployment: &input.Deployment{Creations: []input.Creation{{Name: c.Name, File: c.File, Address: to}}},
				Txs:        []input.Tx{{To: to, Data: []byte(id), Function: &input.Function{Name: "fallback", Raw: true}}},
			},
			Evidence: []finding.Evidence{{Name: "x", Value: "7"}},
		}
		for n := range w.calls - 1 {
			next := f.Witness.Txs[0]
			next.Value.SetUint64(uint64(n + 1)) // equal calls are one line
			f.Witness.Txs = append(f.Witness.Txs, next)
		}
		for i := range w.related {
			f.Related = append(f.Related, finding.Related{Place: f.Place, Message: fmt.Sprint("related ", i)})
		}
		result.Findings = append(result.Findings, f)
		o.Observe(engine.Event{Kind: engine.EventFound, Contract: c, Finding: &f})
	}
	for i, k := range o.Known {
		if !there[string(k.Txs[0].Data)] {
			o.Observe(engine.Event{Kind: engine.EventGone, Contract: c, Index: i})
		}
	}
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
		}
	}
	return result, nil
}

func (w *workshop) started() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs
}

func (w *workshop) idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs == w.ended
}

func (w *workshop) options() engine.Options {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

func (w *workshop) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return fmt.Sprintf("%d campaigns, %d ended", w.runs, w.ended)
}
