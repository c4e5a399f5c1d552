package attack

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/direct"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/program"
	"leveret/engine/search"
)

// Deposits puts deposits of other actors before a known sequence: whether a
// contract has wei or tokens is not in its storage, so demand does not ask for it.
type Deposits struct {
	search     *search.Search
	guide      *direct.Guide
	privileged search.Actors
	noDemand   bool
	payers     []input.Tx   // transactions that paid wei in
	tokens     [][]input.Tx // transactions of one sender, approvals and one that paid tokens in
}

// maxPayers bounds the remembered payments, of wei and of tokens.
const maxPayers = 16

// maxPaymentsOf bounds the payments of tokens by one function: the first may be of no use later.
const maxPaymentsOf = 2

// maxApprovals bounds the approvals of a payment; the newest ones count.
const maxApprovals = 2

// learn remembers a transaction that paid wei or tokens in. It reports whether it is new.
func (d *Deposits) learn(r *search.Result) bool {
	if !r.Succeeded() {
		return false
	}
	if r.Shows(cover.Deposited) && d.learnTokens(r.Sequence.Txs) {
		return true
	}
	last := r.Sequence.Last()
	if last.Value.IsZero() || len(d.payers) >= maxPayers ||
		slices.ContainsFunc(d.payers, func(tx input.Tx) bool { return tx.Function == last.Function && tx.To == last.To }) {
		return false
	}
	d.payers = append(d.payers, *last)
	return true
}

// learnTokens remembers the last transaction, which paid tokens in, with its sender's
// approvals.
func (d *Deposits) learnTokens(txs []input.Tx) bool {
	last := &txs[len(txs)-1]
	of := 0
	for _, payment := range d.tokens {
		paid := &payment[len(payment)-1]
		switch {
		case paid.Function != last.Function || paid.To != last.To:
		case bytes.Equal(paid.Calldata(), last.Calldata()):
			return false
		default:
			of++
		}
	}
	if len(d.tokens) >= maxPayers || last.Function == nil || last.Script.Reenters() || of >= maxPaymentsOf {
		return false
	}
	var payment []input.Tx
	for _, tx := range txs[:len(txs)-1] {
		if tx.From == last.From && tx.Function.Approves() {
			payment = append(payment, tx)
		}
	}
	payment = payment[max(0, len(payment)-maxApprovals):]
	d.tokens = append(d.tokens, append(payment, *last))
	return true
}

// Next puts a deposit before an entry, one time in three with an unprivileged
// actor in the sender's place.
func (d *Deposits) Next() *search.Candidate {
	random := d.search.Generator.Random
	if len(d.search.Corpus.Entries) == 0 {
		return nil
	}
	e := d.guide.AnyEntry(d.search.Corpus, random)
	s, entitled := e.Sequence, false
	if none := len(d.payers)+len(d.tokens) == 0; none || random.IntN(3) == 0 {
		if s, entitled = d.entitle(e); none && !entitled {
			return nil
		}
	}
	s = d.add(s)
	if random.IntN(4) == 0 {
		s = s.Insert(len(s.Txs), *s.Last())
	}
	return d.search.Corpus.Child(e, s, mutate.Diff{First: 0, Shape: true})
}

// entitle lets an unprivileged actor do what e does, after transactions that may
// entitle it: where the deployer is let through, no path shows that others can
// be.
func (d *Deposits) entitle(e *corpus.Entry) (input.Sequence, bool) {
	if d.noDemand || !e.Success {
		return e.Sequence, false
	}
	generator := d.search.Generator
	s, ok := generator.Demand.Precede(generator.Random, e.Sequence, e.Reads)
	if !ok {
		return e.Sequence, false
	}
	return d.byOneActor(s), true
}

