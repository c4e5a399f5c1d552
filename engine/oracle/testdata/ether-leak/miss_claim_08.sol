pragma solidity ^0.8.0;

// One gift for whoever the hash names.
contract Gift {
    bytes32 private receiver;

    function give(bytes32 to) external payable {
        require(receiver == 0 && msg.value > 0 && to != 0, "taken");
        receiver = to;
    }

    function open() external {
        require(receiver == keccak256(abi.encode(msg.sender)), "not yours");
        receiver = 0;
        payable(msg.sender).transfer(address(this).balance);
    }
}
