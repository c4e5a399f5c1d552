// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Its code compares the sender with an account, but only one function requires that.
contract Named {
    address constant KEEPER = 0x5FbDB2315678afecb367f032d93F642f64180aa3;
    address private immutable deployer = msg.sender;

    function keep(uint256 x) external view {
        require(msg.sender == KEEPER);
        assert(x != 77);
    }

    function either(uint256 x) external view {
        require(msg.sender == KEEPER || msg.sender == deployer);
        assert(x != 77);
    }

    function anybody(uint256 x) external pure {
        assert(x != 77);
    }
}
