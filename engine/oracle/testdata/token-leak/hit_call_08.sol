// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// The target of a call and its data are those of the caller.
contract Notifier {
    IERC20 public immutable token;
    mapping(address => uint256) public credit;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        credit[msg.sender] += amount; // allow: panic
    }

    function notify(address who, bytes calldata message) external {
        require(credit[msg.sender] > 0);
        (bool ok, ) = who.call(message); // expect: token-leak
        require(ok);
    }
}
