package foundry

import (
	"bytes"
	"fmt"
	"strings"

	"leveret/engine/attacker"
	"leveret/engine/mock"
)

// A piece is a named definition that tests may need.
type piece struct{ name, text string }

// pieces are the definitions that a test needs, by their place.
type pieces struct {
	crowded   bool    // addresses are in deployedAddresses
	cheats    []piece // functions of the interface to Foundry
	functions []piece // functions of the test contract
	contracts []piece // other contracts
}

// pieces returns the definitions that the text of the test needs, directly or not.
func (t *test) pieces() pieces {
	p := pieces{crowded: t.crowded()}
	text := t.body.String()
	for i := len(helperPieces) - 1; i >= 0; i-- { // each uses only earlier ones
		if h := helperPieces[i]; strings.Contains(text, h.name+"(") {
			p.functions = append([]piece{h}, p.functions...)
			text += h.text
		}
	}
	for _, c := range companionPieces() {
		if indexWord([]byte(text), c.name) >= 0 {
			p.contracts = append(p.contracts, c)
		}
	}
	for _, c := range cheatPieces {
		if strings.Contains(text, "vm."+c.name+"(") {
			p.cheats = append(p.cheats, c)
		}
	}
	return p
}

// companions returns the interface and contracts that code, which may be empty,
// lacks.
func (p *pieces) companions(code []byte) string {
	var b strings.Builder
	if indexWord(code, "interface LeveretVm") < 0 {
		b.WriteString("\n/// The cheatcodes of Foundry that the tests use.\ninterface LeveretVm {\n")
		for _, c := range p.cheats {
			b.WriteString(c.text)
		}
		b.WriteString("}\n")
	}
	for _, c := range p.contracts {
		if indexWord(code, "contract "+c.name) < 0 {
			b.WriteString("\n" + c.text)
		}
	}
	return b.String()
}

// cheatcodes adds missing functions to an existing interface.
func (p *pieces) cheatcodes(code []byte) []edit {
	at := closing(code, "interface LeveretVm")
	if at < 0 {
		return nil
	}
	start := indexWord(code, "interface LeveretVm")
	missing := ""
	for _, c := range p.cheats {
		if !bytes.Contains(code[start:at], []byte("function "+c.name+"(")) {
			missing += c.text
		}
	}
	if missing == "" {
		return nil
	}
	return []edit{{at, missing}}
}

// deployedAddresses keeps contracts by their names where the stack has no room for them.
const deployedAddresses = "mapping(string => address) private deployed;"

// helpers returns the definitions of the test contract that code, which may be empty, lacks.
func (p *pieces) helpers(code []byte) string {
	text := ""
	if p.crowded && !bytes.Contains(code, []byte(deployedAddresses)) {
		text = "    " + deployedAddresses + "\n\n"
	}
	for _, h := range p.functions {
		if !bytes.Contains(code, []byte("function "+h.name+"(")) {
			text += h.text
		}
	}
	return text
}

// companionPieces are the contracts that tests include.
func companionPieces() []piece {
	list := []piece{{attackerContract, attacker.Solidity}, {"LeveretIntruder", intruder}}
	for _, c := range mock.All() {
		list = append(list, piece{ownName(c), c.Solidity(ownPrefix)})
	}
	return list
}

// attackerContract is the contract that attacker.Solidity defines.
const attackerContract = "LeveretAttacker"

// ownPrefix is the prefix of mocks: projects have an ERC20 as well.
const ownPrefix = "Leveret"

func ownName(c *mock.Contract) string { return ownPrefix + c.Name }

// intruder is foreign code for delegatecalls.
const intruder = `/// Foreign code that marks the storage that it runs on with the selector of the
/// call.
contract LeveretIntruder {
    fallback() external payable {
        bytes32 mark = keccak256("foreign code");
        uint256 called = uint256(bytes32(msg.sig)) | 1;
        assembly {
            sstore(mark, called)
        }
    }
}
`

// cheatPieces are the cheatcodes that tests use.
var cheatPieces = []piece{
	{"prank", "    function prank(address sender, address origin) external;\n"},
	{"deal", "    function deal(address account, uint256 balance) external;\n"},
	{"roll", "    function roll(uint256 number) external;\n"},
	{"warp", "    function warp(uint256 timestamp) external;\n"},
	{"chainId", "    function chainId(uint256 id) external;\n"},
	{"txGasPrice", "    function txGasPrice(uint256 price) external;\n"},
	{"prevrandao", "    function prevrandao(bytes32 value) external;\n"},
	{"coinbase", "    function coinbase(address account) external;\n"},
	{"setBlockhash", "    function setBlockhash(uint256 number, bytes32 value) external;\n"},
	{"etch", "    function etch(address account, bytes calldata code) external;\n"},
	{"load", "    function load(address account, bytes32 slot) external view returns (bytes32);\n"},
	{"store", "    function store(address account, bytes32 slot, bytes32 value) external;\n"},
	{"recordLogs", "    function recordLogs() external;\n"},
	{"snapshotState", "    function snapshotState() external returns (uint256);\n"},
	{"revertToState", "    function revertToState(uint256 snapshot) external returns (bool);\n"},
	{"mockCall", "    function mockCall(address callee, bytes calldata data, bytes calldata answer) external;\n"},
	{"clearMockedCalls", "    function clearMockedCalls() external;\n"},
	{"startStateDiffRecording", accessStructs + "    function startStateDiffRecording() external;\n"},
	{"stopAndReturnStateDiff", "    function stopAndReturnStateDiff() external returns (Access[] memory);\n"},
}

