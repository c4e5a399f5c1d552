// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Calls out, but never with wei.
contract Shop { // expect: freezing-ether
    IERC20 immutable token;
    uint256 public sold;

    constructor(IERC20 t) {
        token = t;
    }

    function buy() external payable {
        sold += msg.value;
    }

    function send(address to, uint256 amount) external {
        require(token.transfer(to, amount));
    }
}
