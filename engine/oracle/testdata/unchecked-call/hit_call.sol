pragma solidity ^0.8.0;

contract Refunds {
    mapping(address => uint256) public owed;

    function deposit() external payable {
        owed[msg.sender] += msg.value;
    }

    function refundTwice() external {
        uint256 amount = owed[msg.sender] * 2;
        owed[msg.sender] = 0;
        payable(msg.sender).call{value: amount}(""); // expect: unchecked-call // allow: exception-disorder, ether-leak
    }
}
