package input

import (
	"math/bits"
	"slices"

	"github.com/holiman/uint256"
)

// A ParameterKind is the part of a Tx that a Parameter is.
type ParameterKind uint8

// The kinds of Parameters.
const (
	ParamArg          ParameterKind = iota // an elementary Value or a function value
	ParamLength                            // elements of a T[], bytes of a bytes or string
	ParamChunk                             // up to 32 bytes of a bytes or string
	ParamWei                               // msg.value, of payable functions only
	ParamBlocks                            // Delay.Blocks
	ParamSeconds                           // Delay.Seconds
	ParamActor                             // From, as the index in Function.MaySend
	ParamRawLength                         // bytes of Data, of the fallback function only
	ParamRaw                               // up to 32 bytes of Data
	ParamAnswerLength                      // words of one of the Script's Answers
	ParamAnswer                            // a word of it
)

// Limits of Set. Delays cannot overflow the uint64 of a block; wei stays below
// the ether in existence, about 2^87.
const (
	MaxElements = 64
	MaxBytes    = 4096

	MaxAnswerWords = 32
	MaxBlocks      = 1 << 32
	MaxSeconds     = 1 << 33
	WeiBits        = 87
)

// A Parameter is one mutable word of a Tx. Index is its index in Parameters and
// valid as long as no length changes. A Parameter applies to every Tx of the
// same function and lengths; callers must not change Path.
type Parameter struct {
	Kind  ParameterKind
	Index int
	Call  int   // 1 + index of the Script's call whose Parameter this is, or of its answer; 0: of the Tx itself
	Path  []int // ParamArg, ParamLength, ParamChunk: from Args down
	Chunk int   // index of the chunk, for ParamChunk and ParamRaw; of the word, for ParamAnswer
	Word  WordType
	Of    *Type // type of the Value at Path; nil if there is none
}

// Parameters lists the mutable words of tx: arguments from left to right (a
// length before its elements), then msg.value, raw calldata, the two delays,
// the actor if there is more than one; then those of the Script: arguments and wei
// of its calls, and its answers. Callers must not change the list.
func Parameters(tx *Tx) []Parameter {
	if list, ok := tx.fixedParameters(); ok {
		return list
	}
	w := newWalker(tx)
	w.all(tx)
	return w.list
}

// fixedParameters returns the Parameters of tx if all transactions to its function have
// the same.
func (tx *Tx) fixedParameters() ([]Parameter, bool) {
	f := tx.Function
	if tx.Script != nil || f == nil || !f.fixed || len(tx.Args) != len(f.Inputs) {
		return nil, false
	}
	return f.params, true
}

// A Lister lists Parameters in memory that it uses again. The zero value is ready. It
// belongs to one goroutine.
type Lister struct{ walker walker }

// Of lists the Parameters of tx. The list and the Paths in it are valid until the next
// call, see Keep; callers must not change them.
func (l *Lister) Of(tx *Tx) []Parameter {
	if list, ok := tx.fixedParameters(); ok {
		return list
	}
	w := &l.walker
	w.list, w.pool, w.path, w.call = w.list[:0], w.pool[:0], w.path[:0], 0
	w.all(tx)
	return w.list
}

// Keep returns a Parameter of a Lister that stays valid.
func (p Parameter) Keep() Parameter {
	p.Path = slices.Clone(p.Path)
	return p
}

// maxDelay returns how long a transaction to f may wait.
func (f *Function) maxDelay() Delay {
	if f == nil || f.MaxDelay == nil {
		return Delay{MaxBlocks, MaxSeconds}
	}
	return *f.MaxDelay
}

// wei returns the type of the wei that a transaction to f sends. A bound that is
// no uint64 is rounded down to a power of two.
func (f *Function) wei() WordType {
	switch {
	case f.MaxWei == nil || f.MaxWei.BitLen() > WeiBits:
		return WordType{Bits: WeiBits}
	case f.MaxWei.IsUint64():
		return WordType{Bits: 64, Limit: f.MaxWei.Uint64()}
	}
	return WordType{Bits: f.MaxWei.BitLen() - 1}
}

