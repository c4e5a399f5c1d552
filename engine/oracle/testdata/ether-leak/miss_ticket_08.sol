pragma solidity ^0.8.0;

// A ticket is the hash of its holder and a number; somebody else pays for it.
contract Tickets {
    mapping(bytes32 => uint256) private paid;

    function pay(bytes32 ticket) external payable {
        require(msg.value >= 10, "too little");
        paid[ticket] = msg.value;
    }

    function refund(uint256 number) external {
        bytes32 ticket = keccak256(abi.encode(number, msg.sender));
        uint256 amount = paid[ticket];
        require(amount > 0, "unpaid");
        delete paid[ticket];
        payable(msg.sender).transfer(amount / 2);
    }
}
