package dap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"go.uber.org/goleak"

	"leveret/dap/daptest"
	"leveret/engine"
	recorded "leveret/engine/debug"
	"leveret/engine/finding"
	"leveret/engine/foreign"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
	"leveret/solc"
	"leveret/solc/compiler"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type dict = daptest.Dict

// A ledger is the contract of the tests with the transactions that are debugged.
type ledger struct {
	build    *solc.Build
	contract *solc.Contract
	path     string
	sequence input.Sequence
	blamed   finding.Finding
}

// calls are the transactions: the third one reverts inside, the last one panics.
var calls = []string{
	call("pay(address,uint256)", 7, 200), call("sum(uint256)", 5), call("tryPay(address,uint256)", 7, 5000),
	call("pay(address,uint256)", 8, 100), call("enter()"), call("check()"),
}

// call encodes a call with words.
func call(signature string, words ...int) string {
	data := crypto.Keccak256([]byte(signature))[:4]
	for _, w := range words {
		data = append(data, common.BigToHash(big.NewInt(int64(w))).Bytes()...)
	}
	return string(data)
}

// theLedger compiles and replays once for all tests.
var theLedger = sync.OnceValues(func() (*ledger, error) {
	l := &ledger{build: compiledLedger}
	for _, c := range l.build.Contracts {
		if c.Name == "Ledger" {
			l.contract = c
		}
	}
	l.path = l.build.Source(l.contract.File).Path
	var foreignCalls foreign.Sequence
	for _, data := range calls {
		foreignCalls.Calls = append(foreignCalls.Calls, foreign.Call{From: common.HexToAddress("0x10000"), Data: []byte(data)})
	}
	ctx := context.Background()
	m, err := engine.Measure(ctx, l.contract, l.build.Contracts, nil, []foreign.Sequence{foreignCalls}, engine.Options{})
	if err != nil {
		return nil, err
	}
	if m.Inputs[0].Unfit != "" {
		return nil, errors.New(m.Inputs[0].Unfit)
	}
	result, err := engine.Replay(ctx, l.contract, l.build.Contracts, m.Inputs[0].Sequence, engine.Outside{}, false)
	if err != nil {
		return nil, err
	}
	if len(result.Findings) != 1 {
		return nil, fmt.Errorf("findings: %v", result.Findings)
	}
	l.sequence, l.blamed = m.Inputs[0].Sequence, result.Findings[0]
	return l, nil
})

var compiledLedger *solc.Build

func newLedger(t testing.TB) *ledger {
	t.Helper()
	if compiledLedger == nil {
		compilers := compiler.NewToolchain(searchtest.Env(t)) // no goroutines may be left
		defer compilers.Close()
		compiledLedger = searchtest.CompileWith(t, compilers, "testdata/Ledger.sol")
	}
	l, err := theLedger()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// launch records the transactions for the finding "ledger"; "slow" ends with the
// session alone, "empty" records nothing, and others are errors.
func (l *ledger) launch(ctx context.Context, args *LaunchArguments, console io.Writer, use Use) error {
	switch args.Finding {
	case "ledger":
		fmt.Fprintln(console, "recording")
		return engine.Debug(ctx, l.contract, l.build.Contracts, l.sequence, engine.Outside{}, l.blamed, func(r *recorded.Recording) error {
			if args.Step == "" {
				return use(r, nil)
			}
			at, err := l.stop(ctx, r, args.Step)
			if err != nil {
				return err
			}
			return use(r, &at)
		})
	case "slow":
		for ctx.Err() == nil {
			fmt.Fprintln(console, strings.Repeat("still compiling ", 100))
		}
		return ctx.Err()
	case "empty":
		return nil
	}
	return fmt.Errorf("there is no finding %s", args.Finding)
}

// serve starts an adapter. left closes the client's end, and returns what Serve does.
func (l *ledger) serve(t testing.TB) (c *daptest.Client, left func() error) {
	t.Helper()
	here, there := net.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := Serve(context.Background(), there, l.launch)
		there.Close()
		ended <- err
	}()
	var once sync.Once
	var err error
	left = func() error {
		once.Do(func() {
			here.Close()
			err = <-ended
		})
		return err
	}
	t.Cleanup(func() { _ = left() })
	return daptest.New(t, here, here), left
}

// stopped is serve of a session at the first statement.
func (l *ledger) stopped(t testing.TB) *daptest.Client {
	t.Helper()
	c, _ := l.serve(t)
	c.Launch(dict{"finding": "ledger", "stopOnEntry": true})
	return c
}
