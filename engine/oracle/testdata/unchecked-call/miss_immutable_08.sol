pragma solidity ^0.8.8;

contract Careful {
    address payable immutable collector;
    mapping(address => uint256) public owed;

    constructor(address payable to) {
        collector = to;
    }

    function pay() external payable returns (bool ok) {
        (ok, ) = collector.call{value: msg.value}("");
        if (!ok) owed[collector] += msg.value;
    }

    function collect() external {
        uint256 amount = owed[collector];
        owed[collector] = 0;
        collector.transfer(amount);
    }
}
