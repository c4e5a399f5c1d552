pragma solidity ^0.5.0;

// Who leaves money names who may fetch it, by a hash with the address.
contract Claims {
    mapping(bytes32 => uint256) public left;

    function leave(bytes32 claim) external payable {
        left[claim] += msg.value;
    }

    function claimOf(address who, bytes32 secret) public view returns (bytes32) {
        return keccak256(abi.encodePacked(secret, who, address(this)));
    }

    function fetch(bytes32 secret) external {
        bytes32 claim = claimOf(msg.sender, secret);
        uint256 amount = left[claim];
        require(amount > 0, "nothing");
        left[claim] = 0;
        msg.sender.transfer(amount);
    }
}
