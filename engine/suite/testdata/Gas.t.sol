// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface Vm {
    function expectRevert() external;
    function expectRevert(uint64) external;
    function pauseGasMetering() external;
    function resumeGasMetering() external;
}

contract Target {
    mapping(uint256 => uint256) m; uint256 z = 1;
    function set(uint256 i, uint256 x) external { m[i] = x; }
    function clear(uint256 i) external { m[i] = 0; revert("x"); }
    function clearZ() external { z = 0; revert(); }
    function inv() external { z = 3; assembly { invalid() } }
    function jump() external { z = 4; assembly { mstore(0, 1) } this.inv(); }
    function loop() external { while (true) { z++; } }
    function write() external view { bytes memory d = abi.encodeWithSelector(this.set.selector, 1, 1); (bool ok,) = address(this).staticcall(d); require(ok); }
    function pay() external payable {}
    function child(Target t) external { t.clear(1); }
    function catchChild(Target t) external { try t.clear(1) {} catch {} m[2] = 0; revert("y"); }
}

contract Bad { uint256 public x = 3; constructor(uint256 k) { x = 0; if (k == 0) revert("bad"); assembly { invalid() } } }

// TestForgeGas has what forge says these tests cost.
contract GasTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Target t = new Target(); Target u = new Target();
    function testRefund() external { t.set(1, 5); vm.expectRevert(); t.clear(1); }
    function testRefundZ() external { vm.expectRevert(); t.clearZ(); }
    function testInv() external { vm.expectRevert(); t.inv(); }
    function testNested() external { vm.expectRevert(); t.jump(); }
    function testLoop() external { vm.expectRevert(); t.loop{gas: 100000}(); }
    function testWrite() external { vm.expectRevert(); t.write(); }
    function testPoor() external { vm.expectRevert(); t.pay{value: 1 << 100}(); }
    function testCreate() external { vm.expectRevert(); new Bad(0); }
    function testCreateInv() external { vm.expectRevert(); new Bad(1); }
    function testChild() external { t.set(1, 5); vm.expectRevert(); u.child(t); }
    function testCatch() external { t.set(1, 5); u.set(2, 3); vm.expectRevert(); u.catchChild(t); }
    function testTwice() external { vm.expectRevert(2); t.clearZ(); t.clearZ(); }
    function testPause() external { vm.pauseGasMetering(); t.set(1,1); t.set(2,2); vm.resumeGasMetering(); t.set(3,3); vm.pauseGasMetering(); vm.resumeGasMetering(); vm.resumeGasMetering(); }
    modifier noGas { vm.pauseGasMetering(); _; vm.resumeGasMetering(); }
    function testModifier() external noGas { t.set(1,1); }
}
