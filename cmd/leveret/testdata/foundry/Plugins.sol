// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: delegatecall
// fix: library_ = next; => require(msg.sender == owner); library_ = next;

/// Anyone can set the library.
contract Plugins {
    address public owner = msg.sender;
    address public library_;
    uint256 public value;

    function setLibrary(address next) external {
        library_ = next;
    }

    function work(uint256 x) external {
        (bool ok, ) = library_.delegatecall(abi.encodeWithSignature("work(uint256)", x));
        require(ok);
    }
}
