pragma solidity ^0.8.0;

contract Guarded {
    mapping(address => uint256) public balances;
    uint256 public count;

    constructor() {
        balances[msg.sender] = 1000000;
    }

    function transfer(address to, uint256 amount) external {
        uint256 mine = balances[msg.sender];
        require(mine >= amount, "too much");
        unchecked {
            balances[msg.sender] = mine - amount;
            balances[to] += amount;
        }
    }

    function sum(uint256[] calldata list) external returns (uint256 total) {
        for (uint256 i = 0; i < list.length;) {
            total += list[i];
            unchecked {
                ++i;
            }
        }
        count = total;
    }
}
