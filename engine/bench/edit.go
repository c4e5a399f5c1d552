package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// An edit inserts a line with a bug behind a narrow condition into one function
// of a real contract.
type edit struct {
	file, contract string // to fuzz, relative to the list of real contracts
	source         string // to edit, also relative
	function       string // the edited one; edits before it in the source do not match
	after          string // end of the line before the new one
	line           string
}

// edits have conditions on an argument, on arguments and state, on earlier
// calls of other functions, and one on a hash, which needs random search. They
// were not selected by results.
var edits = []edit{
	{"node_modules/canonical-weth/contracts/WETH9.sol", "WETH9", "node_modules/canonical-weth/contracts/WETH9.sol",
		"function withdraw", "balanceOf[msg.sender] -= wad;", "assert(wad % 1009 != 577 || balanceOf[msg.sender] < wad);"},
	{"contracts/SolmateVault.sol", "SolmateVault", "node_modules/solmate/src/tokens/ERC4626.sol",
		"function withdraw", "beforeWithdraw(assets, shares);", "assert(assets - shares / 2 != 777777);"},
	{"contracts/Pair.sol", "Pair", "node_modules/@uniswap/v2-core/contracts/UniswapV2ERC20.sol",
		"function permit", "require(deadline >= block.timestamp, 'UniswapV2: EXPIRED');", "assert((value ^ deadline) != 0x123456789abcdef);"},
	{"contracts/Splitter.sol", "Splitter", "node_modules/openzeppelin-4/finance/PaymentSplitter.sol",
		"function release(address payable", "\"PaymentSplitter: account is not due payment\");", "assert(payment % 997 != 123);"},
	{"node_modules/@ensdomains/ens/contracts/ENSRegistry.sol", "ENSRegistry", "node_modules/@ensdomains/ens/contracts/ENSRegistry.sol",
		"function setTTL", "emit NewTTL(node, ttl);", "assert(ttl / 3600 != 4321 || records[node].ttl == 0);"},
	{"contracts/Authority.sol", "Authority", "node_modules/solmate/src/auth/authorities/MultiRolesAuthority.sol",
		"function setUserRole", "requiresAuth {", "assert(!(role > 200 && enabled && uint8(uint160(user)) == role));"},
	{"contracts/Voting.sol", "Voting", "node_modules/@openzeppelin/contracts/governance/utils/Votes.sol",
		"function _moveDelegateVotes", "if (from != to && amount > 0) {", "assert(amount % 65537 != 4711 || from == address(0));"},
	{"contracts/Crowdsale5.sol", "Crowdsale5", "node_modules/openzeppelin-2/contracts/crowdsale/Crowdsale.sol",
		"function buyTokens", "_getTokenAmount(weiAmount);", "assert(tokens / 7 % 1009 != 424);"},
	{"contracts/OldToken.sol", "OldToken", "node_modules/openzeppelin-3/token/ERC20/ERC20.sol",
		"function decreaseAllowance", "returns (bool) {", "assert(uint256(keccak256(abi.encode(subtractedValue))) % 499 != 77);"},
	{"contracts/Items.sol", "Items", "node_modules/@openzeppelin/contracts/token/ERC1155/ERC1155.sol",
		"function safeBatchTransferFrom", "address sender = _msgSender();", "assert(ids.length < 3 || ids[0] + ids[2] != 2 * ids[1] + 1000);"},
	{"node_modules/@gnosis.pm/conditional-tokens-contracts/contracts/ConditionalTokens.sol", "ConditionalTokens",
		"node_modules/@gnosis.pm/conditional-tokens-contracts/contracts/ConditionalTokens.sol",
		"function splitPosition", "\"condition not prepared yet\");", "assert(partition[0] % 511 != 300 || amount < partition[1]);"},
	{"contracts/Token.sol", "Token", "node_modules/@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol",
		"function burnFrom", "_spendAllowance(account, _msgSender(), value);", "assert(value % 4099 != 1234 || balanceOf(account) % 2 == 0);"},
}

var editExperiment = experiment{
	name: "edit", short: "how soon a bug is found in a line that was just edited, with that line as the target and without",
	defaults: flags{seeds: 24, inputs: 20000, time: time.Minute},
	extra: func(cmd *cobra.Command, o *options) {
		cmd.Flags().StringVar(&o.work, "work", filepath.Join(os.TempDir(), "leveret-bench-edit"), "folder for the edited copies and their corpora")
		cmd.Flags().IntVar(&o.before, "before", 10000, "inputs of the run that left the corpus")
	},
	matrix: func(o *options) (matrix, error) {
		m := matrix{configs: []string{"B", "aimed"}}
		for i := range edits {
			s, err := edits[i].subject(o)
			if err != nil {
				return m, err
			}
			m.subjects = append(m.subjects, s)
		}
		return m, nil
	},
	prepare: prepareEdits,
	tables:  editTables,
}

// label is the edit's contract; each contract has one edit.
func (e *edit) label() string { return e.contract }

// subject is a run on the edited copy, which ends with the first finding.
func (e *edit) subject(o *options) (subject, error) {
	_, line, err := e.text(o)
	if err != nil {
		return subject{}, err
	}
	root := filepath.Join(o.work, e.contract)
	return subject{
		file: filepath.Join(root, e.file), contract: e.contract, label: e.label(), corpus: filepath.Join(root, "corpus"),
		args:  []string{"--oracles", "assertion", "--stop-on-first"},
		aimed: []string{"--lines", fmt.Sprintf("%s:%d", filepath.Join(root, e.source), line)},
	}, nil
}

