package cover

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// A slow is a Recorder without registers, generations and hashes: it lists what
// happens.
type slow struct {
	m        *Map
	order    []string // what makes a path
	times    map[Branch]int
	branches []Branch
	blocks   []BlockID
	reads    []evm.Slot
	writes   []evm.Slot
}

func (s *slow) enter(code *evm.Code) {
	s.order = append(s.order, fmt.Sprint("code ", code.ID))
	b, _ := s.m.BlockAt(code, 0)
	s.block(b)
}

func (s *slow) block(b BlockID) {
	if !slices.Contains(s.blocks, b) {
		s.blocks = append(s.blocks, b)
		s.order = append(s.order, fmt.Sprint("block ", b))
	}
}

func add(list *[]evm.Slot, x evm.Slot) {
	if !slices.Contains(*list, x) {
		*list = append(*list, x)
	}
}

// bucket is AFL's.
func bucket(n int) int {
	for i, end := range []int{1, 2, 3, 7, 15, 31, 127} {
		if n <= end {
			return i
		}
	}
	return 7
}

func (s *slow) step(step *evm.Step) {
	slot := func() evm.Slot { return evm.Slot{Address: step.Frame.Self, Key: step.Top(0).Bytes32()} }
	code, fallsInto := step.Frame.Code, uint64(0)
	switch step.Op {
	case bytecode.SLOAD:
		add(&s.reads, slot())
	case bytecode.SSTORE:
		add(&s.writes, slot())
	case bytecode.JUMPDEST:
		fallsInto = step.PC
	case bytecode.JUMPI:
		taken := !step.Top(1).IsZero()
		b, _ := s.m.Branch(code, step.PC, taken)
		if s.times[b]++; s.times[b] == 1 {
			s.branches = append(s.branches, b)
		}
		if n := s.times[b]; n == 1 || bucket(n) != bucket(n-1) {
			s.order = append(s.order, fmt.Sprint("branch ", b, bucket(n)))
		}
		if !taken && code.Bytes[step.PC+1] != bytecode.JUMPDEST {
			fallsInto = step.PC + 1
		}
	}
	if fallsInto > 0 {
		b, _ := s.m.BlockAt(code, fallsInto)
		s.block(b)
	}
}

// watch runs the same call before a slow.
func (l *lab) watch(args []uint256.Int) *slow {
	s := &slow{m: l.m, times: map[Branch]int{}}
	out := l.execute(&evm.Hooks{Step: s.step, Enter: func(f *evm.Frame) {
		if f.Code != nil {
			s.enter(f.Code)
		}
	}}, args)
	s.order = append(s.order, fmt.Sprint("status ", out.Status))
	return s
}

// On random programs a Recorder agrees with a slow one, and two runs have the
// same path if and only if the same happened in them.
func TestRunsAgreeWithASlowRecorder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		l := newLab(randomProgram(r, 6))
		paths := map[PathID]string{}
		happened := map[string]PathID{}
		for range 60 {
			args := randomArguments(r)
			s := l.watch(args)
			run, _ := l.run(args...)
			if !slices.Equal(run.Branches, s.branches) || !slices.Equal(run.Blocks, s.blocks) ||
				!slices.Equal(run.Reads, s.reads) || !slices.Equal(run.Writes, s.writes) {
				t.Fatalf("%x of %v: %+v, want %+v", l.code().Bytes, args, run, s)
			}
			story := fmt.Sprint(s.order)
			if was, known := paths[run.Path]; known && was != story {
				t.Fatalf("one path for %s and %s", was, story)
			}
			if was, known := happened[story]; known && was != run.Path {
				t.Fatalf("two paths for %s", story)
			}
			paths[run.Path], happened[story] = story, run.Path
		}
	}
}

// Paths tell numbers of iterations apart as AFL's buckets do.
func TestBuckets(t *testing.T) {
	l := newLab(loop())
	paths := map[PathID]map[int]bool{}
	for n := range 200 {
		run, _ := l.run(numbers(uint64(n))...)
		if paths[run.Path] == nil {
			paths[run.Path] = map[int]bool{}
		}
		paths[run.Path][n] = true
	}
	want := [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 7}, {8, 15}, {16, 31}, {32, 127}, {128, 199}}
	if len(paths) != len(want) {
		t.Errorf("%d paths, want %d", len(paths), len(want))
	}
	for _, bucket := range want {
		run, _ := l.run(numbers(uint64(bucket[0]))...)
		members := slices.Sorted(maps.Keys(paths[run.Path]))
		if members[0] != bucket[0] || members[len(members)-1] != bucket[1] || len(members) != bucket[1]-bucket[0]+1 {
			t.Errorf("%v has the path of %v", bucket, members)
		}
	}
}

