// Command stages measures what each stage of joint solving brings. It collects the
// problems of campaigns, solves each one with all stages and without one of them,
// and gives those that stay unsolved to an SMT solver, if it is told one.
//
//	go run ./engine/bench/stages -smt z3
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"leveret/engine"
	"leveret/engine/bench/obstacles"
	"leveret/engine/bench/subject"
	"leveret/engine/joint"
)

// options are the flags.
type options struct {
	list, tools, smt string
	inputs, seeds    int
	most, unsolved   int
	obstacles        string
	limit            time.Duration
}

func main() {
	o := options{}
	flag.StringVar(&o.list, "list", "solc/testdata/npm/real.txt", "list of the real contracts")
	flag.StringVar(&o.tools, "tools", "solc/testdata/npm", "a folder whose node_modules has compilers")
	flag.StringVar(&o.obstacles, "obstacles", "joint", "class of the generated contracts")
	flag.StringVar(&o.smt, "smt", "", "a solver that reads SMT-LIB 2 on standard input, such as \"z3 -in\"; empty: none")
	flag.IntVar(&o.inputs, "inputs", 3000, "inputs of each campaign")
	flag.IntVar(&o.seeds, "seeds", 10, "seeds of the generated contracts, of each size")
	flag.IntVar(&o.most, "most", 400_000, "instructions that solving a problem may evaluate")
	flag.IntVar(&o.unsolved, "unsolved", 20, "unsolved problems of each contract that the SMT solver gets")
	flag.DurationVar(&o.limit, "limit", 5*time.Second, "time of the SMT solver for a problem")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "stages:", err)
		os.Exit(1)
	}
}

func (o options) run(ctx context.Context) error {
	tools, err := subject.New(o.tools)
	if err != nil {
		return err
	}
	defer tools.Close()
	real, err := o.realContracts(ctx, tools)
	if err != nil {
		return err
	}
	generated, err := o.generatedContracts(ctx, tools)
	if err != nil {
		return err
	}
	write(os.Stdout, []row{{"real contracts", real}, {"class " + o.obstacles, generated}}, o.smt != "")
	return nil
}

// realContracts counts the problems of campaigns on the real contracts.
func (o options) realContracts(ctx context.Context, tools subject.Toolchain) (sum tally, err error) {
	sources, err := subject.List(o.list)
	if err != nil {
		return sum, err
	}
	for _, s := range sources {
		t, err := o.campaign(ctx, tools, s, 1)
		if err != nil {
			return sum, fmt.Errorf("%s: %w", s.Contract, err)
		}
		sum.add(t)
	}
	return sum, nil
}

// generatedContracts counts the problems of campaigns on generated contracts.
func (o options) generatedContracts(ctx context.Context, tools subject.Toolchain) (sum tally, err error) {
	dir, err := os.MkdirTemp("", "leveret-bench-stages-")
	if err != nil {
		return sum, err
	}
	defer os.RemoveAll(dir)
	class, err := classNamed(o.obstacles)
	if err != nil {
		return sum, err
	}
	for size := range obstacles.Sizes {
		for seed := 1; seed <= o.seeds; seed++ {
			file := filepath.Join(dir, fmt.Sprintf("%s%d", obstacles.Sizes[size], seed), obstacles.Contract+".sol")
			err := errors.Join(os.Mkdir(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(obstacles.New(class, size, uint64(seed), "").Source), 0o644))
			if err != nil {
				return sum, err
			}
			t, err := o.campaign(ctx, tools, subject.Source{File: file, Contract: obstacles.Contract}, uint64(seed))
			if err != nil {
				return sum, fmt.Errorf("%s: %w", file, err)
			}
			sum.add(t)
		}
	}
	return sum, nil
}

func classNamed(name string) (obstacles.Class, error) {
	for _, c := range obstacles.Classes {
		if c.Name == name {
			return c, nil
		}
	}
	return obstacles.Class{}, fmt.Errorf("no class %q of obstacles", name)
}

// campaign counts the problems of a campaign. Equal problems count once.
func (o options) campaign(ctx context.Context, tools subject.Toolchain, s subject.Source, seed uint64) (sum tally, err error) {
	subjects, err := tools.Compile(ctx, s.File, s.Contract)
	if err != nil {
		return sum, err
	}
	b := bench{options: o, seen: map[string]bool{}}
	var failed error
	_, err = engine.Run(ctx, subjects[0].Contract, subjects[0].Project, engine.Options{
		Seed: seed, Workers: 1, MaxInputs: o.inputs,
		Joint: func(p *joint.Problem, _ int) {
			if failed == nil {
				failed = b.measure(ctx, p)
			}
		},
	})
	return b.tally, errors.Join(err, failed)
}
