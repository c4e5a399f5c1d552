package input

import (
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A Pool draws candidate values. Its methods return false if it has none. A nil
// Pool is empty.
type Pool interface {
	Address(r *rand.Rand) (common.Address, bool)
	Word(r *rand.Rand, t WordType) (uint256.Int, bool) // in t's range
	Bytes(r *rand.Rand) ([]byte, bool)                 // callers must not change it
}

// A wordSource is one distribution of integers.
type wordSource struct {
	name   string
	weight int
	draw   func(r *rand.Rand, t WordType, pool Pool) (uint256.Int, bool)
}

// wordSources are the distributions of random integers. The weights come from
// an experiment (TestDistribution in engine/mutate prints it): small numbers
// and constants of the code satisfy most conditions that random values can
// satisfy; limits and powers of two break arithmetic; scaled decimals look like
// amounts; numbers of every length and uniform ones are starting points for
// prediction.
var wordSources = []wordSource{
	{"small", 34, drawSmall},
	{"pool", 22, drawPool},
	{"limit", 9, drawLimit},
	{"power of two", 10, drawPower},
	{"scaled decimal", 11, drawScaled},
	{"any length", 7, drawLength},
	{"uniform", 7, drawUniform},
}

const wordSourcesTotal = 100

// RandomWord draws a word of type t. The pool may be nil.
func RandomWord(r *rand.Rand, t WordType, pool Pool) uint256.Int {
	if t.Bits == 1 {
		return uint256.Int{r.Uint64() & 1}
	}
	for {
		n := r.IntN(wordSourcesTotal)
		for i := range wordSources {
			s := &wordSources[i]
			if n -= s.weight; n >= 0 {
				continue
			}
			if w, ok := s.draw(r, t, pool); ok {
				return w
			}
			break
		}
	}
}

// fit converts a magnitude to a word: right-aligned numbers may be negated if t
// is signed, left-aligned ones are shifted.
func fit(r *rand.Rand, t WordType, magnitude *uint256.Int) (w uint256.Int, ok bool) {
	w = *magnitude
	if t.Left {
		w.Lsh(&w, uint(256-t.Bits))
	} else if t.Signed && r.IntN(2) == 0 {
		w.Neg(&w)
	}
	clean := t.Wrap(&w)
	return clean, t.Limit == 0 || clean == w
}

func drawSmall(r *rand.Rand, t WordType, _ Pool) (uint256.Int, bool) {
	n := uint64(4)
	switch k := r.IntN(20); {
	case k < 4:
		n = 16
	case k < 11:
		n = 128
	}
	return fit(r, t, uint256.NewInt(r.Uint64N(n)))
}

func drawPool(r *rand.Rand, t WordType, pool Pool) (uint256.Int, bool) {
	if pool == nil {
		return uint256.Int{}, false
	}
	w, ok := pool.Word(r, t)
	if !ok {
		return w, false
	}
	o := t.Ordinal(&w)
	switch r.IntN(6) {
	case 0:
		o.AddUint64(&o, 1)
	case 1:
		o.SubUint64(&o, 1)
	}
	if max := t.MaxOrdinal(); o.Gt(&max) {
		return w, true
	}
	return t.Word(&o), true
}

// drawLimit draws the type's extremes and their neighbours.
func drawLimit(r *rand.Rand, t WordType, _ Pool) (uint256.Int, bool) {
	o := t.MaxOrdinal()
	near := uint64(0)
	if r.IntN(3) == 0 {
		near = r.Uint64N(4)
	}
	if r.IntN(4) == 0 {
		o.SetUint64(near)
	} else {
		o.SubUint64(&o, min(near, o.Uint64()))
	}
	return t.Word(&o), true
}

// drawPower draws powers of two and their neighbours, preferably with widths of
// integer types as exponents.
func drawPower(r *rand.Rand, t WordType, _ Pool) (uint256.Int, bool) {
	e := r.IntN(t.Bits)
	if r.IntN(2) == 0 {
		e = min(8*(1+r.IntN((t.Bits+7)/8)), t.Bits) - r.IntN(2)
	}
	var w uint256.Int
	w.Lsh(w.SetOne(), uint(e))
	switch r.IntN(3) {
	case 0:
		w.AddUint64(&w, 1)
	case 1:
		w.SubUint64(&w, 1)
	}
	return fit(r, t, &w)
}

// drawScaled draws k·10^e, preferably with the decimals of tokens and ether.
func drawScaled(r *rand.Rand, t WordType, _ Pool) (uint256.Int, bool) {
	exponents := [...]int{2, 3, 4, 6, 8, 9, 15, 16, 17, 18, 18, 18, 21, 24, 27}
	e := exponents[r.IntN(len(exponents))]
	if r.IntN(4) == 0 {
		e = r.IntN(28)
	}
	w := pow10(e)
	w.Mul(&w, uint256.NewInt(1+r.Uint64N(10)))
	if w.BitLen() > t.Bits {
		return w, false
	}
	return fit(r, t, &w)
}

// drawLength draws a number of a uniformly drawn bit length.
func drawLength(r *rand.Rand, t WordType, _ Pool) (uint256.Int, bool) {
	w := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	w.Rsh(&w, uint(255-r.IntN(t.Bits)))
	return fit(r, t, &w)
}

func drawUniform(r *rand.Rand, t WordType, _ Pool) (uint256.Int, bool) {
	w := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	return t.Wrap(&w), true
}

// AnyWord draws a word of type t from all of them, or from those of a length that it
// draws.
func AnyWord(r *rand.Rand, t WordType) uint256.Int {
	if r.IntN(2) == 0 {
		if w, ok := drawLength(r, t, nil); ok {
			return w
		}
	}
	w, _ := drawUniform(r, t, nil)
	return w
}

// RandomAddress draws from the pool, the actors, the zero address and the
// precompiles.
func RandomAddress(r *rand.Rand, pool Pool) common.Address {
	if pool != nil {
		if a, ok := pool.Address(r); ok {
			return a
		}
	}
	if n := r.IntN(10); n < 8 {
		return Actors[n%len(Actors)].Address()
	}
	return common.Address{19: byte(r.IntN(10))}
}

// Random draws a well-formed value of type t. The pool may be nil.
func Random(r *rand.Rand, t *Type, pool Pool) Value {
	d := drawer{r: r, pool: pool, left: MaxWords}
	return d.value(t)
}

// A drawer draws values within a limit on their total size.
type drawer struct {
	r    *rand.Rand
	pool Pool
	left int // remaining words for lists and byte strings
	deep int // bytes values that hold values around the next value
}

func (d *drawer) value(t *Type) Value {
	v := Value{Type: t}
	switch t.Kind {
	case KindAddress:
		a := RandomAddress(d.r, d.pool)
		v.Word.SetBytes20(a[:])
	case KindBytes, KindString:
		if held, ok := d.content(t); ok {
			return held
		}
		v.Data = d.bytes(t)
	case KindFunction:
		a := RandomAddress(d.r, d.pool)
		w := RandomWord(d.r, WordType{Bits: 32, Left: true}, d.pool)
		selector := w.Bytes32()
		v.Data = append(a[:], selector[:4]...)
	case KindArray:
		v.Elems = make([]Value, t.Size)
	case KindSlice:
		each := t.Elem.words()
		v.Elems = make([]Value, min(randomLength(d.r), d.left/each))
		d.left -= len(v.Elems) * each
	case KindTuple:
		v.Elems = make([]Value, len(t.Fields))
		for i := range v.Elems {
			v.Elems[i] = d.value(t.Fields[i].Type)
		}
		direct(v.Elems)
		return v
	default:
		v.Word = RandomWord(d.r, wordTypeOf(t), d.pool)
	}
	for i := range v.Elems {
		v.Elems[i] = d.value(t.Elem)
	}
	return v
}

// randomLength prefers 0 to 3.
func randomLength(r *rand.Rand) int {
	n := r.IntN(4)
	for n < 16 && r.IntN(4) == 0 {
		n++
	}
	return n
}

func (d *drawer) bytes(t *Type) []byte {
	b := randomBytes(d.r, t, d.pool)
	if d.left < len(b)/32 {
		return nil
	}
	d.left -= len(b) / 32
	return b
}

func randomBytes(r *rand.Rand, t *Type, pool Pool) []byte {
	if pool != nil && r.IntN(3) == 0 {
		if b, ok := pool.Bytes(r); ok {
			return b
		}
	}
	n := randomLength(r)
	if r.IntN(3) == 0 { // near multiples of the word size, where layouts change
		n = 32*(1+r.IntN(3)) - 1 + r.IntN(3)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
		if t.Kind == KindString {
			b[i] = "abcdefghijklmnopqrstuvwxyz 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[b[i]%63]
		}
	}
	return b
}

// RandomActor draws one of Actors. It prefers the users; the deployer is often
// the owner, and the attacker any other account.
func RandomActor(r *rand.Rand) Actor {
	return [...]Actor{User1, User1, User1, User2, User2, Deployer, Deployer, Attacker}[r.IntN(8)]
}

// RandomSender draws a sender of f, as RandomActor if it has no Senders.
func RandomSender(r *rand.Rand, f *Function) Actor {
	if f == nil || len(f.Senders) == 0 {
		return RandomActor(r)
	}
	return f.Senders[r.IntN(len(f.Senders))]
}

// RandomTx draws a call of f at an address: arguments, wei if f is payable, and
// usually no delay.
func RandomTx(r *rand.Rand, f *Function, to common.Address, pool Pool) Tx {
	tx := Tx{From: RandomSender(r, f), To: to, Function: f, Args: make([]Value, len(f.Inputs))}
	d := drawer{r: r, pool: pool, left: MaxWords}
	for i := range tx.Args {
		tx.Args[i] = d.value(f.Inputs[i].Type)
	}
	direct(tx.Args)
	if f.Mutability == Payable && r.IntN(3) != 0 {
		tx.Value = RandomWord(r, f.wei(), pool)
	}
	if f.takesData() {
		tx.Data = randomBytes(r, &Type{Kind: KindBytes}, pool)
	}
	if r.IntN(8) == 0 {
		tx.Delay = RandomDelay(r, f, pool)
	}
	return tx
}

// RandomDelay draws a nonzero delay: a few blocks of twelve seconds, or a
// common time span.
func RandomDelay(r *rand.Rand, f *Function, pool Pool) Delay {
	const minute, hour, day = 60, 3600, 86400
	spans := [...]uint64{1, 12, minute, 10 * minute, hour, day, 7 * day, 30 * day, 365 * day, 4 * 365 * day}
	seconds := spans[r.IntN(len(spans))] + r.Uint64N(3)
	if r.IntN(4) == 0 {
		w := RandomWord(r, WordType{Bits: 33}, pool)
		seconds = max(1, w.Uint64()%MaxSeconds)
	}
	most := f.maxDelay()
	return Delay{Blocks: min(max(1, seconds/12), most.Blocks), Seconds: min(seconds, most.Seconds)}
}
