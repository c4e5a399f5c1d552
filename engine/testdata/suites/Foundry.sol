// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Vault {
    mapping(address => uint256) public deposits;
    uint256 public total;
    address public owner = msg.sender;
    uint256 public fee;

    function deposit(uint256 amount) external {
        require(amount > 0 && amount <= 1e24, "amount");
        deposits[msg.sender] += amount;
        total += amount;
    }

    function withdraw(uint256 amount) external {
        require(amount <= deposits[msg.sender], "too much");
        deposits[msg.sender] -= amount;
        total -= amount - amount / 1000; // the fee stays in the total
    }

    function setFee(uint256 percent) external {
        require(msg.sender == owner, "not the owner");
        fee = percent;
    }
}

/// What setUp creates is called by anybody; the suite, its owner, is not
/// called at all.
contract VaultInvariants {
    Vault private vault;
    bool private ready;

    function setUp() public {
        vault = new Vault();
        vault.deposit(5);
        ready = true;
    }

    function spoil() public {
        vault.setFee(99);
    }

    function test_fee() public {
        vault.setFee(7);
        assert(vault.fee() == 7);
    }

    function invariant_fee_is_the_owners() public view {
        require(vault.fee() == 0, "somebody else set it");
    }

    function invariant_own_deposit_stays() public view {
        assert(vault.deposits(address(this)) == 5);
    }

    function invariant_total_is_what_was_left() public view { // fails
        assert(vault.total() < 6 || vault.total() % 5 != 1 || vault.total() > 1e9);
    }

    function invariant_was_set_up() public view returns (bool) {
        return ready;
    }
}

contract Switch {
    bool public on;
    uint256 public flips;

    function flip() external {
        on = !on;
        flips++;
    }
}

/// Calls a contract in the way it is meant to be called.
contract Handler {
    Switch private s;
    uint256 public calls;

    constructor(Switch to) {
        s = to;
    }

    function twice() external {
        s.flip();
        s.flip();
        calls++;
    }
}

/// Only the handler is called, because the suite says so.
contract HandlerInvariants {
    Switch private s;
    Handler private handler;

    function setUp() external {
        s = new Switch();
        handler = new Handler(s);
    }

    function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(handler);
    }

    function invariant_is_off() external view {
        assert(!s.on());
    }

    function invariant_flips_are_even() external view returns (bool) {
        return s.flips() % 2 == 0;
    }

    function invariant_is_hardly_used() external view returns (bool) { // fails
        return handler.calls() < 3;
    }
}

/// Without setUp the contract has its invariants in itself.
contract Counter {
    int256 public count;

    function up() external {
        count++;
    }

    function down() external {
        count--;
    }

    function reset() external {
        count = 0;
    }

    function invariant_not_below() external view { // fails
        require(count >= -2, "below");
    }

    function invariant_bounded() external view {
        assert(count < type(int128).max && count > type(int128).min);
    }
}
