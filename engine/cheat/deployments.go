package cheat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"leveret/engine/input"
	"leveret/solc/trust"
)

// summaryType is Vm.BroadcastTxSummary: hash, kind, created contract, block, success.
const summaryType = "(bytes32,uint8,address,uint64,bool)"

var deploymentRows = []row{
	{"getBroadcast(string,uint64,uint8)", "(" + summaryType + ")", (*call).getBroadcast, "returns the latest transaction of a kind that a script broadcast for a contract on a chain"},
	{"getBroadcasts(string,uint64,uint8)", "(" + summaryType + "[])", (*call).getBroadcasts, "returns the transactions of a kind that scripts broadcast for a contract on a chain, the latest first"},
	{"getBroadcasts(string,uint64)", "(" + summaryType + "[])", (*call).getBroadcasts, "returns the transactions that scripts broadcast for a contract on a chain, the latest first"},
	{"getDeployment(string)", "(address)", (*call).getDeployment, "returns where scripts deployed a contract last on this chain"},
	{"getDeployment(string,uint64)", "(address)", (*call).getDeployment, "returns where scripts deployed a contract last on a chain"},
	{"getDeployments(string,uint64)", "(address[])", (*call).getDeployments, "returns where scripts deployed a contract on a chain, the latest first"},
}

// A broadcastRecord is what `forge script --broadcast` writes of one run on one chain
// (crates/script-sequence of Foundry).
type broadcastRecord struct {
	Transactions []struct {
		Hash     *common.Hash
		Kind     string          `json:"transactionType"`
		Name     string          `json:"contractName"`
		Contract *common.Address `json:"contractAddress"`
	}
	Receipts []struct {
		Hash   common.Hash     `json:"transactionHash"`
		Block  *hexutil.Uint64 `json:"blockNumber"`
		Status *hexutil.Uint64
	}
	Timestamp, Chain *uint64
}

// broadcastKinds are the kinds of transactions, as Vm.BroadcastTxType numbers them.
var broadcastKinds = []string{"CALL", "CREATE", "CREATE2"}

var errNoBroadcast = errors.New("no broadcasts found")

// A broadcastTx is a transaction with a receipt.
type broadcastTx struct {
	hash     common.Hash
	kind     int
	contract common.Address
	block    uint64
	success  bool
}

// A broadcastQuery selects transactions.
type broadcastQuery struct {
	name  string
	chain uint64
	kinds []string // none: all
}

func (q *broadcastQuery) wants(name, kind string) bool {
	return name == q.name && (len(q.kinds) == 0 || slices.Contains(q.kinds, kind))
}

// of returns the transactions of a record, the latest first. Those without a receipt
// are left out.
func (q *broadcastQuery) of(r *broadcastRecord) (list []broadcastTx) {
	for i := range r.Transactions {
		tx := &r.Transactions[i]
		kind := slices.Index(broadcastKinds, tx.Kind)
		if kind < 0 || tx.Hash == nil || !q.wants(tx.Name, tx.Kind) {
			continue
		}
		for k := range r.Receipts {
			receipt := &r.Receipts[k]
			if receipt.Hash != *tx.Hash {
				continue
			}
			made := broadcastTx{hash: *tx.Hash, kind: kind, success: receipt.Status != nil && *receipt.Status == 1}
			if tx.Contract != nil {
				made.contract = *tx.Contract
			}
			if receipt.Block != nil {
				made.block = uint64(*receipt.Block)
			}
			list = append(list, made)
			break
		}
	}
	slices.SortStableFunc(list, func(a, b broadcastTx) int { return cmp.Compare(b.block, a.block) })
	return list
}

// suits reports whether a record is of the chain and has a transaction that is wanted.
func (q *broadcastQuery) suits(r *broadcastRecord) bool {
	if *r.Chain != q.chain {
		return false
	}
	for i := range r.Transactions {
		if q.wants(r.Transactions[i].Name, r.Transactions[i].Kind) {
			return true
		}
	}
	return false
}

// records returns the records that suit, the latest first.
func (c *call) records(q *broadcastQuery) ([]broadcastRecord, error) {
	h, err := c.host()
	if err != nil {
		return nil, err
	}
	root, err := h.Broadcasts()
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil, errors.New("broadcast dir does not exist or is not a directory")
	}
	reader := recordReader{root: root, mostFiles: maxEntries, mostBytes: maxFile}
	if err := filepath.WalkDir(root, reader.visit); err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(reader.records, func(r broadcastRecord) bool { return !q.suits(&r) })
	slices.SortStableFunc(list, func(a, b broadcastRecord) int { return cmp.Compare(*b.Timestamp, *a.Timestamp) })
	return list, nil
}

// A recordReader reads the records below a folder. It follows no links.
type recordReader struct {
	root                 string
	mostFiles, mostBytes int // that are left
	records              []broadcastRecord
}

