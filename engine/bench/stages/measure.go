package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"leveret/engine/joint"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// A tally counts problems.
type tally struct {
	problems    int
	solved      int
	without     [joint.Stages]int // solved without a stage
	by          [joint.Stages]int // the latest stage that a model needed
	evaluated   int               // instructions, with all stages
	asked       int               // of the unsolved: given to the SMT solver
	satisfiable int               // with a model that holds
	impossible  int               // the SMT solver proved that there is no model
	noForm      int               // without a form in SMT-LIB
}

func (t *tally) add(u tally) {
	t.problems, t.solved, t.evaluated = t.problems+u.problems, t.solved+u.solved, t.evaluated+u.evaluated
	for i := range t.without {
		t.without[i] += u.without[i]
		t.by[i] += u.by[i]
	}
	t.asked, t.satisfiable, t.impossible, t.noForm = t.asked+u.asked, t.satisfiable+u.satisfiable, t.impossible+u.impossible, t.noForm+u.noForm
}

// A bench measures the problems of one campaign.
type bench struct {
	options
	tally
	seen map[string]bool
}

// measure solves a problem in all ways.
func (b *bench) measure(ctx context.Context, p *joint.Problem) error {
	var text bytes.Buffer
	form := writeSMT(&text, p)
	if key := text.String(); form == nil && b.seen[key] {
		return nil
	} else if form == nil {
		b.seen[key] = true
	}
	b.problems++
	model, spent, ok := b.solve(*p)
	b.evaluated += spent
	for stage := range joint.Stages {
		q := *p
		q.Without[stage] = true
		if _, _, ok := b.solve(q); ok {
			b.without[stage]++
		}
	}
	if ok {
		b.solved++
		b.by[model.By]++
		return check(p, model.Values)
	}
	if errors.Is(form, errForm) {
		b.noForm++
		return nil
	}
	if b.smt == "" || b.asked >= b.unsolved {
		return form
	}
	b.asked++
	return b.ask(ctx, p, &text)
}

// solve solves a problem with the random numbers of its own.
func (b *bench) solve(p joint.Problem) (joint.Model, int, bool) {
	return p.Solve(rand.New(rand.NewPCG(1, 1)), b.most)
}

// check reports a model that does not meet the requirements.
func check(p *joint.Problem, values []uint256.Int) error {
	words := make([]uint256.Int, len(p.Graph.Nodes))
	for e := range words {
		n := &p.Graph.Nodes[e]
		switch i := variableOf(p, shadow.Expr(e)); {
		case i >= 0:
			words[e] = values[i]
		case n.Op == shadow.OpConst || n.Op == shadow.OpInput:
			words[e] = n.Value
		case n.Op == shadow.OpFrozen:
			words[e] = words[n.A]
		default:
			shadow.Compute(&words[e], n.Op, &words[n.A], &words[n.B], &words[n.C])
		}
	}
	for i, v := range p.Variables {
		if v.Word.Wrap(&values[i]) != values[i] {
			return fmt.Errorf("variable %d: %s is no value of its type", i, values[i].Hex())
		}
	}
	for i, r := range p.Requirements {
		if words[r.Word].IsZero() == r.Nonzero {
			return fmt.Errorf("requirement %d of %d does not hold", i+1, len(p.Requirements))
		}
	}
	return nil
}

// value is a line of a solver's model.
var value = regexp.MustCompile(`\(v(\d+)\s+#x([0-9a-f]{64})\)`)

// ask gives a problem to the SMT solver. A model of it has to hold.
func (b *bench) ask(ctx context.Context, p *joint.Problem, text *bytes.Buffer) error {
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	var names []string
	for i := range p.Variables {
		names = append(names, fmt.Sprintf("v%d", i))
	}
	command := strings.Fields(b.smt)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin = io.MultiReader(text, strings.NewReader("(check-sat)\n(get-value ("+strings.Join(names, " ")+"))\n"))
	out, err := cmd.Output()
	answer, rest, _ := strings.Cut(string(out), "\n")
	switch {
	case answer == "unsat": // there is no value to get, which is an error of the solver's
		b.impossible++
		return nil
	case ctx.Err() != nil || answer == "unknown":
		return nil
	case err != nil || answer != "sat":
		return fmt.Errorf("%s: %w: %.200s", b.smt, err, out)
	}
	values := make([]uint256.Int, len(p.Variables))
	for _, m := range value.FindAllStringSubmatch(rest, -1) {
		i, err := strconv.Atoi(m[1])
		if err != nil || i >= len(values) {
			return fmt.Errorf("%s: a value of v%s", b.smt, m[1])
		}
		if err := values[i].SetFromHex("0x" + strings.TrimLeft(m[2][:63], "0") + m[2][63:]); err != nil {
			return err
		}
	}
	b.satisfiable++
	return check(p, values)
}

// A row is a line of the table.
type row struct {
	name string
	tally
}

// write prints the table.
func write(w io.Writer, rows []row, smt bool) {
	fmt.Fprintln(w, "| problems of | | solved | without inverses | without elimination | without divisors | without search | instructions of each |")
	fmt.Fprintln(w, "|:--|--:|--:|--:|--:|--:|--:|--:|")
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", r.name, r.problems, r.solved, r.without[joint.ByInverse],
			r.without[joint.ByElimination], r.without[joint.ByDivisors], r.without[joint.BySearch], r.evaluated/max(1, r.problems))
	}
	if !smt {
		return
	}
	fmt.Fprintln(w, "\n| problems of | unsolved | without a form in SMT-LIB | given to the SMT solver | model | no model exists | out of time |")
	fmt.Fprintln(w, "|:--|--:|--:|--:|--:|--:|--:|")
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", r.name, r.problems-r.solved, r.noForm, r.asked, r.satisfiable, r.impossible,
			r.asked-r.satisfiable-r.impossible)
	}
}
