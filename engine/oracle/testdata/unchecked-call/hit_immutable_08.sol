pragma solidity ^0.8.0;

contract Fees {
    address payable public immutable collector;
    mapping(address => uint256) public paidBy;

    constructor(address payable to) {
        collector = to;
    }

    function pay() external payable {
        paidBy[msg.sender] += msg.value;
        (bool ok, ) = collector.call{value: msg.value}(""); // expect: unchecked-call
        ok;
    }
}