// accessStructs are the records of Foundry about a transaction.
const accessStructs = `    struct Chain {
        uint256 fork;
        uint256 id;
    }

    struct Word {
        address account;
        bytes32 slot;
        bool isWrite;
        bytes32 previous;
        bytes32 next;
        bool reverted;
    }

    struct Access {
        Chain chain;
        uint8 kind; // 0 is a call, 1 a delegate call, 5 a destruction
        address account;
        address accessor;
        bool initialized;
        uint256 oldBalance;
        uint256 newBalance;
        bytes deployedCode;
        uint256 value;
        bytes data;
        bool reverted;
        Word[] words;
        uint64 depth;
    }

`

// helperPieces are functions of test contracts. Each uses only earlier ones.
var helperPieces = []piece{
	{"create", `
    /// Deploys code and returns its address.
    function create(address from, uint256 value, bytes memory code) private returns (address made) {
        vm.prank(from, from);
        assembly {
            made := create(value, add(code, 32), mload(code))
        }
        require(made != address(0), "the deployment failed");
    }
`},
	{"everybody", `
    /// All accounts: the first holders of every token.
    function everybody() private pure returns (address[] memory list) {
        list = new address[](4);
        (list[0], list[1], list[2], list[3]) = (deployer, user1, user2, attacker);
    }
`},
	{"panics", `
    /// Returns whether a call reverted with Panic(code), as assertions and checks
    /// of the compiler do.
    function panics(bool ok, bytes memory data, uint256 code) private pure returns (bool) {
        return !ok && keccak256(data) == keccak256(abi.encodeWithSignature("Panic(uint256)", code));
    }
`},
	{"recordedLogs", `
    /// The events since vm.recordLogs().
    function recordedLogs() private returns (bytes memory logs) {
        (, logs) = address(vm).call(abi.encodeWithSignature("getRecordedLogs()"));
    }
`},
	{"emitted", `
    /// Returns whether an event was emitted since vm.recordLogs().
    function emitted(bytes32 topic) private returns (bool found) {
        bytes memory logs = recordedLogs();
        for (uint256 i = 32; i <= logs.length && !found; i += 32) {
            bytes32 word;
            assembly {
                word := mload(add(logs, i))
            }
            found = word == topic;
        }
    }
`},
	{"refuses", `
    /// Returns whether a call from one account to another failed.
    function refuses(LeveretVm.Access[] memory list, address from, address to) private pure returns (bool found) {
        for (uint256 i = 0; i < list.length; i++) {
            bool this_ = list[i].account == to && (list[i].accessor == from || list[i].kind == 1);
            found = found || (this_ && list[i].reverted);
        }
    }
`},
	{"effect", `
    /// Hashes the effect of a call since the recordings began: its result, and the
    /// storage writes and logs of an account.
    function effect(bool ok, bytes memory data, LeveretVm.Access[] memory list, address who) private returns (bytes32 hash) {
        hash = keccak256(abi.encode(ok, data, recordedLogs()));
        for (uint256 i = 0; i < list.length; i++) {
            LeveretVm.Word[] memory words = list[i].words;
            for (uint256 k = 0; k < words.length; k++) {
                if (words[k].account != who || !words[k].isWrite || words[k].reverted) continue;
                hash = keccak256(abi.encode(hash, words[k].slot, words[k].next));
            }
        }
    }
`},
	{"destroyed", `
    /// Returns whether an account was destroyed.
    function destroyed(LeveretVm.Access[] memory list, address who) private pure returns (bool found) {
        for (uint256 i = 0; i < list.length; i++) {
            found = found || (list[i].kind == 5 && list[i].accessor == who && !list[i].reverted);
        }
    }
`},
	{"wealth", `
    /// Hashes the balances of all accounts.
    function wealth(address who) private view returns (bytes32) {
        return keccak256(abi.encode(deployer.balance, user1.balance, user2.balance, attacker.balance, who.balance));
    }
`},
	{"canSpend", `
    /// Returns whether a contract has an instruction that can send ether: one that
    /// creates, calls, delegates or destroys.
    function canSpend(address who) private view returns (bool found) {
        uint256 size;
        assembly {
            size := extcodesize(who)
        }
        bytes memory code = new bytes(size);
        assembly {
            extcodecopy(who, add(code, 32), 0, size)
        }
        uint256 more = uint8(code[size - 1]) + 256 * uint256(uint8(code[size - 2])) + 2; // the compiler's metadata
        for (uint256 i = 0; i + (more < size ? more : 0) < size; i++) {
            uint8 op = uint8(code[i]);
            if (op >= 0x60 && op < 0x80) i += op - 0x5f; // data of a PUSH
            found = found || op == 0xf0 || op == 0xf1 || op == 0xf2 || op == 0xf4 || op == 0xf5 || op == 0xff;
        }
    }
`},
}

// hexText writes bytes as a literal.
func hexText(data []byte) string { return fmt.Sprintf("hex\"%x\"", data) }
