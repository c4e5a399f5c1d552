package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"leveret/engine"
	"leveret/engine/pacer"
)

// memoryFlag bounds the memory of a run.
type memoryFlag struct{ memory string }

func (f *memoryFlag) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.memory, "memory", "2GB", "use at most `SIZE` of memory: inputs that covered nothing first are forgotten")
}

// programSize is what the command takes beside what the Go runtime counts, in bytes.
const programSize = 64 << 20

// apply validates the flag, and has the garbage collector hold the limit. It returns the
// limit in bytes.
func (f *memoryFlag) apply() (int64, error) {
	size, err := humanize.ParseBytes(f.memory)
	if err != nil || size < engine.LeastMemory || size > 1<<50 {
		return 0, fmt.Errorf("--memory: %q is not a size from %dMB on; write 512MB or 4GB", f.memory, engine.LeastMemory/1_000_000+1)
	}
	pacer.Bound(int64(size) - programSize)
	return int64(size), nil
}