// The Map numbers blocks and branches of many codes without gaps, and tells
// where each stands.
func TestNumbering(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	m, codes := NewMap(), evm.NewCodes()
	blocks, branches := BlockID(0), Branch(0)
	for range 20 {
		code := codes.Runtime(randomProgram(r, 5))
		taken := m.Bytecode(code)
		from, end := m.Branches(code)
		if from != branches || end != from+Branch(2*len(taken.Jumpis)) {
			t.Fatalf("branches %d to %d, want from %d", from, end, branches)
		}
		branches = end
		for i, pc := range taken.Jumpis {
			for _, jumps := range []bool{false, true} {
				b, ok := m.Branch(code, uint64(pc), jumps)
				if !ok || b/2 != from/2+Branch(i) || b.Taken() != jumps || b.Other().Taken() == jumps || b.Other().Other() != b {
					t.Fatalf("the jump at %d is numbered %d, %v", pc, b, ok)
				}
				if site := m.BranchSite(b); site.Code != code || site.PC != uint64(pc) {
					t.Fatalf("%d stands at %+v", b, site)
				}
			}
		}
		count := 0
		for _, block := range taken.Blocks {
			b, ok := m.BlockAt(code, uint64(block.Start))
			site := m.BlockSite(b)
			if !ok || b != blocks || site.Code != code || site.PC != uint64(block.Start) {
				t.Fatalf("the block at %d is numbered %d, want %d, at %+v", block.Start, b, blocks, site)
			}
			blocks++
			count += site.Instructions
		}
		if count != taken.Count {
			t.Errorf("%d instructions in blocks of %d", count, taken.Count)
		}
		if _, ok := m.Branch(code, uint64(len(code.Bytes)+5), true); ok {
			t.Error("a jump beyond the code")
		}
	}
	if len(m.Codes()) != 20 {
		t.Errorf("%d codes", len(m.Codes()))
	}
}

// What makes a run suspicious.
func TestSuspicions(t *testing.T) {
	panicking := (&assembly{}).op(bytecode.PUSH1+3, 0x4e, 0x48, 0x7b, 0x71).push(224).op(bytecode.SHL).push(0).op(bytecode.MSTORE).push(36).push(0).op(bytecode.REVERT)
	reverting := (&assembly{}).push(0).push(0).op(bytecode.REVERT)
	logging := (&assembly{}).push(77).push(0).push(0).op(bytecode.LOG0 + 1)
	probed := (&assembly{}).push(1).argument(0).op(bytecode.SSTORE)
	agent, plain := common.HexToAddress("0xa9e47"), common.HexToAddress("0x99")
	for _, row := range []struct {
		name string
		code *assembly
		args []uint256.Int
		want Suspicion
	}{
		{"nothing", &assembly{bytecode.STOP}, nil, 0},
		{"revert", reverting, nil, 0},
		{"invalid", &assembly{bytecode.INVALID}, nil, Invalid},
		{"panic", panicking, nil, Panicked},
		{"event", logging, nil, Logged},
		{"failed call", (&assembly{}).push(0).call(second), nil, CallFailed | CalleeReverted},
		{"call without gas", (&assembly{}).push(0).push(0).push(0).push(0).push(0).op(append([]byte{bytecode.PUSH1 + 19}, second[:]...)...).push(1).op(bytecode.CALL), nil, CallFailed | Starved},
		{"other account", (&assembly{}).push(0).call(plain), nil, 0},
		{"agent", (&assembly{}).push(0).call(agent), nil, AttackerCalled},
		{"sender", (&assembly{}).push(0).call(sender), nil, ActorCalled},
		{"time", &assembly{bytecode.TIMESTAMP}, nil, BlockRead},
		{"destroyed", (&assembly{}).push(7).op(bytecode.SELFDESTRUCT), nil, Destroyed | Paid},
		{"delegated", (&assembly{}).push(0).push(0).push(0).push(0).push(7).push(10_000).op(bytecode.DELEGATECALL), nil, Delegated},
		{"received", transferring(plain, sender, 1), nil, Received},
		{"nothing received", transferring(plain, sender, 0), nil, 0},
		{"received from nobody", transferring(common.Address{}, sender, 1), nil, 0},
		{"received by another", transferring(plain, agent, 1), nil, 0},
		{"deposited with the token", transferring(sender, first, 1), nil, 0},
		{"nothing deposited", transferring(sender, first, 0), nil, 0},
		{"sent to an account that does not run", transferring(sender, plain, 1), nil, 0},
		{"kept", transferring(sender, sender, 1), nil, 0},
		{"write", probed, numbers(11), 0},
		{"probe", probed, numbers(12), ProbeHit},
	} {
		l := newLab(*row.code, *reverting)
		l.recorder.Attacker = agent
		l.recorder.Probe = uint256.NewInt(12).Bytes32()
		l.recorder.Topics = map[common.Hash]bool{uint256.NewInt(77).Bytes32(): true}
		for range 2 { // nothing of a run is left for the next
			if run, _ := l.run(row.args...); run.Suspicion != row.want {
				t.Errorf("%s: %b, want %b", row.name, run.Suspicion, row.want)
			}
		}
		l.recorder.Topics = nil
		if run, _ := l.run(row.args...); run.Suspicion != row.want&^Logged {
			t.Errorf("%s, without topics: %b", row.name, run.Suspicion)
		}
	}
}

