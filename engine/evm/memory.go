package evm

import (
	"github.com/holiman/uint256"

	"leveret/engine/bounded"
)

// newMemory returns the memory of all open frames of a Machine.
func newMemory() bounded.Arena[byte] { return bounded.NewArena[byte](1<<16, 4<<20, 16<<20) }

// maxMemory is the size in bytes beyond which the price of memory overflows.
const maxMemory = 0x1FFFFFFFE0

// largeMemory is the size in bytes from which on memory no longer doubles when it grows:
// its price grows with the square of the size, so it grows seldom.
const largeMemory = 1 << 16

// linearGas is the price of a copied word, and of one of memory besides what grows
// with its square.
const linearGas = 3

// extent returns the bytes of memory that a range needs; false if that
// overflows.
func extent(offset, size *uint256.Int) (uint64, bool) {
	if !size.IsUint64() {
		return 0, false
	}
	return extentOf(offset, size.Uint64())
}

func extentOf(offset *uint256.Int, size uint64) (uint64, bool) {
	if size == 0 {
		return 0, true
	}
	end := offset.Uint64() + size
	if !offset.IsUint64() || end < size || end > 1<<64-32 {
		return 0, false
	}
	return (end + 31) &^ 31, true
}

func inWords(size uint64) uint64 { return (size + 31) / 32 }

// charge takes gas.
func (f *frame) charge(gas uint64) error {
	if f.gas < gas {
		return ErrOutOfGas
	}
	f.gas -= gas
	return nil
}

// memoryCost sets the size of memory that the running instruction needs and
// returns what the expansion costs.
func (f *frame) memoryCost(size uint64) (uint64, error) {
	f.size = size
	if size <= uint64(len(f.memory)) {
		return 0, nil
	}
	if size > maxMemory {
		return 0, errMeterOverflow
	}
	if most := f.machine.Bounds.Memory; most > 0 && size > uint64(max(most-f.below, 0)) {
		f.machine.short = true
		return 0, ErrMemory
	}
	n := size / 32
	total := n*linearGas + n*n/512
	cost := total - f.memoryGas
	if most := f.machine.Bounds.Open; most > 0 && cost <= f.gas && size > uint64(max(most-f.below, 0)) {
		return 0, ErrHeld
	}
	f.memoryGas = total
	return cost, nil
}

// meterRange charges for a range of memory and a price per word or byte of it.
func (f *frame) meterRange(offset, size *uint256.Int, extra uint64) error {
	end, ok := extent(offset, size)
	if !ok {
		return errGasOverflow
	}
	cost, err := f.memoryCost(end)
	if err != nil {
		return err
	}
	if err := f.charge(cost + extra); err != nil || size.Uint64() <= bulkSize {
		return err
	}
	return f.machine.work(max(extra, inWords(size.Uint64())*linearGas))
}

// meterBytes charges for size bytes of memory from an offset.
func (f *frame) meterBytes(offset *uint256.Int, size uint64) error {
	end, ok := extentOf(offset, size)
	if !ok {
		return errGasOverflow
	}
	if end <= uint64(len(f.memory)) {
		f.size = end
		return nil
	}
	cost, err := f.memoryCost(end)
	if err != nil {
		return err
	}
	return f.charge(cost)
}

// meterCopy charges for size bytes copied to a range of memory.
func (f *frame) meterCopy(offset, size *uint256.Int) error {
	return f.meterRange(offset, size, wordPrice(size, linearGas))
}

// wordPrice is the price of size bytes. The price of a size that overflows does
// not matter: its memory cannot be paid.
func wordPrice(size *uint256.Int, perWord uint64) uint64 {
	if size.Uint64() > maxMemory {
		return 0
	}
	return inWords(size.Uint64()) * perWord
}

// expand expands the memory to the size that was charged.
func (f *frame) expand() {
	if f.size > uint64(len(f.memory)) {
		f.expandTo(int(f.size))
	}
}

func (f *frame) expandTo(size int) {
	was := len(f.memory)
	if size <= cap(f.memory) {
		f.memory = f.memory[:size]
		clear(f.memory[was:])
		return
	}
	_ = f.machine.work(inWords(uint64(size-was)) * linearGas) // the Call ends at the next access
	room := 2 * was
	if was > largeMemory {
		room = was + was/4
	}
	if most := f.machine.Bounds.Memory; most > 0 {
		room = min(room, most-f.below)
	}
	f.memory = f.machine.memory.Grow(f.memory, &f.chunk, size, room)
}

// view returns a range of memory, which was charged and expanded.
func (f *frame) view(offset, size *uint256.Int) []byte {
	if size.IsZero() {
		return nil
	}
	at := offset.Uint64()
	return f.memory[at : at+size.Uint64()]
}

// copyTo copies data from an offset on to a range of memory, padded with zeros.
func (f *frame) copyTo(to, from, size *uint256.Int, data []byte) {
	if size.IsZero() {
		return
	}
	dest := f.view(to, size)
	n := 0
	if from.IsUint64() && from.Uint64() < uint64(len(data)) {
		n = copy(dest, data[from.Uint64():])
	}
	clear(dest[n:])
}

// load32 sets z to the word of data at an offset, padded with zeros.
func load32(z *uint256.Int, data []byte, offset *uint256.Int) {
	at := offset.Uint64()
	switch {
	case !offset.IsUint64() || at >= uint64(len(data)):
		z.Clear()
	case at+32 <= uint64(len(data)):
		z.SetBytes32(data[at : at+32])
	default:
		var padded [32]byte
		copy(padded[:], data[at:])
		z.SetBytes32(padded[:])
	}
}
