// Cheatcodes compares the functions of forge-std's Vm interface with the cheatcodes that
// leveret has. It compiles the Vm.sol of a given checkout.
//
//	go run ./engine/bench/cheatcodes FORGE-STD/src/Vm.sol
//
// The exit code is 1 if a function is neither implemented nor refused by name, or
// returns something else.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"leveret/engine/bench/subject"
	"leveret/engine/cheat"
	"leveret/engine/input"
)

func main() {
	tools := flag.String("tools", "solc/testdata/npm", "folder where make tools installed compilers")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "cheatcodes: name the Vm.sol of a checkout of foundry-rs/forge-std")
		os.Exit(2)
	}
	functions, err := declared(context.Background(), *tools, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "cheatcodes:", err)
		os.Exit(2)
	}
	if c := compare(functions); !c.write(os.Stdout) {
		os.Exit(1)
	}
}

// declared returns the functions of the interface Vm of a file.
func declared(ctx context.Context, tools, file string) ([]*input.Function, error) {
	toolchain, err := subject.New(tools)
	if err != nil {
		return nil, err
	}
	defer toolchain.Close()
	list, err := toolchain.Compile(ctx, file, "Vm")
	if err != nil {
		return nil, err
	}
	abi, err := input.ParseABI(list[0].Contract.ABI)
	if err != nil {
		return nil, err
	}
	return abi.Functions, nil
}

// A comparison sorts functions of the interface by what leveret does with them.
type comparison struct {
	implemented int
	refused     []string // with the reason
	missing     []string
	different   []string // in what they return
}

func compare(functions []*input.Function) (c comparison) {
	for _, f := range functions {
		known := cheat.Called(cheat.Address, f.Selector[:])
		switch {
		case known == nil:
			c.missing = append(c.missing, f.Signature)
		case known.Raw:
			c.refused = append(c.refused, known.Signature)
		case !slices.EqualFunc(f.Outputs, known.Outputs, func(a, b input.Field) bool { return a.Type.Same(b.Type) }):
			c.different = append(c.different, fmt.Sprintf("%s returns %s, here %s", f.Signature, types(f.Outputs), types(known.Outputs)))
		default:
			c.implemented++
		}
	}
	return c
}

// types lists the types of results.
func types(fields []input.Field) (list []string) {
	for _, f := range fields {
		list = append(list, f.Type.String())
	}
	return list
}

// write writes what it found, and returns whether all functions are known.
func (c *comparison) write(w io.Writer) (ok bool) {
	fmt.Fprintf(w, "%d functions: %d implemented, %d refused by name, %d missing, %d with other results\n",
		c.implemented+len(c.refused)+len(c.missing)+len(c.different), c.implemented, len(c.refused), len(c.missing), len(c.different))
	for _, part := range []struct {
		title string
		list  []string
	}{{"missing", c.missing}, {"other results", c.different}, {"refused", c.refused}} {
		for _, line := range part.list {
			fmt.Fprintf(w, "%s: %s\n", part.title, line)
		}
	}
	return len(c.missing)+len(c.different) == 0
}
