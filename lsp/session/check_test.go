package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/compiler"
)

// newFastLab returns a lab whose compiler knows fast settings. On the project's
// own build, a witness shows its bug unless the text has "only fast N".
func newFastLab(t *testing.T) *lab {
	l := newLab(t, func(c *Config) {
		plain := c.Compiler.Compile
		c.Compiler.Compile = func(ctx context.Context, source SourceFile) (*solc.Build, error) {
			b, err := plain(ctx, source)
			if b != nil && source.Own {
				b.Settings = solc.Settings{Optimizer: true, OptimizerRuns: 7, ViaIR: true}
			} else if b != nil {
				b.Fast = source.Settings.Fast
			}
			return b, err
		}
		c.Engine.Replay = func(_ context.Context, witness input.Sequence, contract *solc.Contract, _ []*solc.Contract, _ engine.Outside) (*finding.Result, error) {
			id := string(witness.Txs[0].Data)
			result := &finding.Result{Name: contract.Name}
			if f := bugs(contract)[id]; f != nil && !strings.Contains(string(contract.Build.Source(contract.File).Text), "only fast "+id) {
				result.Findings = []finding.Finding{*f}
			}
			return result, nil
		}
	})
	return l
}

// missing lists the findings of a file that do not show on the own build.
func (l *lab) missing(name string) []string {
	var list []string
	for _, m := range l.Snapshot().Marks(l.path(name)) {
		if m.Missing != "" {
			list = append(list, m.Finding.ID+": "+m.Missing)
		}
	}
	return list
}

func (l *lab) wantMissing(name string, want ...string) {
	l.t.Helper()
	if got := l.missing(name); !slices.Equal(got, want) && len(got)+len(want) > 0 {
		l.t.Errorf("missing on the own build: %q, want %q", got, want)
	}
}

const ownSettings = "optimiser for 7 runs, via IR"

// A finding that does not show on the project's own build stays where it is and
// says so; others say nothing.
func TestFindingChecked(t *testing.T) {
	l := newFastLab(t)
	l.open("A.sol", "contract A\nbug x\nbug y\n// only fast y\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:x", "3 A:y")
	l.wantMissing("A.sol", "A:y: "+ownSettings)
	if n := len(l.compilations()); n != 2 {
		t.Errorf("%d compilations, want the fast one and the own one", n)
	}
	l.save("A.sol", "contract A\n\nbug x\nbug y\n// only fast y\n") // the same code
	l.rest()
	l.wantMarks("A.sol", "3 A:x", "4 A:y")
	l.wantMissing("A.sol", "A:y: "+ownSettings)
}

// A changed contract is checked again, and nothing is said meanwhile.
func TestCheckFollowsCode(t *testing.T) {
	l := newFastLab(t)
	l.open("A.sol", "contract A\nbug y\n// only fast y\n")
	l.rest()
	l.wantMissing("A.sol", "A:y: "+ownSettings)
	l.save("A.sol", "contract A\nbug y\nmore\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:y")
	l.wantMissing("A.sol")
	l.save("A.sol", "contract A\nbug y\n// only fast y\n")
	l.rest()
	l.wantMissing("A.sol", "A:y: "+ownSettings)
}

// Nothing is said of findings if the own build or the execution on it fails, and
// it is not tried again.
func TestCheckFails(t *testing.T) {
	for name, tune := range map[string]func(*Config){
		"compiler": func(c *Config) {
			plain := c.Compiler.Compile
			c.Compiler.Compile = func(ctx context.Context, source SourceFile) (*solc.Build, error) {
				if source.Own {
					return nil, &solc.Failure{Kind: solc.CompilerTimeout, Sentence: "too slow"}
				}
				b, err := plain(ctx, source)
				b.Fast = true
				return b, err
			}
		},
		"panic": func(c *Config) {
			plain := c.Compiler.Compile
			c.Compiler.Compile = func(ctx context.Context, source SourceFile) (*solc.Build, error) {
				if source.Own {
					panic("oops")
				}
				b, err := plain(ctx, source)
				b.Fast = true
				return b, err
			}
		},
		"another contract": func(c *Config) {
			c.Compiler.Compile = fastThen(c.Compiler.Compile, func(b *solc.Build) { b.Contracts = nil })
		},
		"engine": func(c *Config) {
			c.Compiler.Compile = fastThen(c.Compiler.Compile, nil)
			c.Engine.Replay = func(context.Context, input.Sequence, *solc.Contract, []*solc.Contract, engine.Outside) (*finding.Result, error) {
				return nil, errors.New("the sequence does not fit")
			}
		},
		"deployment": func(c *Config) {
			c.Compiler.Compile = fastThen(c.Compiler.Compile, nil)
			c.Engine.Replay = func(context.Context, input.Sequence, *solc.Contract, []*solc.Contract, engine.Outside) (*finding.Result, error) {
				return &finding.Result{Note: "cannot be deployed"}, nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, func(c *Config) {
				c.Engine.Replay = func(context.Context, input.Sequence, *solc.Contract, []*solc.Contract, engine.Outside) (*finding.Result, error) {
					return &finding.Result{}, nil
				}
				tune(c)
			})
			l.open("A.sol", "contract A\nbug x\n")
			l.rest()
			l.wantMarks("A.sol", "2 A:x")
			l.wantMissing("A.sol")
			before := len(l.compilations())
			l.set(func(s *settings.Settings) { s.Budget *= 2 })
			l.rest()
			if n := len(l.compilations()); n != before {
				t.Errorf("%d more compilations", n-before)
			}
		})
	}
}