// add puts deposits of others before s: what the attacker may take has to come
// from somebody. Some contracts pay only those who paid, and only as much; so
// half of the time the last sender pays in too, and half of the time asks for
// that amount.
func (d *Deposits) add(s input.Sequence) input.Sequence {
	payers := slices.Clone(d.payers)
	for i := range s.Txs {
		if !s.Txs[i].Value.IsZero() {
			payers = append(payers, s.Txs[i])
		}
	}
	random := d.search.Generator.Random
	if len(d.tokens) > 0 && random.IntN(len(payers)+len(d.tokens)) >= len(payers) {
		return d.addTokens(s)
	}
	if len(payers) == 0 {
		return s
	}
	if random.IntN(3) == 0 {
		s = d.byOneActor(s)
	}
	tx := payers[random.IntN(len(payers))]
	others := slices.DeleteFunc(d.strangers(tx.Function), func(a input.Actor) bool { return a == s.Last().From })
	if len(others) == 0 {
		return s
	}
	tx.From = others[random.IntN(len(others))]
	tx.Script, tx.Delay = nil, input.Delay{}
	tx.Value.Lsh(&tx.Value, uint(random.IntN(4)))
	switch ether := uint256.NewInt(1e18); random.IntN(4) {
	case 0:
		tx.Value = *ether
	case 1: // contracts pay out amounts in ether
		tx.Value.Lsh(ether, uint(random.IntN(5)))
	}
	last := *s.Last()
	claim := uint256.Int{}
	if own := tx; random.IntN(2) == 0 {
		own.From, claim = last.From, tx.Value
		s = s.Insert(0, d.addressed(own, uint256.Int{}))
	}
	if random.IntN(2) == 0 {
		s = s.WithTx(len(s.Txs)-1, d.addressed(last, claim))
	}
	return d.after([]input.Tx{tx}, s, 8) // most small numbers are amounts of wei
}

// after puts payments, with their approvals, before s. Once in odds times, small numbers that s
// asks for are higher by one for each: lists to which everybody adds count what they hold.
func (d *Deposits) after(payments []input.Tx, s input.Sequence, odds int) input.Sequence {
	if d.search.Generator.Random.IntN(odds) == 0 {
		var more uint256.Int
		for _, tx := range payments {
			if !tx.Function.Approves() {
				more.AddUint64(&more, 1)
			}
		}
		s.Txs = slices.Clone(s.Txs)
		for i := range s.Txs {
			s.Txs[i] = withArgs(s.Txs[i], func(_ int, v *input.Value) {
				if v.Type.Kind == input.KindUint && v.Word.LtUint64(maxCounted) {
					v.Word = v.Type.WordType().Wrap(v.Word.Add(&v.Word, &more))
				}
			})
		}
	}
	s.Txs = slices.Concat(payments, s.Txs)
	return s
}

// maxCounted bounds the numbers that may be of a list's element.
const maxCounted = 256

// addTokens puts a payment of tokens by another account than the last sender before s, or
// approvals alone, with the account's address where s has the sender's. As in add, the last sender may pay in too.
func (d *Deposits) addTokens(s input.Sequence) input.Sequence {
	random := d.search.Generator.Random
	if random.IntN(3) == 0 {
		s = d.byOneActor(s)
	}
	payment := d.tokens[random.IntN(len(d.tokens))]
	last := *s.Last()
	others := slices.DeleteFunc(d.strangers(payment[len(payment)-1].Function), func(a input.Actor) bool { return a == last.From })
	if len(others) == 0 {
		return s
	}
	other := others[random.IntN(len(others))]
	first := input.SentBy(payment, other)
	switch approvals := len(payment) - 1; {
	case approvals > 0 && random.IntN(4) == 0:
		first, s.Txs = first[:approvals], slices.Clone(s.Txs)
		for i := range s.Txs {
			s.Txs[i].Args, _ = input.Renamed(s.Txs[i].Args, last.From.Address(), other.Address())
		}
	case random.IntN(2) == 0:
		first = append(first, input.SentBy(payment, last.From)...)
	}
	if random.IntN(2) == 0 {
		s = s.WithTx(len(s.Txs)-1, d.claiming(*s.Last(), payment))
	}
	return d.after(first, s, 3)
}

