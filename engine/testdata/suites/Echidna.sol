// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Ledger {
    mapping(address => uint256) public balanceOf;
    uint256 public total;
    bool public paused;
    address public owner = msg.sender;

    function mint(address to, uint256 amount) public virtual {
        require(!paused, "paused");
        balanceOf[to] += amount;
        total += amount;
    }

    function move(address from, address to, uint256 amount) public {
        require(msg.sender == from, "not yours");
        uint256 a = balanceOf[from] - amount;
        uint256 b = balanceOf[to] + amount;
        balanceOf[from] = a;
        balanceOf[to] = b; // to oneself: the difference is lost
    }

    function pause() external {
        paused = true;
    }

    function own(address who) external {
        owner = who;
    }
}

/// The suite inherits from what it tests.
contract EchidnaInherits is Ledger {
    uint256 private constant START = 1000;

    constructor() {
        mint(msg.sender, START);
    }

    function mint(address to, uint256 amount) public override {
        require(total < START, "all is minted");
        super.mint(to, amount);
    }

    function echidna_nobody_has_more_than_there_is() public view returns (bool) { // fails
        return balanceOf[msg.sender] <= START;
    }

    function echidna_total_is_fixed() public view returns (bool) {
        return total == START;
    }

    function echidna_is_never_paused() public view returns (bool) { // fails
        return !paused;
    }

    function echidna_reverts_when_paused() public view returns (bool) { // fails
        require(!paused, "paused");
        return true;
    }
}

/// The constructor sets all up, and the suite's functions are the only way in:
/// what it holds is not called from outside.
contract EchidnaWraps {
    Ledger private ledger;
    uint256 private paid;
    uint8 private steps;

    constructor() {
        ledger = new Ledger();
        ledger.mint(address(this), 500);
        paid = 500;
    }

    function pay(uint256 amount) public {
        require(amount > 0 && amount < 1e6 && paid + amount < 1e9, "amount");
        ledger.mint(address(this), amount);
        paid += amount;
    }

    function first(uint256 code) public {
        if (steps == 0 && code == 0xc0ffee) steps = 1;
    }

    function second(uint256 code) public {
        if (steps == 1 && code == paid) steps = 2;
    }

    function third() public {
        if (steps == 2) steps = 3;
    }

    function echidna_books_agree() public view returns (bool) {
        return ledger.total() == paid;
    }

    function echidna_ledger_is_ours() public view returns (bool) {
        return ledger.owner() == address(this) && !ledger.paused();
    }

    function echidna_never_arrives() public view returns (bool) { // fails
        return steps < 3;
    }
}

/// Assertion mode: no properties, but assertions and the event that stands for
/// one.
contract EchidnaAsserts {
    event AssertionFailed(string why);

    uint256 private level;

    function up(uint256 by) public {
        require(by < 10, "too much");
        uint256 before = level;
        level += by;
        assert(level >= before);
    }

    function down(uint256 by) public {
        level = by > level ? 0 : level - by;
        assert(level != 13); // fails
    }

    function check() public {
        if (level > 40) emit AssertionFailed("too high"); // fails
    }
}
