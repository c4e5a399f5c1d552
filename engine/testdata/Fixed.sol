// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Its code and its constructor decide who may call what; nobody else can become that.
contract Fixed {
    address constant KEEPER = 0x5FbDB2315678afecb367f032d93F642f64180aa3;
    address immutable treasurer;
    address public owner = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;
    uint256 public kept;

    constructor() payable {
        treasurer = 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc;
    }

    receive() external payable {}

    function keep(uint256 amount) external {
        require(msg.sender == KEEPER, "keeper");
        kept = amount;
    }

    function withdraw() external {
        require(treasurer == msg.sender, "treasurer");
        payable(msg.sender).transfer(address(this).balance);
    }

    function check() external view {
        require(tx.origin == owner, "owner");
        assert(kept != 77);
    }

    function pass(address owner_) external {
        if (msg.sender != owner) revert();
        owner = owner_;
    }

    function anybody(address who) external view returns (bool) {
        return msg.sender == who || msg.sender == address(uint160(uint256(keccak256(abi.encode(who)))));
    }
}
