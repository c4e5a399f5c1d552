package cover

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/shadow"
)

// decisions returns what the shadow tier sees of a call.
func (l *lab) decisions(args []uint256.Int) []*shadow.Decision {
	o := shadow.New(shadow.NewState())
	l.execute(o.Hooks(), args)
	list := make([]*shadow.Decision, len(o.Branches))
	for i := range o.Branches {
		list[i] = &o.Branches[i]
	}
	return list
}

// beside returns a lab with a Machine and a Recorder of its own on the same Map.
func (l *lab) beside() *lab {
	return &lab{m: l.m, world: l.world, machine: evm.NewMachine(), recorder: NewRecorder(l.m, func(*evm.Code) bool { return true })}
}

// Recorders run while others learn. Once nobody learns any more, all measure the
// same costs.
func TestLearnBesideRecorders(t *testing.T) {
	const recorders, calls = 4, 60
	r := rand.New(rand.NewPCG(7, 8))
	l := newLab(randomProgram(r, 12), randomProgram(r, 12))
	labs := make([]*lab, recorders)
	var wait sync.WaitGroup
	for n := range labs {
		labs[n] = l.beside()
		wait.Go(func() {
			r := rand.New(rand.NewPCG(9, uint64(n)))
			for range calls {
				args := randomArguments(r)
				labs[n].m.Learn(labs[n].decisions(args))
				labs[n].run(args...)
			}
		})
	}
	wait.Wait()
	if l.m.Learned() == 0 {
		t.Fatal("nothing was learned")
	}
	for range calls {
		args := randomArguments(r)
		l.run(args...) // opcodes that are new to a Recorder are watched from the next Call on
		want, _ := l.run(args...)
		for n, other := range labs {
			other.run(args...)
			if got, _ := other.run(args...); !reflect.DeepEqual(got.Costs, want.Costs) || got.Path != want.Path {
				t.Fatalf("Recorder %d: path %x, costs %v; want %x, %v", n, got.Path, got.Costs, want.Path, want.Costs)
			}
		}
	}
}

// A learner has its Recorder's Map learn when a Call has begun.
type learner struct {
	*Recorder
	learn func()
}

func (l learner) Enter(f *evm.Frame) {
	l.learn()
	l.Recorder.Enter(f)
}

// A Recorder uses what is learned from its next Begin on, not from the middle of
// a Call.
func TestLearnedAtBegin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		l := newLab(randomProgram(r, 6))
		args := randomArguments(r)
		l.run(args...)
		before, _ := l.run(args...)
		want := *before
		want.Keep()

		decisions := l.decisions(args)
		learn := learner{l.recorder, func() { l.m.Learn(decisions) }}
		out := l.machine.Record(l.world.Fork(), evm.BlockContext{Number: 1}, l.call(args), learn)
		if got := l.recorder.Finish(out.Status); !reflect.DeepEqual(got.Costs, want.Costs) {
			t.Fatalf("after Learn within a Call: costs %v, want %v", got.Costs, want.Costs)
		}
		l.run(args...)
		if got, _ := l.run(args...); l.m.Learned() > 0 && !reflect.DeepEqual(got.Costs, want.Costs) {
			return
		}
	}
	t.Error("nothing that was learned changed a cost")
}

// Costs that are not Outdated stay the same.
func TestOutdated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	outdated, current, changed := 0, 0, 0
	for range 200 {
		l := newLab(randomProgram(r, 8), randomProgram(r, 4))
		args := randomArguments(r)
		for range 6 {
			l.run(args...)
			before, _ := l.run(args...)
			want, since := *before, l.m.Learned()
			want.Keep()
			l.m.Learn(l.decisions(randomArguments(r)))
			l.run(args...)
			got, _ := l.run(args...)
			same := reflect.DeepEqual(got.Costs, want.Costs)
			switch {
			case l.m.Outdated(want.Costs, since):
				outdated++
			case !same:
				t.Fatalf("costs %v, which are not outdated, are %v", want.Costs, got.Costs)
			case l.m.Learned() > since:
				current++
			}
			if !same {
				changed++
			}
		}
	}
	if outdated == 0 || current == 0 || changed == 0 {
		t.Errorf("%d were outdated, %d not, and %d changed", outdated, current, changed)
	}
}
