package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/cheat"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/program"
	"leveret/engine/suite"
	"leveret/solc"
)

// maxSetUps bounds the test contracts that are set up to find one that builds the
// contract under test.
const maxSetUps = 16

// builtBySetUp returns the state that setUp of a test contract of the project
// builds, if the contract under test is part of it; nil if there is none. A setUp
// reaches nothing outside its chain.
func builtBySetUp(ctx context.Context, p *program.Program, m *evm.Machine, tests []*solc.Contract) *deploy.Deployment {
	for _, test := range tests[:min(len(tests), maxSetUps)] {
		if ctx.Err() != nil {
			return nil
		}
		options := suiteOptions(test, &Options{Now: func() time.Time { return time.Time{} }})
		s, err := suite.New(ctx, test, p.Project, options)
		if err != nil || s.Fault() != nil {
			continue
		}
		state, err := s.Prepared(solc.Test{})
		if err != nil {
			continue
		}
		b := &deploy.Built{Suite: deploy.Deployed{Contract: test, Address: s.Address}, World: state.World, Block: state.Block}
		if env := state.World.Env; env != nil && env.Block != nil {
			env.Block(&b.Block)
		}
		b.Left = func(a common.Address) bool { return a == cheat.Address || a == s.Sender() }
		for _, t := range s.Deployed() {
			if t.Address != s.Address {
				b.Contracts = append(b.Contracts, deploy.Deployed{Contract: t.Contract, Address: t.Address})
			}
		}
		if made := deploy.Take(p, m, b); made != nil {
			return made
		}
	}
	return nil
}

// setUpsFor lists the test contracts of a project with a setUp, those first that
// have the name of the contract under test in theirs.
func setUpsFor(under *solc.Contract, project []*solc.Contract) (list []*solc.Contract) {
	for _, c := range project {
		if s := solc.Suite(c); s != nil && s.SetUp && c.RunsTests() {
			list = append(list, c)
		}
	}
	named := func(c *solc.Contract) int {
		if strings.Contains(c.Name, under.Name) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b *solc.Contract) int { return cmp.Compare(named(a), named(b)) })
	return list
}
