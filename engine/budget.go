package engine

import "leveret/engine/exec"

// The budgets, as shares of the work of executing inputs. Inspections find a good
// part of all new paths; the lookahead analysis may take one percent [lookahead
// paper VI, RQ4].
func newInspections() exec.Budget { return exec.Budget{Share: 0.25, Initial: 100e6} }
func newAttacks() exec.Budget     { return exec.Budget{Share: 0.06, Initial: 40e6} }
func newArmings() exec.Budget     { return exec.Budget{Share: 0.02, Initial: 5e6} }
func newLookaheads() exec.Budget  { return exec.Budget{Share: 0.01, Initial: 10e6} }
