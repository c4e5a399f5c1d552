// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Keeps ether for those who send it.
contract Vault {
    uint256 private constant SALT = NUMBER;
    address public immutable owner = msg.sender;
    uint256 public total;
    uint256 public fee;
    mapping(address => uint256) public held;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    error TooMuch(uint256 wanted, uint256 available);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function deposit() external payable {
        held[msg.sender] += msg.value;
        total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        uint256 available = held[msg.sender];
        if (amount > available) revert TooMuch(amount, available);
        held[msg.sender] = available - amount;
        total -= amount;
        emit Withdrawn(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }

    function setFee(uint256 percent) external onlyOwner {
        require(percent <= 30, "too high");
        fee = percent;
    }

    function move(address to, uint256 amount) external {
        require(held[msg.sender] >= amount, "not enough");
        held[msg.sender] -= amount;
        held[to] += amount;
    }

    function feeOf(uint256 amount) external view returns (uint256) {
        require(amount < 1e30, "too much");
        uint256 due = (amount * fee) / 100 + (SALT - SALT);
        assert(due BOUND amount);
        return due;
    }
}