// walkParameters lists the Parameters of a Tx but for its Script.
func walkParameters(tx *Tx) []Parameter {
	w := newWalker(tx)
	w.transaction(tx)
	return w.list
}

// all adds the Parameters of a Tx and its Script.
func (w *walker) all(tx *Tx) {
	if f := tx.Function; f != nil && f.fixed && len(tx.Args) == len(f.Inputs) {
		w.list = append(w.list, f.params...)
	} else {
		w.transaction(tx)
	}
	if tx.Script != nil {
		w.script(tx.Script)
	}
}

// transaction adds the Parameters of a Tx but for its Script.
func (w *walker) transaction(tx *Tx) {
	w.message(tx)
	f := tx.Function
	if f == nil {
		return
	}
	most := f.maxDelay()
	if most.Blocks > 0 {
		w.add(ParamBlocks, 0, WordType{Bits: 64, Limit: most.Blocks}, nil)
	}
	if most.Seconds > 0 {
		w.add(ParamSeconds, 0, WordType{Bits: 64, Limit: most.Seconds}, nil)
	}
	if last := uint64(len(f.MaySend()) - 1); last > 0 {
		w.add(ParamActor, 0, WordType{Bits: 8 * ((bits.Len64(last) + 7) / 8), Limit: last}, nil)
	}
}

// message adds the Parameters of what a call sends: arguments, wei, raw calldata.
func (w *walker) message(tx *Tx) {
	for i := range tx.Args {
		w.path = append(w.path[:0], i)
		w.value(&tx.Args[i])
	}
	w.path = w.path[:0]
	f := tx.Function
	if f == nil {
		return
	}
	if f.Mutability == Payable {
		w.add(ParamWei, 0, f.wei(), nil)
	}
	if f.takesData() {
		w.add(ParamRawLength, 0, WordType{Bits: 64, Limit: MaxBytes}, nil)
		w.chunks(ParamRaw, len(tx.Data), nil)
	}
}

type walker struct {
	list []Parameter
	call int // of the Script; 0: of the Tx itself
	path []int
	pool []int // backing of the Paths
}

// newWalker returns a walker with room for all Parameters.
func newWalker(tx *Tx) walker {
	count, steps := len(tx.Data)/32+6, 0
	for i := range tx.Args {
		c, n := tx.Args[i].room(1)
		count, steps = count+c, steps+n
	}
	return walker{list: make([]Parameter, 0, count), pool: make([]int, 0, steps)}
}

// room returns how many Parameters a value has at most, and the length of all of
// their Paths.
func (v *Value) room(depth int) (count, steps int) {
	count = 1
	if n := len(v.Data); n > 0 {
		count += n/32 + 2
	}
	steps = count * depth
	for i := range v.Elems {
		c, n := v.Elems[i].room(depth + 1)
		count, steps = count+c, steps+n
	}
	return count, steps
}

func (w *walker) add(kind ParameterKind, chunk int, word WordType, of *Type) {
	p := Parameter{Kind: kind, Index: len(w.list), Call: w.call, Chunk: chunk, Word: word, Of: of}
	if len(w.path) > 0 {
		start := len(w.pool)
		w.pool = append(w.pool, w.path...)
		p.Path = w.pool[start:len(w.pool):len(w.pool)]
	}
	w.list = append(w.list, p)
}

