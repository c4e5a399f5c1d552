package deploy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/attacker"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/shadow"
	"leveret/solc"
)

// maxDeployWork bounds the work of all attempts together, dependencies included:
// each call of a constructor may take as long as an input.
const maxDeployWork = 8e9

// A chain executes the calls of a deployment and keeps the effects of those
// that succeed.
type chain struct {
	machine *evm.Machine
	made    *Deployment      // its World is replaced by each call that succeeds
	work    uint64           // of all calls, in units of exec.Budget
	limit   uint64           // of the work
	created []common.Address // by other contracts, in the last kept call
	hooks   evm.Hooks        // record created
}

// newChain returns a chain that holds the actors, the attacker contract, and
// the mocks that a program expects at fixed addresses where the fork, which may
// be nil, has no contract.
func newChain(p *program.Program, m *evm.Machine, made *Deployment, fork *Fork) *chain {
	h := &chain{machine: m, made: made, limit: maxDeployWork}
	made.World, made.Block, made.asked = evm.NewWorld(p.Codes), Genesis, map[common.Address]bool{}
	h.hooks = Asking(func(a common.Address) { made.asked[a] = true })
	asks := h.hooks.Enter
	h.hooks.Enter = func(f *evm.Frame) {
		asks(f)
		h.onCreate(f)
	}
	for _, actor := range input.Actors {
		h.made.World.SetBalance(actor.Address(), ActorWei)
	}
	h.made.World.SetCode(input.Attacker.Address(), attacker.Code)
	h.made.World.SetCode(input.Forcer, input.ForcerCode)
	if fork != nil {
		made.World, made.Block = fork.under(made.World, p.Codes), fork.Block
	}
	for _, s := range mock.All() {
		if s.Home != (common.Address{}) && p.Mentions(s.Home) && h.made.World.Code(s.Home) == nil {
			world := h.made.World.Fork()
			outcome := m.Execute(world, made.Block, evm.Call{From: input.Deployer.Address(), Create: true, Data: s.Code}, nil)
			h.made.World.SetCode(s.Home, world.Code(outcome.Created).Bytes)
		}
	}
	return h
}

// onCreate records the address of a contract that another contract creates.
func (h *chain) onCreate(f *evm.Frame) {
	if f.Depth > 1 && (f.Kind == evm.FrameCreate || f.Kind == evm.FrameCreate2) {
		h.created = append(h.created, f.Self)
	}
}

// construct executes creation code.
func (h *chain) construct(code []byte, tx *input.Tx) (common.Address, evm.Outcome) {
	outcome := h.execute(creationCall(code, tx))
	return outcome.Created, outcome
}

// call executes a transaction.
func (h *chain) call(tx *input.Tx) evm.Outcome {
	return h.execute(txCall(tx))
}

func (h *chain) execute(call evm.Call) evm.Outcome {
	h.created = h.created[:0]
	world := h.made.World.Fork()
	outcome := h.machine.Execute(world, h.made.Block, call, &h.hooks)
	h.work += exec.Cost(h.machine, exec.HookedStep)
	if outcome.Status == evm.Success {
		h.made.World = world
	}
	return outcome
}

// reset undoes the calls since a world was the present one.
func (h *chain) reset(to *evm.World) { h.made.World = to }

// share returns the limit of the work for a dependency: half of what is left for its
// consumer, or less.
func (h *chain) share() uint64 {
	left := h.limit - min(h.work, h.limit)
	return h.work + min(left/2, maxDependencyWork)
}

// try executes a call without keeping its effects or counting its work.
func (h *chain) try(call evm.Call, hooks *evm.Hooks) evm.Outcome {
	return h.machine.Execute(h.made.World.Fork(), h.made.Block, call, hooks)
}

// taint executes a call under an observer without keeping its effects.
func (h *chain) taint(call evm.Call, observer *shadow.Observer) evm.Outcome {
	observer.Attach(shadow.NewState())
	outcome := h.try(call, observer.Hooks())
	h.work += exec.Cost(h.machine, exec.TaintedStep)
	return outcome
}

// exhausted reports whether the work is over its limit.
func (h *chain) exhausted() bool { return h.work > h.limit }

// isOpen reports whether anybody can make a call in a world.
func (h *chain) isOpen(w *evm.World, tx *input.Tx) bool {
	stranger := *tx
	stranger.From = input.User1
	return h.machine.Execute(w.Fork(), h.made.Block, txCall(&stranger), nil).Status == evm.Success
}

func txCall(tx *input.Tx) evm.Call { return evm.TxCall(tx, tx.Calldata()) }

func creationCall(code []byte, tx *input.Tx) evm.Call {
	return evm.Call{
		From: input.Deployer.Address(), Create: true, Value: tx.Value,
		Data: tx.AppendCalldata(bytes.Clone(code)),
	}
}

// isEmptyToken reports whether a contract is a token that no actor holds or can
// mint. Nothing would happen with such a token.
func isEmptyToken(p *program.Program, h *chain, address common.Address) bool {
	c := p.ContractAt(h.made.World, address)
	if c == nil || c.Methods["balanceOf(address)"] == "" {
		return false
	}
	abi := p.ABI(c)
	if slices.ContainsFunc(abi.Functions, mintsTokens) {
		return false
	}
	balance := input.Tx{From: input.Deployer, To: address, Function: abi.Method("balanceOf(address)")}
	for _, actor := range input.Actors {
		balance.Args = balance.Function.Zero()
		who := actor.Address()
		balance.Args[0].Word.SetBytes20(who[:])
		outcome := h.try(txCall(&balance), nil)
		if outcome.Status != evm.Success || len(outcome.Return) < 32 || !new(uint256.Int).SetBytes(outcome.Return[:32]).IsZero() {
			return false
		}
	}
	return true
}

// mintsTokens reports whether the name of f suggests that its caller receives
// tokens.
func mintsTokens(f *input.Function) bool {
	name := strings.ToLower(f.Name)
	return !f.Constant() && slices.ContainsFunc([]string{
		"mint", "deposit", "issue", "faucet", "claim", "airdrop", "setbalance", "give", "buy", "wrap",
	}, func(gain string) bool { return strings.Contains(name, gain) })
}

// explain returns an error that says which check made a call fail, and where.
func explain(p *program.Program, h *chain, what, how string, c *solc.Contract, call evm.Call, tx *input.Tx) error {
	panel := oracle.NewMonitor([]*oracle.Oracle{&oracle.Reverted}, &oracle.Env{
		Project: p.IsProject,
		Blame:   p.Blame,
	}, shadow.New(shadow.NewState()))
	world := h.made.World.Fork()
	panel.Begin(tx, world)
	outcome := h.machine.Execute(world, h.made.Block, call, panel.Hooks())
	why := "reverts"
	if outcome.Halt != nil {
		why = "halts (" + outcome.Halt.Error() + ")"
	}
	where := ""
	for _, report := range panel.End(&outcome, world) {
		if b, ok := p.Locate(report.Trail); ok {
			where = fmt.Sprintf(" at %s:%d: %s", b.Place.File, b.Place.Start.Line, b.Text)
		}
	}
	if reason := p.ABI(c).Reason(outcome.Return); reason != "" && !strings.Contains(where, reason) {
		where += " (" + reason + ")"
	}
	return errors.New(what + " " + why + how + where)
}
