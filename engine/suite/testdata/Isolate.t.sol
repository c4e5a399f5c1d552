// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface Vm {
    struct Gas { uint64 limit; uint64 used; uint64 memoryUsed; int64 refunded; uint64 left; }
    struct Access { address target; bytes32[] keys; }
    function lastCallGas() external returns (Gas memory);
    function getNonce(address) external returns (uint64);
    function prank(address) external;
    function broadcast(address) external;
    function fee(uint256) external;
    function txGasPrice(uint256) external;
    function warp(uint256) external;
    function accessList(Access[] calldata) external;
    function noAccessList() external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256) external returns (bool);
}

contract Child {
    function die(address payable to) external { selfdestruct(to); }
}

contract Store {
    uint256 public a;
    uint256 b = 5;
    mapping(uint256 => uint256) many;
    function set(uint256 x) external { a = x; }
    function clear() external { b = 0; }
    function fill(uint256 n, uint256 x) external { for (uint256 i; i < n; i++) many[i] = x; }
    function tset(uint256 x) external { assembly { tstore(0, x) } }
    function tget() external view returns (uint256 x) { assembly { x := tload(0) } }
    function prices() external returns (uint256, uint256, address) { a = a; return (block.basefee, tx.gasprice, tx.origin); }
    function fail() external { a = 9; revert("no"); }
    function burn() external { a = 8; assembly { invalid() } }
    function pay() external payable {}
    function spawn() external returns (Child) { return new Child(); }
    function spawnAndKill() external returns (address) { Child c = new Child(); c.die(payable(msg.sender)); return address(c); }
    function codeAt(address x) external view returns (uint256) { return x.code.length; }
    function later(Vm vm) external { vm.warp(99); vm.fee(77); }
}

// The figures are forge's: it passes these tests with --isolate, compiled by solc
// 0.8.30 with the default settings of forge.
contract IsolateTest {
    bool public IS_TEST = true;
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    Store store;
    uint256 own = 1;

    function setUp() external { store = new Store(); store.set(7); }

    // costs compares the gas of the last call.
    function costs(uint256 used, int256 refunded) internal {
        Vm.Gas memory g = vm.lastCallGas();
        require(g.used == used, string(abi.encodePacked("used ", dec(g.used))));
        require(g.refunded == refunded, string(abi.encodePacked("refunded ", dec(uint64(g.refunded)))));
    }

    function dec(uint256 n) internal pure returns (string memory) {
        bytes memory s = new bytes(20);
        uint256 i = 20;
        do { s[--i] = bytes1(uint8(48 + n % 10)); n /= 10; } while (n > 0);
        return string(s);
    }

    function testColdEachTime() external { store.set(1); costs(26641, 0); store.set(2); costs(26641, 0); store.a(); costs(2448, 0); store.a(); costs(2448, 0); }
    function testRefunds() external { store.clear(); costs(21509, 4800); store.fill(20, 1); store.fill(20, 0); costs(99920, 24979); }
    function testNonces() external {
        uint256 n = vm.getNonce(address(this));
        store.set(1);
        store.a();
        Store other = new Store();
        require(vm.getNonce(address(this)) == n + 2, "own");
        vm.prank(address(0xbeef));
        other.set(1);
        vm.broadcast(address(0xcafe));
        other.set(2);
        require(vm.getNonce(address(0xbeef)) == 1 && vm.getNonce(address(0xcafe)) == 1, "others");
    }
    function testTransient() external {
        assembly { tstore(0, 3) }
        store.tset(5);
        uint256 x;
        assembly { x := tload(0) }
        require(store.tget() == 0 && x == 3);
    }
    function testPrices() external {
        vm.fee(100);
        vm.txGasPrice(50);
        (uint256 fee, uint256 price, address origin) = store.prices();
        require(fee == 0 && price == 0 && origin == tx.origin && block.basefee == 100 && tx.gasprice == 50);
        store.later(vm);
        require(block.timestamp == 99 && block.basefee == 100);
    }
    function testReverts() external {
        try store.fail() { revert("succeeded"); } catch {}
        costs(26572, 0);
        require(store.a() == 7, "kept");
        uint256 before = gasleft();
        try store.burn{gas: 100000}() { revert("succeeded"); } catch {}
        require(before - gasleft() > 100000, "returned");
        costs(0, 0);
        uint256 n = vm.getNonce(address(this));
        try store.set{gas: 100}(1) { revert("succeeded"); } catch {}
        try store.pay{value: 1 << 120}() { revert("succeeded"); } catch {}
        require(vm.getNonce(address(this)) == n, "nonce");
        store.set{gas: 22000}(1);
        costs(0, 0);
    }
    function testDestructed() external {
        address dead = store.spawnAndKill();
        require(dead.code.length > 0, "deleted at once"); // not loaded again
        this.set(dead.code.length);
        require(dead.code.length > 0, "deleted elsewhere");
        require(store.codeAt(dead) == 0 && dead.code.length == 0, "code");
        Child alive = store.spawn();
        alive.die(payable(address(this)));
        require(address(alive).code.length > 0, "deleted");
    }
    function testOwnWords() external {
        own = 0;
        this.set(5);
        require(own == 5);
        uint256 id = vm.snapshotState();
        this.set(6);
        store.set(8);
        vm.revertToState(id);
        require(own == 5 && store.a() == 7);
        own = 1;
    }
    function set(uint256 x) external { own = x; }
    function testAccessList() external {
        Vm.Access[] memory list = new Vm.Access[](1);
        list[0].target = address(store);
        list[0].keys = new bytes32[](1);
        vm.accessList(list);
        store.set(3);
        costs(28841, 0);
        vm.noAccessList();
        store.set(4);
        costs(26641, 0);
    }
    function testLeaves() external { store.set(9); own = 2; }
    receive() external payable {}
}