// fastThen returns a compiler whose builds are fast, except own ones, which
// change is applied to.
func fastThen(plain func(context.Context, SourceFile) (*solc.Build, error), change func(*solc.Build)) func(context.Context, SourceFile) (*solc.Build, error) {
	return func(ctx context.Context, source SourceFile) (*solc.Build, error) {
		b, err := plain(ctx, source)
		switch {
		case b == nil:
		case !source.Own:
			b.Fast = true
		case change != nil:
			change(b)
		}
		return b, err
	}
}

// Typing cancels the check, and the next save repeats it. The own build has the
// text of the fast one.
func TestCheckCancelled(t *testing.T) {
	began := make(chan string, 8)
	var block atomic.Bool
	block.Store(true)
	l := newLab(t, func(c *Config) {
		plain := c.Compiler.Compile
		c.Compiler.Compile = func(ctx context.Context, source SourceFile) (*solc.Build, error) {
			if source.Own {
				began <- string(source.Overlay[source.File])
				if block.Load() {
					<-ctx.Done()
					return nil, ctx.Err()
				}
			}
			b, err := plain(ctx, source)
			b.Fast = !source.Own
			return b, err
		}
		c.Engine.Replay = func(context.Context, input.Sequence, *solc.Contract, []*solc.Contract, engine.Outside) (*finding.Result, error) {
			return &finding.Result{}, nil
		}
	})
	text := "contract A\nbug x\n"
	l.open("A.sol", text)
	if got := <-began; got != text {
		t.Errorf("own build of %q", got)
	}
	l.until("the check is shown", func(s *Snapshot) bool { return s.Activity.Kind == OwnBuild })
	l.edit("A.sol", text+"\n")
	l.until("the check is cancelled", func(s *Snapshot) bool { return s.Activity.Kind == Resting })
	l.wantMissing("A.sol")
	block.Store(false)
	l.save("A.sol", text+"\n")
	if got := <-began; got != text+"\n" {
		t.Errorf("own build of %q", got)
	}
	l.rest()
	l.wantMissing("A.sol", "A:x: no optimiser")
}

// With the setting "project", nothing is checked, because nothing is compiled
// with other settings.
func TestNoCheckOfOwnBuilds(t *testing.T) {
	l := newFastLab(t)
	l.set(func(s *settings.Settings) { s.Fast = false })
	l.open("A.sol", "contract A\nbug y\n// only fast y\n")
	l.rest()
	l.wantMissing("A.sol")
	if n := len(l.compilations()); n != 1 {
		t.Errorf("%d compilations", n)
	}
	l.set(func(s *settings.Settings) { s.Fast = true })
	l.rest()
	l.wantMissing("A.sol", "A:y: "+ownSettings)
}

// Another place of the same weakness, as other settings of the compiler give, is
// the same finding.
func TestSameWeakness(t *testing.T) {
	at := func(id, oracle, path string, start, length int) *finding.Finding {
		f := &finding.Finding{ID: id, Oracle: oracle}
		f.Place.Path, f.Place.Span.Start, f.Place.Span.Length = path, start, length
		return f
	}
	f := at("a", "overflow", "/A.sol", 10, 5)
	for _, row := range []struct {
		other *finding.Finding
		want  bool
	}{
		{at("a", "other", "/B.sol", 90, 1), true},
		{at("b", "overflow", "/A.sol", 12, 1), true},
		{at("b", "overflow", "/A.sol", 0, 90), true},
		{at("b", "overflow", "/A.sol", 15, 5), false},
		{at("b", "overflow", "/B.sol", 10, 5), false},
		{at("b", "assertion", "/A.sol", 10, 5), false},
	} {
		if got := sameWeakness(f, row.other); got != row.want {
			t.Errorf("%+v: %v", row.other, got)
		}
	}
}

// A compilation is shown with its time once it has taken a second, and no longer
// after its end.
func TestCompilationShown(t *testing.T) {
	s := newStore(&Snapshot{Documents: map[string]*Document{}, Analyses: map[string]*Analysis{}}, func() {})
	clock := time.Unix(0, 0)
	seconds := make(chan struct{})
	w := &compilerWatch{s, func(ctx context.Context, d time.Duration) {
		select {
		case <-seconds:
			clock = clock.Add(d)
		case <-ctx.Done():
		}
	}, func() time.Time { return clock }}
	s.setActivity(Activity{Kind: Compilation, Path: "/A.sol"})
	ended := w.follow(compiler.Run{Files: 152, Settings: solc.Settings{ViaIR: true}})
	if got := s.snapshot().Activity.Compiler; got != "" {
		t.Errorf("shown at once: %q", got)
	}
	for range 3 { // the third begins once the second is shown
		seconds <- struct{}{}
	}
	a := s.snapshot().Activity
	if got := fmt.Sprint(a.Compiler, ", ", a.Elapsed); a.Kind != Compilation || !strings.HasPrefix(got, "152 files with solc") || a.Elapsed < 2*time.Second {
		t.Errorf("shown %q", got)
	}
	ended(nil)
	if a := s.snapshot().Activity; a.Compiler != "" || a.Kind != Compilation {
		t.Errorf("after its end: %+v", a)
	}
}
