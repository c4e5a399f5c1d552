// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

/// Two functions behind the same checks: what the plain one passes, the careful
/// one has to pass as well.
contract Novice {
    mapping(uint256 => address) private owners;
    uint256 private last;

    function take() external {
        owners[last += 3] = msg.sender;
    }

    function move(address from, uint256 id, uint256 seal) external {
        checked(from, id, seal);
    }

    function safeMove(address from, uint256 id, uint256 seal) external {
        checked(from, id, seal);
        assert(id > 1000);
    }

    function checked(address from, uint256 id, uint256 seal) private {
        require(owners[id] == msg.sender, "not yours");
        require(from == msg.sender, "not from you");
        require(seal * 3 + 7 == id * 1000003 + 100, "not sealed");
        owners[id] = from;
    }
}