// An account without code is called, or its code looked for, and nobody with code is called
// after it.
func TestUnanswered(t *testing.T) {
	asking := (&assembly{}).push(0x1234).push(240).op(bytecode.SHL).push(0).op(bytecode.MSTORE).push(0).push(0).push(4).push(0)
	asking.op(append([]byte{bytecode.PUSH1 + 19}, sender[:]...)...).op(bytecode.GAS, bytecode.STATICCALL)
	for _, row := range []struct {
		name   string
		code   assembly
		vacant common.Address
		heard  [4]byte
	}{
		{"nothing", assembly{bytecode.STOP}, none, [4]byte{}},
		{"contract", *(&assembly{}).push(0).call(second), none, [4]byte{}},
		{"sender", *(&assembly{}).push(0).call(sender), sender, [4]byte{}},
		{"function", *asking, sender, [4]byte{0x12, 0x34}},
		{"nobody", *(&assembly{}).push(0).call(common.Address{}), common.Address{}, [4]byte{}},
		{"precompile", *(&assembly{}).push(0).call(common.Address{19: 4}), common.Address{19: 4}, [4]byte{}},
		{"code", *(&assembly{}).push(9).op(bytecode.EXTCODESIZE), common.Address{19: 9}, [4]byte{}},
		{"answered", *(&assembly{}).push(9).op(bytecode.EXTCODESIZE).push(0).call(second), none, [4]byte{}},
	} {
		l := newLab(row.code, assembly{bytecode.STOP})
		for range 2 {
			run, _ := l.run()
			if run.Unanswered != (row.vacant != none) || run.Unanswered && (run.Vacant != row.vacant || run.Unheard != row.heard) {
				t.Errorf("%s: %t %x %x", row.name, run.Unanswered, run.Vacant, run.Unheard)
			}
		}
	}
}

var none = common.Address{0x77}

// A payment of tokens to a contract that calls the token is a deposit.
func TestDeposited(t *testing.T) {
	for to, want := range map[common.Address]Suspicion{first: Deposited, second: 0, sender: 0, common.HexToAddress("0x99"): 0} {
		l := newLab(*(&assembly{}).push(0).call(second), *transferring(sender, to, 1))
		if run, _ := l.run(); run.Suspicion != want {
			t.Errorf("to %s: %b, want %b", to, run.Suspicion, want)
		}
	}
}

// transferring emits the event of a transfer of tokens.
func transferring(from, to common.Address, amount uint64) *assembly {
	word := func(b []byte) []byte { return append([]byte{bytecode.PUSH1 + 31}, common.LeftPadBytes(b, 32)...) }
	topic := crypto.Keccak256([]byte("Transfer(address,address,uint256)"))
	a := (&assembly{}).push(amount).push(0).op(bytecode.MSTORE)
	return a.op(word(to[:])...).op(word(from[:])...).op(word(topic)...).push(32).push(0).op(bytecode.LOG0 + 3)
}

