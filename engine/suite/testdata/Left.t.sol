// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function deal(address, uint256) external;
    function setNonce(address, uint64) external;
    function getNonce(address) external view returns (uint64);
    function etch(address, bytes calldata) external;
}

// What cheatcodes did in frames that failed ends with the transaction unless it
// touches the account. All tests pass in forge 1.7.1.
contract LeftTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    address constant far = address(0xFA12);
    address constant called = address(0xFA13);
    address constant paid = address(0xFA14);
    address constant before = address(0xFA15);
    address constant dealt = address(0xFA16);
    address constant looked = address(0xFA17);
    address constant coded = address(0xFA18);

    constructor() payable {}

    function deals(address a) external {
        vm.deal(a, 5);
        vm.setNonce(a, 7);
        revert();
    }

    function fails(address a) internal {
        try this.deals(a) {} catch {}
        require(a.balance >= 5, "not left");
    }

    function callsAndFails(address a) external {
        (bool ok,) = a.call("");
        require(!ok);
    }

    function setUp() external {
        vm.deal(dealt, 1);
        vm.deal(coded, 9);
        vm.etch(coded, hex"00");
        fails(far);
        fails(called);
        (bool ok,) = called.call("");
        fails(paid);
        ok = payable(paid).send(1);
        (ok,) = before.staticcall("");
        fails(before);
        fails(dealt);
        fails(looked);
        require(looked.codehash != 0 || looked.balance > 0);
        try this.callsAndFails(looked) {} catch {}
        fails(address(this));
        require(ok);
    }

    function is_(address a, uint256 wei_, uint64 nonce) internal view {
        require(a.balance == wei_, "balance");
        require(vm.getNonce(a) == nonce, "nonce");
    }

    function testFar() external view { is_(far, 0, 0); }
    function testCalled() external view { is_(called, 5, 7); }
    function testPaid() external view { is_(paid, 6, 7); }
    function testCalledBefore() external view { is_(before, 5, 7); }
    function testDealt() external view { is_(dealt, 5, 7); }
    function testLookedAt() external view { is_(looked, 0, 0); }
    function testSelf() external view { is_(address(this), 5, 7); }
}
