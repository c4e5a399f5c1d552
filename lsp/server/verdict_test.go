package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// hundredTests is a test contract with a hundred unit tests of a vault.
func hundredTests() string {
	var b strings.Builder
	b.WriteString(`pragma solidity ^0.8.0;
import "../src/Vault.sol";
interface Vm { function prank(address) external; function assertEq(uint256, uint256) external pure; }
contract VaultTest {
    bool public constant IS_TEST = true;
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    Vault vault;
    function setUp() external { vault = new Vault(); }
`)
	for n := range 100 {
		fmt.Fprintf(&b, "    function test_%d() external { vm.prank(address(%d)); vault.put(%d); vm.assertEq(vault.held(address(%d)), %d); }\n", n, n+1, n, n+1, n)
	}
	b.WriteString("}\n")
	return b.String()
}

const testedVault = `pragma solidity ^0.8.0;
contract Vault {
    mapping(address => uint256) public held;
    function put(uint256 n) external { held[msg.sender] += n; }
}
`

// BenchmarkSaveToVerdict measures the time from a save of a source until the editor
// shows which of a hundred tests fail, with a warm compiler. Each text is new: no
// cache has its output.
func BenchmarkSaveToVerdict(b *testing.B) {
	config := realConfig(b)
	config.Session.Engine.MaxInputs = 0 // campaigns take the time that users give them
	e := connect(b, config)
	e.settings(`{"idle":false}`)
	for _, folder := range []string{"src", "test"} {
		if err := os.Mkdir(filepath.Join(e.dir, folder), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	e.write("foundry.toml", "[profile.default]\nsolc = '0.8.30'\n")
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	const tests, source = "test/Vault.t.sol", "src/Vault.sol"
	run := time.Now().UnixNano()
	first := testedVault + fmt.Sprintf("// %d\n", run-1) // compiled now, which warms the compiler
	e.write(source, first)
	e.write(tests, hundredTests())
	e.open(source, first)
	e.open(tests, hundredTests())
	e.until("the first verdicts", func() bool {
		titles, _ := e.lenses(tests)
		return strings.Contains(strings.Join(titles, "\n"), "100 tests · all passed") && e.calm()
	})
	var times []time.Duration
	for n := range b.N {
		faulty := strings.Replace(testedVault, "+= n", fmt.Sprintf("+= n == %d ? 0 : n", n%99+1), 1) + fmt.Sprintf("// %d\n", run)
		start := time.Now()
		e.save(source, int32(2*n+2), faulty)
		e.until("the failure", func() bool { return len(e.found(tests)) == 1 })
		times = append(times, time.Since(start))
		e.save(source, int32(2*n+3), testedVault)
		e.until("the end", func() bool { return len(e.found(tests)) == 0 && e.calm() })
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds()*1000, "ms-median")
	b.ReportMetric(times[len(times)*95/100].Seconds()*1000, "ms-p95")
}