// Short inputs of hashes are kept, of memory that is not there yet as zeros.
func TestHashed(t *testing.T) {
	hashing := func(offset, size uint64) []byte {
		a := (&assembly{}).argument(0).push(0).op(bytecode.MSTORE)
		return *a.push(size).push(offset).op(bytecode.KECCAK256)
	}
	word := uint256.NewInt(0xabcd).Bytes32()
	for _, row := range []struct{ offset, size uint64 }{{0, 32}, {0, 64}, {16, 40}, {32, 32}, {0, minHashed}, {0, maxHashed}, {0, minHashed - 1}, {0, maxHashed + 1}} {
		l := newLab(hashing(row.offset, row.size))
		run, _ := l.run(*new(uint256.Int).SetBytes32(word[:]))
		if row.size < minHashed || row.size > maxHashed {
			if len(run.Hashed) != 0 {
				t.Errorf("%+v: %x", row, run.Hashed)
			}
			continue
		}
		memory := append(word[:], make([]byte, 200)...)
		if want := memory[row.offset : row.offset+row.size]; len(run.Hashed) != 1 || !slices.Equal(run.Hashed[0], want) {
			t.Errorf("%+v: %x, want %x", row, run.Hashed, want)
		}
	}
}

// What is kept of a run stays when the Recorder goes on.
func TestKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	l := newLab(randomProgram(r, 8))
	args := randomArguments(r)
	l.run(args...) // opcodes that are of use are watched from the next Call on
	run, _ := l.run(args...)
	kept := *run
	kept.Keep()
	was := fmt.Sprintf("%+v", kept)
	for range 50 {
		l.run(randomArguments(r)...)
	}
	if now := fmt.Sprintf("%+v", kept); now != was {
		t.Errorf("%s became %s", was, now)
	}
	if again, _ := l.run(args...); fmt.Sprintf("%+v", *again) != was {
		t.Errorf("%+v, at first %s", *again, was)
	}
}

// addSlot adds a slot to a slotSet.
func addSlot(s *slotSet, slot evm.Slot) bool {
	return s.add(&slot.Address, new(uint256.Int).SetBytes32(slot.Key[:]))
}

// A slotSet is a set in order of insertion, however many there are.
func TestSlotSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s := &slotSet{}
	for range 20 {
		s.reset()
		var want []evm.Slot
		for range r.IntN(100) {
			x := evm.Slot{Key: uint256.NewInt(r.Uint64N(10)).Bytes32()}
			x.Key[0], x.Address[19] = byte(r.IntN(2)), byte(r.IntN(2))
			if addSlot(s, x) == slices.Contains(want, x) {
				t.Fatalf("%x is new: %v", x, !slices.Contains(want, x))
			}
			add(&want, x)
		}
		if !slices.Equal(s.list, want) {
			t.Fatalf("%v, want %v", s.list, want)
		}
	}
}

// A slotSet leaves out words beyond its limit, and forgets them for the next Call.
func TestSlotSetIsBounded(t *testing.T) {
	slot := func(n uint64) evm.Slot { return evm.Slot{Key: uint256.NewInt(n).Bytes32()} }
	s := &slotSet{}
	for round := range uint64(3) {
		s.reset()
		for n := range uint64(mostSlots + 100) {
			if added := addSlot(s, slot(round+n)); added != (n < mostSlots) {
				t.Fatalf("round %d: word %d was added: %v", round, n, added)
			}
		}
		if len(s.list) != mostSlots {
			t.Fatalf("round %d: %d words in the list", round, len(s.list))
		}
		for _, n := range []uint64{0, mostSlots - 1} {
			if s.list[n] != slot(round+n) || addSlot(s, slot(round+n)) {
				t.Errorf("round %d: word %d was not known", round, n)
			}
		}
	}
}

// The called address tells paths apart, even for equal code.
func TestPathsOfContractsWithTheSameCode(t *testing.T) {
	l := newLab(loop(), loop())
	path := func(to common.Address) PathID {
		out := l.machine.Record(l.world.Fork(), evm.BlockContext{Number: 1}, evm.Call{From: sender, To: to}, l.recorder)
		return l.recorder.Finish(out.Status).Path
	}
	one, other, again := path(first), path(second), path(first)
	if one == other {
		t.Error("two contracts take the same path")
	}
	if one != again {
		t.Error("one contract takes two paths")
	}
}