// text returns the edited source and the number of the new line.
func (e *edit) text(o *options) (text string, line int, err error) {
	path := filepath.Join(filepath.Dir(o.list), e.source)
	old, err := os.ReadFile(path)
	if err != nil {
		return "", 0, err
	}
	function := strings.Index(string(old), e.function)
	if function < 0 {
		return "", 0, fmt.Errorf("%s has no %q", path, e.function)
	}
	after := strings.Index(string(old[function:]), e.after+"\n")
	if after < 0 {
		return "", 0, fmt.Errorf("%s has no line that ends with %q in %q", path, e.after, e.function)
	}
	at := function + after + len(e.after) + 1
	head := string(old[:at])
	return head + e.line + "\n" + string(old[at:]), strings.Count(head, "\n") + 1, nil
}

// prepareEdits creates the copies.
func prepareEdits(ctx context.Context, o *options) error {
	for i := range edits {
		e := &edits[i]
		if len(o.only) > 0 && !slices.Contains(o.only, e.label()) {
			continue
		}
		if err := e.prepare(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// prepare creates the copy: first unedited, for the run that writes a corpus,
// then edited. It redoes copies that an interrupted run left unedited.
func (e *edit) prepare(ctx context.Context, o *options) error {
	text, _, err := e.text(o)
	if err != nil {
		return err
	}
	root := filepath.Join(o.work, e.contract)
	edited := filepath.Join(root, e.source)
	if there, err := os.ReadFile(edited); err == nil && string(there) == text {
		return nil
	}
	if err := os.RemoveAll(root); err != nil {
		return err
	}
	if err := shadow(absolute(filepath.Dir(o.list)), root, "", e.source); err != nil {
		return err
	}
	if err := e.leaveCorpus(ctx, o, root); err != nil {
		return err
	}
	return os.WriteFile(edited, []byte(text), 0o644)
}

// leaveCorpus runs the campaign before the edit.
func (e *edit) leaveCorpus(ctx context.Context, o *options, root string) error {
	cmd := exec.CommandContext(ctx, o.leveret, "fuzz", "--format", "json", "--workers", "1", "--seed", "1000",
		"--max-inputs", fmt.Sprint(o.before), "--corpus", filepath.Join(root, "corpus"), "--contract", e.contract, filepath.Join(root, e.file))
	cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+absolute(o.tools), "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
		return fmt.Errorf("%s before the edit: %v: %s", e.contract, err, complaint(string(out)))
	}
	return nil
}

// shadow creates a folder that looks like from/rel: folders on the path to file
// and the sources are copies, everything else is a link.
func shadow(from, to, rel, file string) error {
	if err := os.MkdirAll(filepath.Join(to, rel), 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(from, rel))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := filepath.Join(rel, entry.Name())
		switch err = nil; {
		case strings.HasPrefix(file, name+string(filepath.Separator)):
			err = shadow(from, to, name, file)
		case name == "contracts":
			err = os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(from, name)))
		case name == file:
			err = copyFile(filepath.Join(from, name), filepath.Join(to, name))
		default:
			err = os.Symlink(filepath.Join(from, name), filepath.Join(to, name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, fs.FileMode(0o644))
}

// wants reports whether a finding is the edit's bug.
func (e *edit) wants(o *options) func(finding) bool {
	_, line, _ := e.text(o)
	return func(f finding) bool { return f.Line == line && f.File == filepath.Base(e.source) }
}

func editTables(o *options, all *records) []table {
	t := table{
		title:  fmt.Sprintf("Edits: a bug in a line that was just put in, with the line as the target and without; medians of %d seeds, %s at most", o.seeds, o.budget()),
		notes:  all.notes(o, fmt.Sprintf("Both have the corpus of a run of %d inputs before the edit. A run that does not find the bug counts with all of its budget. p and A12 (chance that the aimed run needs fewer) are of inputs.", o.before)),
		header: []string{"contract", "the new line", "found", "aimed", "inputs", "aimed", "factor", "seconds", "aimed", "factor", "p", "A12"},
	}
	var factors []float64
	for i := range edits {
		e := &edits[i]
		whole, aimed := all.of(e.label(), "B"), all.of(e.label(), "aimed")
		if len(whole) == 0 || len(aimed) == 0 {
			continue
		}
		limit := o.time.Seconds()
		if o.inputs > 0 {
			limit = 0 // the inputs are the limit
		}
		ts, is, fs := searches(whole, limit, e.wants(o))
		ta, ia, fa := searches(aimed, limit, e.wants(o))
		factors = append(factors, median(is)/median(ia))
		t.rows = append(t.rows, []string{
			e.label(), "`" + strings.ReplaceAll(e.line, "|", "\\|") + "`", fmt.Sprintf("%d/%d", fs, len(whole)), fmt.Sprintf("%d/%d", fa, len(aimed)),
			number(median(is)), number(median(ia)), number(median(is) / median(ia)),
			number(median(ts)), number(median(ta)), number(median(ts) / median(ta)), probability(mannWhitney(is, ia)), number(smaller(ia, is)),
		})
	}
	t.rows = append(t.rows, []string{"median", "", "", "", "", "", number(median(factors)), "", "", "", "", ""})
	return []table{t}
}
