pragma solidity ^0.8.0;

// Whoever comes first takes what was left for others.
contract Gift {
    bytes32 private last;

    function give() external payable {}

    function open() external {
        last = keccak256(abi.encode(msg.sender));
        payable(msg.sender).transfer(address(this).balance); // expect: ether-leak
    }
}
