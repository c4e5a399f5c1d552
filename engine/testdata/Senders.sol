// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Numbers in the code say who may call; one check comes after another.
contract Numbered {
    uint256 private step;

    function first() external {
        require(uint160(msg.sender) == 0x001234567890123456789012345678901234567890);
        step = 1;
    }

    function second() external view {
        require(step == 1 && uint160(msg.sender) == 0x001234567890123456789012345678901234567891);
        assert(false);
    }

    function anybody(uint256 x) external pure {
        assert(x != 77);
    }
}

/// A variable says who may call: an account that the project trusts.
contract Trusting {
    address private owner;

    constructor() {
        owner = address(uint160(uint256(0x001234567890123456789012345678901234567892)));
    }

    function check(uint256 x) external view {
        require(msg.sender == owner);
        assert(x != 99);
    }
}

/// Everybody has the key of the account that may call.
contract Tested {
    function check(uint256 x) external view {
        require(msg.sender == 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266);
        assert(x != 99);
    }
}
