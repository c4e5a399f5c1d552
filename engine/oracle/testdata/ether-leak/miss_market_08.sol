// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Wei for tokens: what a seller gets is paid for.
interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

contract Market {
    IERC20 immutable token;

    constructor(IERC20 t) {
        token = t;
    }

    receive() external payable {}

    function sell(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        payable(msg.sender).transfer(amount);
    }
}
