// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Holds tokens, and pays them to anybody.
contract Coffer {
    IERC20 public immutable token;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
    }

    function pay(address to, uint256 amount) external {
        require(token.transfer(to, amount));
    }

    function call(address to, bytes calldata data) external {
        (bool ok,) = to.call(data);
        require(ok);
    }
}
