pragma solidity ^0.5.0;

// The hash with the sender's address is asked for, and decides nothing.
contract Claims {
    mapping(bytes32 => uint256) public left;
    mapping(bytes32 => bool) private used;

    function leave(bytes32 claim) external payable {
        left[claim] += msg.value;
    }

    function fetch(bytes32 claim) external {
        bytes32 receipt = keccak256(abi.encodePacked(claim, msg.sender));
        require(!used[receipt] && left[claim] > 0, "nothing");
        used[receipt] = true;
        uint256 amount = left[claim];
        left[claim] = 0;
        msg.sender.transfer(amount); // expect: ether-leak
    }
}