func (w *walker) value(v *Value) {
	switch v.Type.Kind {
	case KindBytes, KindString:
		if v.Content != nil {
			break
		}
		w.add(ParamLength, 0, WordType{Bits: 64, Limit: MaxBytes}, v.Type)
		w.chunks(ParamChunk, len(v.Data), v.Type)
		return
	case KindSlice:
		w.add(ParamLength, 0, WordType{Bits: 64, Limit: MaxElements}, v.Type)
	case KindArray, KindTuple:
	default:
		w.add(ParamArg, 0, wordTypeOf(v.Type), v.Type)
		return
	}
	for i := range v.Elems {
		w.path = append(w.path, i)
		w.value(&v.Elems[i])
		w.path = w.path[:len(w.path)-1]
	}
}

func (w *walker) chunks(kind ParameterKind, size int, of *Type) {
	for i, at := 0, 0; at < size; i++ {
		start, end := chunkRange(size, i)
		w.add(kind, i, WordType{Bits: 8 * (end - start), Left: true}, of)
		at = end
	}
}

// chunkRange is the position of the ith word of size bytes. Data of whole words
// plus 4 bytes is taken for an encoded call: its first chunk is the selector,
// so that the other chunks are the arguments.
func chunkRange(size, i int) (start, end int) {
	shift := 0
	if size%32 == 4 {
		if i == 0 {
			return 0, 4
		}
		shift = 28
	}
	return 32*i - shift, min(32*i-shift+32, size)
}

// Get returns the word of p in tx, as in the encoding.
func Get(tx *Tx, p *Parameter) (w uint256.Int) {
	switch p.Kind {
	case ParamAnswer:
		return tx.Script.Answers[p.Call-1][p.Chunk]
	case ParamAnswerLength:
		w.SetUint64(uint64(len(tx.Script.Answers[p.Call-1])))
		return w
	}
	tx = CallOf(tx, p)
	switch p.Kind {
	case ParamArg:
		v := tx.At(p.Path)
		if v.Type.Kind != KindFunction {
			return v.Word
		}
		setLeft(&w, v.Data)
	case ParamLength:
		v := tx.At(p.Path)
		w.SetUint64(uint64(len(v.Data) + len(v.Elems)))
	case ParamChunk:
		getChunk(&w, tx.At(p.Path).Data, p.Chunk)
	case ParamWei:
		w = tx.Value
	case ParamBlocks:
		w.SetUint64(tx.Delay.Blocks)
	case ParamSeconds:
		w.SetUint64(tx.Delay.Seconds)
	case ParamActor:
		w = senderWord(tx)
	case ParamRawLength:
		w.SetUint64(uint64(len(tx.Data)))
	case ParamRaw:
		getChunk(&w, tx.Data, p.Chunk)
	}
	return w
}

// senderWord is the index of the sender in Function.MaySend. Another sender has
// the index after the last, which Set never writes.
func senderWord(tx *Tx) (w uint256.Int) {
	index, ok := tx.Function.Sender(tx.From.Address())
	if !ok {
		index = uint64(len(tx.Function.MaySend()))
	}
	w.SetUint64(index)
	return w
}

func setLeft(w *uint256.Int, data []byte) {
	w.SetBytes(data)
	w.Lsh(w, uint(256-8*len(data)))
}

func getChunk(w *uint256.Int, data []byte, chunk int) {
	if start, end := chunkRange(len(data), chunk); start < end {
		setLeft(w, data[start:end])
	}
}

// Has reports whether p, a Parameter of a Tx of the same function, is one of tx: where a
// list is shorter, some elements are none.
func (tx *Tx) Has(p *Parameter) bool {
	if p.ofAnswer() {
		return tx.Script != nil && p.Call <= len(tx.Script.Answers) &&
			(p.Kind == ParamAnswerLength || p.Chunk < len(tx.Script.Answers[p.Call-1]))
	}
	if p.Call > 0 {
		if tx.Script == nil || p.Call > len(tx.Script.Calls) {
			return false
		}
		tx = CallOf(tx, p)
	}
	values := tx.Args
	for _, i := range p.Path {
		if i >= len(values) {
			return false
		}
		values = values[i].Elems
	}
	return true
}