// takes returns ways in which another account may take the newest payment of tokens, in one
// transaction like those that example makes: if it paid as much or nothing, asking for the number of a
// payment, for an amount, or for a call of the token.
func (d *Deposits) takes(example func() input.Tx) (list []input.Sequence) {
	payment := d.tokens[len(d.tokens)-1]
	payers := d.strangers(payment[len(payment)-1].Function)
	for i, own := range []bool{false, true} {
		for ask := range 4 {
			tx := example()
			takers := d.strangers(tx.Function)
			if len(takers) == 0 || len(payers) == 0 {
				return nil
			}
			tx.From, tx.Script = takers[d.search.Generator.Random.IntN(len(takers))], nil
			payer := payers[0]
			if payer == tx.From {
				payer = payers[len(payers)-1]
			}
			txs := input.SentBy(payment, payer)
			if own {
				txs = append(txs, input.SentBy(payment, tx.From)...)
			}
			switch ask {
			case 0, 1: // lists begin with 0 or 1
				tx = asking(tx, uint256.NewInt(uint64(i+ask)), tokenOf(payment))
			case 2:
				tx = d.claiming(tx, payment)
			case 3:
				tx = d.calling(tx, payment)
			}
			list = append(list, input.Sequence{Deployment: d.search.Subject.Deployment.Record, Txs: append(txs, tx)})
		}
	}
	return list
}

// maxPlannedPayments bounds what payments returns.
const maxPlannedPayments = 128

// payments returns transactions that may pay tokens, as by a function of the contract under test, each
// after an approval: whether the called token is one does not show in a path.
func (d *Deposits) payments() (list []input.Sequence) {
	subject, generator := d.search.Subject, d.search.Generator
	for _, token := range subject.Callees {
		if token.Function.Signature != "approve(address,uint256)" || token.Contract == subject.Program.UnderTest {
			continue
		}
		for _, callee := range subject.Callees {
			payers := d.strangers(callee.Function)
			if callee.Function.Constant() || callee.Contract != subject.Program.UnderTest || len(payers) == 0 || len(list) >= maxPlannedPayments {
				continue
			}
			for i, amount := range []*uint256.Int{uint256.NewInt(1000), uint256.NewInt(1e18)} {
				approval, tx := generator.NewTx(token.Callee), generator.NewTx(callee.Callee)
				tx.From, tx.Script = payers[i%len(payers)], nil
				approval.From, approval.Script = tx.From, nil
				approval.Args = []input.Value{input.NewAddress(tx.To), input.NewWord(approval.Args[1].Type, new(uint256.Int).Not(new(uint256.Int)))}
				tx = withArgs(asking(tx, amount, token.Address), func(k int, v *input.Value) {
					if v.Type.Kind == input.KindAddress && (k == 0 || i > 0) {
						*v = input.NewAddress(token.Address)
					}
				})
				list = append(list, input.Sequence{Deployment: subject.Deployment.Record, Txs: []input.Tx{approval, tx}})
			}
		}
	}
	return list
}

// asking returns a transaction with a number in the place of all others, a token in the place of
// contracts, and its sender in the place of other addresses.
func asking(tx input.Tx, n *uint256.Int, token common.Address) input.Tx {
	return withArgs(tx, func(i int, v *input.Value) {
		switch {
		case v.Type.Kind == input.KindUint:
			v.Word = v.Type.WordType().Wrap(n)
		case v.Type.Kind == input.KindAddress && program.IsContractType(tx.Function.Inputs[i].InternalType):
			*v = input.NewAddress(token)
		case v.Type.Kind == input.KindAddress:
			*v = input.NewAddress(tx.From.Address())
		}
	})
}

// withArgs returns a transaction with arguments of its own, which change is called with.
func withArgs(tx input.Tx, change func(i int, v *input.Value)) input.Tx {
	tx.Args = slices.Clone(tx.Args)
	for i := range tx.Args {
		change(i, &tx.Args[i])
	}
	return tx
}

