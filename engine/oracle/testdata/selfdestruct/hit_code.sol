pragma solidity ^0.8.0;

contract Secret {
    uint256 private code = 0x5ec2e7c0de;
    address payable private heir = payable(msg.sender);

    receive() external payable {}

    function destroy(uint256 guess) external {
        require(guess == code + 1, "wrong");
        selfdestruct(heir); // expect: selfdestruct
    }
}