// Set returns a copy of tx with p set to w, wrapped into p's range. A length
// that grows repeats the last element, or adds zeros if there is none; one that
// shrinks truncates.
func Set(tx *Tx, p *Parameter, w uint256.Int) Tx {
	w = p.Word.Wrap(&w)
	if p.Call > 0 {
		return tx.setScript(p, w)
	}
	out := *tx
	switch p.Kind {
	case ParamArg, ParamLength, ParamChunk:
		out.Args = replaceAt(tx.Args, p.Path, func(v Value) Value { return setIn(v, p, &w, tx) })
	case ParamWei:
		out.Value = w
	case ParamBlocks:
		out.Delay.Blocks = w.Uint64()
	case ParamSeconds:
		out.Delay.Seconds = w.Uint64()
	case ParamActor:
		out.From = tx.Function.MaySend()[w.Uint64()]
	case ParamRawLength:
		out.Data = resize(tx.Data, int(w.Uint64()))
	case ParamRaw:
		out.Data = setChunk(tx.Data, p.Chunk, &w)
	}
	return out
}

func setIn(v Value, p *Parameter, w *uint256.Int, tx *Tx) Value {
	switch {
	case p.Kind == ParamChunk:
		v.Data = setChunk(v.Data, p.Chunk, w)
	case p.Kind == ParamLength && v.Type.Kind == KindSlice:
		v.Elems = resizeElems(v.Elems, v.Type.Elem, int(w.Uint64()), tx)
	case p.Kind == ParamLength:
		v.Data = resize(v.Data, min(int(w.Uint64()), len(v.Data)+32*room(tx)))
	case v.Type.Kind == KindFunction:
		b := w.Bytes32()
		v.Data = b[:24]
	default:
		v.Word = *w
	}
	return v
}

func setChunk(data []byte, chunk int, w *uint256.Int) []byte {
	data = slices.Clone(data)
	if start, end := chunkRange(len(data), chunk); start < end {
		b := w.Bytes32()
		copy(data[start:end], b[:])
	}
	return data
}

func resize(data []byte, n int) []byte {
	out := make([]byte, n)
	copy(out, data)
	return out
}

func resizeElems(elems []Value, t *Type, n int, tx *Tx) []Value {
	out := make([]Value, n)
	k := copy(out, elems)
	fill := Value{}
	if k > 0 {
		fill = out[k-1] // immutable, so its parts can be shared
	} else if n > 0 {
		fill = Zero(t)
	}
	if n > k {
		n = max(k, min(n, k+room(tx)/fill.words()))
		out = out[:n]
	}
	for i := k; i < n; i++ {
		out[i] = fill
	}
	return out
}

// MaxWords bounds the words in the arguments of one Tx beyond the minimum of
// their types. Without it, nested lists would grow exponentially.
const MaxWords = 1024

// room is the number of words by which the arguments of tx may grow.
func room(tx *Tx) int {
	return max(0, maxWords(tx.Function)-Words(tx.Args))
}

// Oversized reports whether the arguments of tx exceed MaxWords, or hold values within
// values deeper than Random draws them.
func (tx *Tx) Oversized() bool {
	return Words(tx.Args) > maxWords(tx.Function) || deep(tx.Args) > maxDeep
}

// deep returns how many bytes values that hold values are within each other.
func deep(values []Value) int {
	most := 0
	for i := range values {
		n := deep(values[i].Elems)
		if values[i].Content != nil {
			n++
		}
		most = max(most, n)
	}
	return most
}

func maxWords(f *Function) int {
	if f == nil {
		return MaxWords
	}
	return MaxWords + f.least
}

// Words is the size of values: elements, lists and structs themselves, and
// words of byte strings.
func Words(values []Value) int {
	n := 0
	for i := range values {
		n += values[i].words()
	}
	return n
}

func (v *Value) words() int { return 1 + len(v.Data)/32 + Words(v.Elems) }
