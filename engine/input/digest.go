package input

import (
	"encoding/binary"
	"math/bits"

	"github.com/holiman/uint256"
)

// Digest returns 64 bits that distinguish Sequences of one campaign, whose
// deployments differ at most in arguments and set-up calls. It is not for
// files: other versions may compute it differently.
func Digest(s Sequence) uint64 {
	d := digest(NoTxs)
	if s.Deployment != nil {
		for i := range s.Deployment.Creations {
			c := &s.Deployment.Creations[i]
			d.text(c.Name)
			d.bytes(c.Address[:])
			d.values(c.Args)
			d.word(&c.Value)
			d.txs(c.Setup)
		}
	}
	d.txs(s.Txs)
	return uint64(d)
}

// NoTxs is the digest of no transaction, from which DigestTx goes on.
const NoTxs uint64 = 0x9e3779b97f4a7c15

// DigestTx returns the digest of some transactions and tx after them, from the
// digest of the former. Sequences of one campaign that have equal transactions
// have equal digests.
func DigestTx(before uint64, tx *Tx) uint64 {
	d := digest(before)
	d.tx(tx)
	return uint64(d)
}

// DigestWords adds words to a digest, such as what an input has besides its
// transactions.
func DigestWords(before uint64, words ...[32]byte) uint64 {
	d := digest(before)
	for i := range words {
		d.bytes(words[i][:])
	}
	return uint64(d)
}

type digest uint64

// mix is the multiplication of wyhash.
func (d *digest) mix(x uint64) {
	hi, lo := bits.Mul64(uint64(*d)^x*0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	*d = digest(hi ^ lo)
}

func (d *digest) word(w *uint256.Int) {
	for _, limb := range w {
		d.mix(limb)
	}
}

func (d *digest) bytes(b []byte) {
	d.mix(uint64(len(b)))
	for ; len(b) >= 8; b = b[8:] {
		d.mix(binary.LittleEndian.Uint64(b))
	}
	var rest [8]byte
	copy(rest[:], b)
	d.mix(binary.LittleEndian.Uint64(rest[:]))
}

// text is bytes of a string; the compiler makes no copy.
func (d *digest) text(s string) { d.bytes([]byte(s)) }

func (d *digest) values(values []Value) {
	d.mix(uint64(len(values)))
	for i := range values {
		v := &values[i]
		d.word(&v.Word)
		if len(v.Data) == 0 && len(v.Elems) == 0 && v.Content == nil {
			continue // most are elementary
		}
		d.mix(more)
		d.bytes(v.Data)
		d.values(v.Elems)
		if v.Content != nil {
			d.text(v.Content.Signature)
		}
	}
}

// more stands before bytes, elements and calldata, which most values and transactions lack.
const more = 0x6c62272e07bb0142

func (d *digest) txs(txs []Tx) {
	d.mix(uint64(len(txs)))
	for i := range txs {
		d.tx(&txs[i])
	}
}

func (d *digest) tx(tx *Tx) {
	d.actor(tx.From)
	d.bytes(tx.To[:])
	if f := tx.Function; f != nil {
		d.mix(uint64(binary.LittleEndian.Uint32(f.Selector[:]))<<32 | uint64(len(f.Signature)))
		if f.Raw || f.Constructor { // the selector does not tell
			d.text(f.Signature)
		}
	}
	d.values(tx.Args)
	if len(tx.Data) > 0 {
		d.mix(more)
		d.bytes(tx.Data)
	}
	d.word(&tx.Value)
	d.mix(tx.Delay.Blocks)
	d.mix(tx.Delay.Seconds)
	if tx.Script != nil {
		d.script(tx.Script)
	}
}

func (d *digest) actor(a Actor) {
	if i := a.number(); i >= 0 {
		d.mix(uint64(i))
		return
	}
	d.mix(uint64(len(Actors)))
	d.bytes(a[:])
}

func (d *digest) script(s *Script) {
	d.mix(uint64(s.Mode) + 1)
	d.mix(uint64(len(s.Calls)))
	for i := range s.Calls {
		c := &s.Calls[i]
		d.tx(&c.Tx)
		d.mix(uint64(c.First))
		d.mix(uint64(c.Times))
	}
	d.mix(uint64(len(s.Answers)))
	for _, words := range s.Answers {
		d.mix(uint64(len(words)))
		for i := range words {
			d.word(&words[i])
		}
	}
}
