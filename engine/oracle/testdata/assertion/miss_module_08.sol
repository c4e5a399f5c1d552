pragma solidity ^0.8.0;

// A pool lends out what it has taken before. Only the owner can add another lender: by
// naming an account that is no pool.
struct Lender {
    bytes32 key;
    address at;
}

interface IBook {
    function lend(uint256 amount) external;
    function take(uint256 amount) external;
}

contract Pool {
    IBook private immutable book;

    constructor(IBook to) {
        book = to;
    }

    function trade(uint128 amount) external {
        book.take(amount);
        book.lend(amount);
    }
}

contract Book is IBook {
    address private immutable owner = msg.sender;
    mapping(address => bool) public lenders;
    uint256 public taken;
    uint256 public lent;

    function admit(Lender calldata lender) external {
        require(msg.sender == owner && lender.key != 0, "not the owner");
        lenders[lender.at] = true;
    }

    function take(uint256 amount) external {
        require(lenders[msg.sender], "no lender");
        taken += amount;
    }

    function lend(uint256 amount) external {
        require(lenders[msg.sender], "no lender");
        lent += amount;
    }

    function free() external view returns (uint256) {
        assert(taken >= lent); // allow: assertion
        return taken - lent;
    }
}
