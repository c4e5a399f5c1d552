package engine

import (
	"slices"

	"leveret/engine/attack"
	"leveret/engine/direct"
	"leveret/engine/plan"
	"leveret/engine/search"
	"leveret/engine/solve"
)

// table lists the input sources. The order of the rows matters: urgent inputs
// are asked for, and results are learned, from top to bottom.
func table(s *sources) []*row {
	o := s.options
	rows := []*row{
		{Origin: s.solving.Predictions.Origin(), urgent: s.solving.Predictions.Next, learn: s.solving.Predictions.Learn, repeat: s.solving.Predictions.Repeat, late: true},
		{Origin: s.seeds.replayed, urgent: s.seeds.search.Queue.TakeUnmet},
		{Origin: s.scripts.Origin(), urgent: s.scripts.Planned, attacks: true},
		{Origin: s.seeds.origin, urgent: s.seeds.Later},
		{Origin: s.demand.origin, urgent: s.demand.Goal, lengthens: true},
		{Origin: named("scheduled"), weight: 34, draws: true, next: s.scheduled.Next, learn: s.scheduled.Learn, repeat: s.scheduled.Repeat},
		{Origin: s.redirected.origin, urgent: s.redirected.Next, learn: s.redirected.Learn, attacks: true},
		{Origin: named("targeted"), weight: unless(!s.guide.Guides(), 60), next: s.targeted.Next, learn: s.targeted.Learn},
		{Origin: named("best-per-branch"), weight: unless(o.NoAdaptive, 30), draws: true, next: s.best.Next, learn: s.best.Learn},
		{Origin: s.solving.Solver.Origin(), weight: unless(o.NoPrediction, 30), next: s.solving.Solver.Next, learn: s.solving.Solver.Learn},
		{Origin: named("iterated"), weight: unless(o.NoPrediction, 24), next: s.solving.Predictions.Iterate},
		{Origin: s.demand.origin, weight: unless(o.NoDemand, 20), next: s.demand.Next, lengthens: true},
		{Origin: named("planned"), weight: unless(o.NoDemand || o.trial != nil, 24), next: s.plans.Next, learn: s.plans.Learn, repeat: s.plans.Repeat, lengthens: true},
		{Origin: named("overwrite"), weight: 6, next: s.solving.Overwrite.Next, learn: s.solving.Overwrite.Learn, attacks: true},
		{Origin: named("aggressive"), weight: unless(o.NoDemand, 12), next: s.solving.Aggressive.Next, learn: s.solving.Aggressive.Learn, repeat: s.solving.Aggressive.Repeat, supposes: true, lengthens: true},
		{Origin: named("tangled"), weight: unless(o.NoDemand, 12), next: s.solving.Groups.Next, supposes: true, lengthens: true},
		{Origin: s.scripts.Origin(), weight: 8, next: s.scripts.Next, learn: s.scripts.Learn, attacks: true},
		{Origin: named("deposits"), weight: 5, next: s.deposits.Next, attacks: true},
		{Origin: named("forced"), weight: unless(!s.forced.Active(), 5), next: s.forced.Next, attacks: true},
		{Origin: named("eager"), weight: unless(!o.NoDemand, 20), next: s.eager.Next, lengthens: true},
		{Origin: named("fresh"), weight: 4, draws: true, next: s.generator.Fresh},
	}
	for i, origin := range s.solving.Jointly.Origins() {
		if r := (&row{Origin: origin}); i == 0 {
			r.urgent = s.solving.Jointly.Next // of all of them
			rows = slices.Insert(rows, 3, r)  // after what takes no search
		} else {
			rows = append(rows, r)
		}
	}
	if o.trial != nil {
		rows = append(rows, &row{Origin: s.maximize.origin, weight: unless(len(s.maximize.goals) == 0, 80), urgent: s.maximize.Turn, next: s.maximize.Next, learn: s.maximize.Learn, lengthens: true})
		rows = slices.Insert(rows, 0, &row{Origin: s.walk.origin, urgent: s.walk.Turn, learn: s.walk.Learn, repeat: s.walk.Repeat, lengthens: true})
	}
	if o.trial != nil && o.trial.fuzzes() {
		rows = append(rows, &row{Origin: named("uniform"), weight: 8, draws: true, next: s.uniform.Next, learn: s.ranges.learn})
		for _, r := range rows {
			if r.draws {
				r.next = s.ranges.moved(r.next)
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(r *row) bool {
		return r.attacks && o.trial != nil || r.lengthens && o.trial != nil && o.trial.fuzzes()
	})
	if x := s.exchange; x != nil {
		rows = append(rows, &row{Origin: x.origin, urgent: x.Next, learn: x.Learn})
	}
	return rows
}

// sources are the input sources of a campaign.
type sources struct {
	options    *Options
	guide      *direct.Guide
	generator  *search.Generator
	seeds      *seeds
	scheduled  *scheduled
	targeted   *direct.Targeted
	best       *bestPerBranch
	demand     *demanded
	solving    *solve.Sources
	plans      *plan.Plans
	scripts    *attack.Scripts
	deposits   *attack.Deposits
	forced     *attack.Forced
	eager      *eager
	redirected *redirected
	walk       *walk
	maximize   *maximize
	uniform    *uniform
	ranges     *ranges   // of arguments of fuzz tests
	exchange   *exchange // nil: there are no other workers
}

func named(name string) *search.Origin { return &search.Origin{Name: name} }

// unless returns the weight of a source, or nothing if it is switched off.
func unless(off bool, weight int) int {
	if off {
		return 0
	}
	return weight
}
