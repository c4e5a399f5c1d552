// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IAuthority {
    function canCall(address who, address what, bytes4 how) external view returns (bool);
}

/// Its authority, which the deployment chooses, lets others become its owner, or choose another
/// authority. Anyone can choose a second one.
contract Governed {
    IAuthority private authority;
    IAuthority private second;
    address public owner = msg.sender;

    constructor(IAuthority authority_) {
        authority = authority_;
    }

    modifier permitted() {
        require(msg.sender == owner || authority.canCall(msg.sender, address(this), msg.sig), "may not");
        _;
    }

    function setAuthority(IAuthority authority_) external permitted {
        authority = authority_;
    }

    function setSecond(IAuthority authority_) external {
        second = authority_;
    }

    function setOwner(address who) external permitted {
        owner = who;
    }

    function become() external {
        require(address(second) != address(0) && second.canCall(msg.sender, address(this), msg.sig), "may not");
        owner = msg.sender;
    }

    function destroy() external {
        require(msg.sender == owner, "not the owner");
        selfdestruct(payable(msg.sender));
    }
}