// claiming is addressed with amounts of a payment, the token's address in the place of some others,
// and a transfer of the token to the sender in the place of some bytes.
func (d *Deposits) claiming(tx input.Tx, payment []input.Tx) input.Tx {
	random := d.search.Generator.Random
	var amount uint256.Int
	for _, v := range payment[len(payment)-1].Args {
		if v.Type.Kind == input.KindUint && random.IntN(2) == 0 {
			amount = v.Word
		}
	}
	tx = d.addressed(tx, amount)
	token := tokenOf(payment)
	if token == (common.Address{}) {
		return tx
	}
	return withArgs(tx, func(_ int, v *input.Value) {
		switch {
		case v.Type.Kind == input.KindAddress && random.IntN(3) == 0:
			*v = input.NewAddress(token)
		case v.Type.Kind == input.KindBytes && random.IntN(2) == 0:
			d.transfer(v, token, tx.From, &amount)
		}
	})
}

// tokenOf returns the token of a payment; zero if it needs no approval, so that the token does not show.
func tokenOf(payment []input.Tx) (token common.Address) {
	if len(payment) > 1 {
		token = payment[0].To
	}
	return token
}

// calling returns a transaction with the token of a payment in the place of all addresses, and a transfer
// of what is paid to the sender in the place of all bytes.
func (d *Deposits) calling(tx input.Tx, payment []input.Tx) input.Tx {
	token := tokenOf(payment)
	if token == (common.Address{}) {
		return tx
	}
	var amount uint256.Int
	for _, v := range payment[len(payment)-1].Args {
		if v.Type.Kind == input.KindUint {
			amount = v.Word
		}
	}
	return withArgs(tx, func(_ int, v *input.Value) {
		switch v.Type.Kind {
		case input.KindAddress:
			*v = input.NewAddress(token)
		case input.KindBytes:
			d.transfer(v, token, tx.From, &amount)
		}
	})
}

// transfer sets bytes to a call that transfers an amount of a token, if the token is known to have the
// function.
func (d *Deposits) transfer(v *input.Value, token common.Address, to input.Actor, amount *uint256.Int) {
	for _, callee := range d.search.Subject.Callees {
		if callee.Address != token || callee.Function.Signature != "transfer(address,uint256)" {
			continue
		}
		content := input.EncodedCallOf(callee.Function)
		content.To = token
		*v = content.Holding(v.Type)
		v.Elems[0], v.Elems[1].Word = input.NewAddress(to.Address()), *amount
		if amount.IsZero() {
			v.Elems[1].Word.SetOne()
		}
	}
}

// byOneActor lets one unprivileged actor send every transaction of s.
func (d *Deposits) byOneActor(s input.Sequence) input.Sequence {
	from := s.Last().From
	if strangers := d.strangers(s.Last().Function); d.privileged.Has(from) && len(strangers) > 0 {
		from = strangers[d.search.Generator.Random.IntN(len(strangers))]
	}
	s.Txs = slices.Clone(s.Txs)
	for i := range s.Txs {
		tx := &s.Txs[i]
		if _, may := tx.Function.Sender(from.Address()); may {
			tx.From = from
		}
		*tx = d.addressed(*tx, uint256.Int{})
	}
	return s
}

// strangers lists the senders of f but the deployer and, if f has Senders of its
// own, the privileged.
func (d *Deposits) strangers(f *input.Function) []input.Actor {
	if f == nil || len(f.Senders) == 0 {
		return []input.Actor{input.User1, input.User2, input.Attacker}
	}
	return slices.DeleteFunc(slices.Clone(f.Senders), d.privileged.Has)
}

// addressed replaces most address arguments of a transaction by its sender, and
// most numbers by an amount unless it is zero.
func (d *Deposits) addressed(tx input.Tx, amount uint256.Int) input.Tx {
	return withArgs(tx, func(_ int, v *input.Value) {
		switch {
		case d.search.Generator.Random.IntN(4) == 0:
		case v.Type.Kind == input.KindAddress:
			*v = input.NewAddress(tx.From.Address())
		case v.Type.Kind == input.KindUint && !amount.IsZero():
			v.Word = v.Type.WordType().Wrap(&amount)
		}
	})
}
