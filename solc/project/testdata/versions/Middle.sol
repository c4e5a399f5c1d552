pragma solidity >=0.5.0 <0.8.0;
pragma experimental ABIEncoderV2;

import {Sums as Adder} from "./Sums.sol";

contract Counter {
    struct Order { uint8 kind; uint256[] amounts; }

    mapping(address => uint256) balances;
    uint128 public small;
    bool flag;
    event Added(address indexed who, uint256 amount);

    constructor(uint128 start) public {
        small = start;
    }

    function add(uint256 amount) public {
        balances[msg.sender] = Adder.total(balances[msg.sender], amount);
        assert(balances[msg.sender] < 1000);
        emit Added(msg.sender, amount);
    }

    function place(Order memory order) public pure returns (uint256) {
        return order.amounts[order.kind];
    }
}