// visit is a fs.WalkDirFunc.
func (r *recordReader) visit(path string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if r.mostFiles--; r.mostFiles < 0 {
		return fmt.Errorf("the broadcast folder %s has more than %d files; remove those of old runs", r.root, maxEntries)
	}
	rel, err := filepath.Rel(r.root, path)
	if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".json" {
		return err
	}
	names := strings.Split(rel, string(filepath.Separator))
	if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, "-latest") }) {
		return nil // a copy
	}
	data, err := trust.ReadRegular(path, maxFile)
	if err != nil {
		return err
	}
	if r.mostBytes -= len(data); r.mostBytes < 0 {
		return fmt.Errorf("the files of the broadcast folder %s have more than %d MB; remove those of old runs", r.root, maxFile>>20)
	}
	if err := trust.JSONError(r.read(data, slices.Contains(names, "multi"))); err != nil {
		return fmt.Errorf("the broadcast file %s cannot be read: %w; remove it, or broadcast again", rel, err)
	}
	return nil
}

// read adds the record in a file, or those of several chains.
func (r *recordReader) read(data []byte, several bool) error {
	if several {
		var all struct{ Deployments json.RawMessage }
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		var list []broadcastRecord
		if json.Unmarshal(all.Deployments, &list) == nil && !slices.ContainsFunc(list, func(one broadcastRecord) bool { return one.check() != nil }) {
			r.records = append(r.records, list...) // forge leaves others out, too
		}
		return nil
	}
	var one broadcastRecord
	if err := json.Unmarshal(data, &one); err != nil {
		return err
	}
	r.records = append(r.records, one)
	return one.check()
}

// check reports what a record lacks.
func (r *broadcastRecord) check() error {
	for _, field := range []struct {
		name string
		has  bool
	}{
		{"transactions", r.Transactions != nil}, {"receipts", r.Receipts != nil}, {"timestamp", r.Timestamp != nil}, {"chain", r.Chain != nil},
	} {
		if !field.has {
			return fmt.Errorf("it lacks %q", field.name)
		}
	}
	return nil
}

// latest returns the latest transaction that suits.
func (c *call) latest(q *broadcastQuery) (latest broadcastTx, err error) {
	records, err := c.records(q)
	if err != nil {
		return latest, err
	}
	if len(records) == 0 {
		return latest, errNoBroadcast
	}
	last := 0 // of those with the latest time, forge takes the last one
	for last+1 < len(records) && *records[last+1].Timestamp == *records[0].Timestamp {
		last++
	}
	if list := q.of(&records[last]); len(list) > 0 {
		return list[0], nil
	}
	return latest, fmt.Errorf("no deployment found for %s on chain %d", q.name, q.chain)
}

// all returns all transactions that suit.
func (c *call) all(q *broadcastQuery) (list []broadcastTx, err error) {
	records, err := c.records(q)
	for i := range records {
		list = append(list, q.of(&records[i])...)
	}
	return list, err
}

// asked returns the transactions that the arguments select.
func (c *call) asked() (*broadcastQuery, error) {
	q := &broadcastQuery{name: c.text(0), chain: c.state.Block().ChainID}
	if len(c.args) > 1 {
		q.chain = c.number(1)
	}
	if len(c.args) > 2 {
		kind := c.number(2)
		if kind >= uint64(len(broadcastKinds)) {
			return nil, fmt.Errorf("%d is no kind of a broadcast transaction; they are 0 to %d", kind, len(broadcastKinds)-1)
		}
		q.kinds = broadcastKinds[kind : kind+1]
	}
	return q, nil
}

// summary returns a transaction as the struct Vm.BroadcastTxSummary.
func (tx *broadcastTx) summary(t *input.Type) input.Value {
	return tupleValue(t, hashValue(tx.hash), numberValue(uint64(tx.kind)), addressValue(tx.contract), numberValue(tx.block), boolValue(tx.success))
}

func (c *call) getBroadcast() error {
	q, err := c.asked()
	if err != nil {
		return err
	}
	tx, err := c.latest(q)
	return c.giveOne(tx.summary(c.code.outputs[0].Type), err)
}

func (c *call) getBroadcasts() error {
	q, err := c.asked()
	if err != nil {
		return err
	}
	txs, err := c.all(q)
	if err != nil {
		return err
	}
	each := c.code.outputs[0].Type.Elem
	list := listValue(each, nil)
	for i := range txs {
		list.Elems = append(list.Elems, txs[i].summary(each))
	}
	return c.give(list)
}

func (c *call) getDeployment() error {
	q, err := c.asked()
	if err != nil {
		return err
	}
	q.kinds = broadcastKinds[1:]
	tx, err := c.latest(q)
	return c.giveOne(addressValue(tx.contract), err)
}

func (c *call) getDeployments() error {
	q, err := c.asked()
	if err != nil {
		return err
	}
	q.kinds = broadcastKinds[1:]
	txs, err := c.all(q)
	if err != nil {
		return err
	}
	list := listValue(addressType, nil)
	for _, tx := range txs {
		list.Elems = append(list.Elems, addressValue(tx.contract))
	}
	return c.give(list)
}
