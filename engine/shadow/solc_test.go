package shadow

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/solc/solctest"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A compiled contract, as testdata/compile.js prints it.
type compiled struct {
	Contract string
	Solc     string
	Settings json.RawMessage
	Creation string
	Runtime  string
	Map      string
	Methods  map[string]string
	Text     string
}

func (c *compiled) name() string {
	kind := "plain"
	switch {
	case strings.Contains(string(c.Settings), "viaIR"):
		kind = "viaIR"
		if strings.Contains(string(c.Settings), "false") {
			kind = "viaIR-plain"
		}
	case strings.Contains(string(c.Settings), "true"):
		kind = "optimised"
	}
	return c.Solc + " " + kind
}

func (c *compiled) code() []byte { return common.FromHex(c.Creation) }

// pack returns the calldata of a method by its name.
func (c *compiled) pack(t testing.TB, name string, args []any) []byte {
	t.Helper()
	for sig, selector := range c.Methods {
		if strings.HasPrefix(sig, name+"(") {
			head, err := hex.DecodeString(selector)
			if err != nil {
				t.Fatal(err)
			}
			return append(head, packArgs(args)...)
		}
	}
	t.Fatalf("%s has no %s", c.name(), name)
	return nil
}

// packArgs encodes numbers, words, strings and slices of numbers.
func packArgs(args []any) []byte {
	var head, tail []byte
	for _, a := range args {
		w, dynamic := packArg(a)
		if dynamic == nil {
			head = append(head, w[:]...)
			continue
		}
		offset := uint256.NewInt(uint64(32*len(args) + len(tail))).Bytes32()
		head = append(head, offset[:]...)
		tail = append(tail, dynamic...)
	}
	return append(head, tail...)
}

func packArg(a any) (w [32]byte, dynamic []byte) {
	switch a := a.(type) {
	case int:
		v := new(uint256.Int)
		if a < 0 {
			v.Neg(uint256.NewInt(uint64(-a)))
		} else {
			v.SetUint64(uint64(a))
		}
		return v.Bytes32(), nil
	case uint256.Int:
		return a.Bytes32(), nil
	case common.Hash:
		return a, nil
	case common.Address:
		copy(w[12:], a[:])
		return w, nil
	case string:
		length := uint256.NewInt(uint64(len(a))).Bytes32()
		dynamic = append(length[:], a...)
		for len(dynamic)%32 != 0 {
			dynamic = append(dynamic, 0)
		}
		return w, dynamic
	case []int:
		length := uint256.NewInt(uint64(len(a))).Bytes32()
		dynamic = append([]byte{}, length[:]...)
		for _, x := range a {
			e, _ := packArg(x)
			dynamic = append(dynamic, e[:]...)
		}
		return w, dynamic
	}
	panic("cannot pack")
}

const (
	modules   = "../../solc/testdata/npm/node_modules"
	plain     = `{"optimizer":{"enabled":false}}`
	optimised = `{"optimizer":{"enabled":true,"runs":200}}`
	viaIR     = `{"viaIR":true,"optimizer":{"enabled":true,"runs":200}}`
	viaPlain  = `{"viaIR":true,"optimizer":{"enabled":false}}`
)

var versions = []struct {
	solc     string
	settings []string
}{
	{"solc-0.4.26", []string{plain, optimised}},
	{"solc-0.5.17", []string{plain, optimised}},
	{"solc-0.6.12", []string{plain, optimised}},
	{"solc-0.7.6", []string{plain, optimised}},
	{"solc-0.8.19", []string{plain, optimised, viaIR}},
	{"solc-0.8.30", []string{plain, optimised, viaIR, viaPlain}},
}

type job struct {
	Solc     string          `json:"solc"`
	Settings json.RawMessage `json:"settings"`
	File     string          `json:"file"`
}

// compileAll returns the contracts of testdata by all compilers.
func compileAll(t testing.TB) []compiled {
	t.Helper()
	var jobs []job
	for _, v := range versions {
		for _, s := range v.settings {
			for _, file := range []string{"Conditions", "Flows", "Returned"} {
				jobs = append(jobs, job{v.solc, json.RawMessage(s), "testdata/" + file + ".sol"})
			}
		}
	}
	return compileJobs(t, jobs)
}

func compileJobs(t testing.TB, jobs []job) []compiled {
	t.Helper()
	in, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	out := solctest.Node(t, []string{"testdata/compile.js", modules}, in, "testdata/compile.js", "testdata/Conditions.sol", "testdata/Flows.sol", "testdata/Returned.sol")
	var all []compiled
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func contracts(t testing.TB) []compiled { return named(t, "Conditions") }

func named(t testing.TB, name string) []compiled {
	t.Helper()
	var out []compiled
	for _, c := range compileAll(t) {
		if c.Contract == name {
			out = append(out, c)
		}
	}
	return out
}

// userSource maps the pcs of runtime code to spans of the source; pcs of
// code that the compiler made are absent.
func (c *compiled) userSource() map[uint64][2]int {
	code := bytecode.New(common.FromHex(c.Runtime))
	out := map[uint64][2]int{}
	var now [3]int
	for i, entry := range strings.Split(c.Map, ";") {
		for j, field := range strings.Split(entry, ":") {
			if j < 3 && field != "" {
				now[j], _ = strconv.Atoi(field)
			}
		}
		if i < len(code.Instructions) && now[2] == 0 {
			out[uint64(code.Instructions[i].PC)] = [2]int{now[0], now[0] + now[1]}
		}
	}
	return out
}

var (
	sender = common.Address{19: 0xaa, 0: 0x11}
	now    = evm.BlockContext{Number: 100, Timestamp: 1_700_000_000, GasLimit: 30_000_000}
)

// A stage is a World with one contract on it.
type stage struct {
	machine *evm.Machine
	world   *evm.World
	at      common.Address
}

func deploy(t testing.TB, creation []byte, h *evm.Hooks) *stage {
	t.Helper()
	s := &stage{machine: evm.NewMachine(), world: evm.NewWorld(evm.NewCodes())}
	s.world.SetBalance(sender, new(uint256.Int).Lsh(uint256.NewInt(1), 100))
	out := s.machine.Execute(s.world, now, evm.Call{From: sender, Create: true, Data: creation}, h)
	if out.Status != evm.Success {
		t.Fatalf("deployment: %v %x", out.Halt, out.Return)
	}
	s.at = out.Created
	return s
}

func (s *stage) call(data []byte, wei uint64, h *evm.Hooks) evm.Outcome {
	c := evm.Call{From: sender, To: s.at, Data: data, Value: *uint256.NewInt(wei)}
	return s.machine.Execute(s.world.Fork(), now, c, h)
}
