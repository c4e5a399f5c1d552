package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"leveret/engine"
	"leveret/engine/attacker"
	"leveret/engine/bench/subject"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"
	"leveret/engine/input"
	"leveret/engine/program"

	"github.com/ethereum/go-ethereum/common"
)

// compareReal compares the transactions of campaigns on the real contracts,
// each contract's share.
func compareReal(ctx context.Context, o options, r *result) error {
	if o.real == 0 {
		return nil
	}
	list, err := subject.List(o.list)
	if err != nil {
		return err
	}
	tools, err := subject.New(o.tools)
	if err != nil {
		return err
	}
	defer tools.Close()
	for _, source := range list {
		subjects, err := tools.Compile(ctx, source.File, source.Contract)
		if err != nil {
			return err
		}
		for _, s := range subjects {
			sums, err := compareCampaign(ctx, s, o.seed, o.real/len(list))
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", s.Name, o.seed, err)
			}
			r.Real[s.Name] = sums
			fmt.Printf("%-24s %+v\n", s.Name, sums)
		}
	}
	return nil
}

// compareCampaign runs a campaign, deploys the contract as it did, and compares
// at least the given number of transactions of its inputs.
func compareCampaign(ctx context.Context, s subject.Subject, seed uint64, calls int) (sums, error) {
	inputs, err := campaign(ctx, s, seed, calls)
	if err != nil {
		return sums{}, err
	}
	p, err := program.New(s.Contract, s.Project)
	if err != nil {
		return sums{}, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	deployed, err := deploy.Repeat(ctx, p, evm.NewMachine(), random, inputs[0].Deployment, nil)
	if err != nil {
		return sums{}, err
	}
	c := evmtest.NewChecker()
	creations, err := compareCreations(c, deployed, s)
	if err != nil {
		return sums{}, err
	}
	start, err := evmtest.TwinOf(deployed.World)
	if err != nil {
		return sums{}, err
	}
	// The inputs come again from the first one if the transactions do not suffice.
	for i := 0; c.Calls < calls && i < 10*len(inputs); i++ {
		if err := compareSequence(c, start.Fork(), inputs[i%len(inputs)]); err != nil {
			return sums{}, err
		}
		if ctx.Err() != nil {
			return sums{}, ctx.Err()
		}
	}
	compared := sumsOf(c)
	compared.Creation = creations
	return compared, nil
}

// campaign returns the inputs that a campaign executes.
func campaign(ctx context.Context, s subject.Subject, seed uint64, count int) ([]input.Sequence, error) {
	var inputs []input.Sequence
	result, err := engine.Run(ctx, s.Contract, s.Project, engine.Options{
		Seed: seed, MaxInputs: count, Workers: 1,
		Executed: func(s input.Sequence) { inputs = append(inputs, s) },
	})
	if err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("not fuzzed: %s", result.Note)
	}
	return inputs, nil
}

// compareCreations creates the contract under test with random arguments, of
// which some constructors accept some.
func compareCreations(c *evmtest.Checker, d *deploy.Deployment, s subject.Subject) (int, error) {
	tw, err := evmtest.TwinOf(d.World)
	if err != nil {
		return 0, err
	}
	code := s.Contract.Creation.Object
	for n := range 8 {
		call := evm.Call{From: input.Deployer.Address(), Create: true, Data: append(code[:len(code):len(code)], make([]byte, 32*n)...)}
		for at := len(code) + 31; at < len(call.Data); at += 32 {
			call.Data[at] = byte(n)
		}
		if _, err := c.Call(tw, deploy.Genesis, call); err != nil {
			return n, err
		}
	}
	return 8, nil
}

// compareSequence executes the transactions of an input as a campaign does.
func compareSequence(c *evmtest.Checker, tw *evmtest.Twin, s input.Sequence) error {
	block := deploy.Genesis
	for i := range s.Txs {
		tx := &s.Txs[i]
		block = block.After(tx.Delay)
		on := tw
		call := evm.TxCall(tx, tx.AppendCalldata(nil))
		if program.IsProperty(tx.Function) { // its changes are undone
			on = tw.Fork()
			call.From = input.Deployer.Address()
		}
		words := attacker.Storage(tx.Script)
		for _, word := range words {
			on.SetStorage(input.Attacker.Address(), word.Key, word.Value)
		}
		if _, err := c.Call(on, block, call); err != nil {
			return fmt.Errorf("transaction %d: %w\n%v", i, err, s)
		}
		for _, word := range words {
			on.SetStorage(input.Attacker.Address(), word.Key, common.Hash{})
		}
	}
	return nil
}
