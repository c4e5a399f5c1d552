// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract PrintsTest {
    bool public constant IS_TEST = true;

    function log(string memory text) private view {
        (bool ok, ) = 0x000000000000000000636F6e736F6c652e6c6f67.staticcall(abi.encodeWithSignature("log(string)", text));
        require(ok);
    }

    function testPrints() external view {
        log("hello");
    }

    function testReverts() external view {
        log("before");
        revert("no");
    }

    function testQuiet() external pure {}
}
