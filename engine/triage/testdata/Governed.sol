// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IAuthority {
    function canCall(address who, address what, bytes4 how) external view returns (bool);
}

/// Its authority, which the deployment chooses, lets others become its owner.
contract Governed {
    IAuthority private immutable authority;
    address public owner = msg.sender;

    constructor(IAuthority authority_) {
        authority = authority_;
    }

    function setOwner(address who) external {
        require(msg.sender == owner || authority.canCall(msg.sender, address(this), msg.sig), "may not");
        owner = who;
    }

    function destroy() external {
        require(msg.sender == owner, "not the owner");
        selfdestruct(payable(msg.sender));
    }
}
