pragma solidity ^0.8.0;

// A ticket is worth the same to everybody.
contract Tickets {
    mapping(uint256 => uint256) private paid;
    mapping(bytes32 => uint256) private refunds;

    function pay(uint256 number) external payable {
        paid[number] += msg.value;
    }

    function refund(uint256 number) external {
        require(paid[number] > 0, "unpaid");
        refunds[keccak256(abi.encode(number, msg.sender))] += paid[number];
        uint256 amount = paid[number];
        paid[number] = 0;
        payable(msg.sender).transfer(amount); // expect: ether-leak
    }
}
