pragma solidity ^0.5.0;

// The total of a batch wraps, so that it costs less than is paid out.
contract BatchToken {
    mapping(address => uint256) public balanceOf;

    constructor() public {
        balanceOf[msg.sender] = 10000;
    }

    function batchTransfer(address first, address second, uint256 value) public {
        uint256 total = 2 * value; // expect: overflow
        require(value > 0 && balanceOf[msg.sender] >= total);
        balanceOf[msg.sender] -= total;
        balanceOf[first] += value; // allow: overflow
        balanceOf[second] += value; // allow: overflow
    }
}
