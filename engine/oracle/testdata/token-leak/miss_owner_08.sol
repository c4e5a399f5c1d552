// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// The owner opens the vault and says who may take everything.
contract Treasury {
    IERC20 public immutable token;
    address public immutable owner;
    address public heir;
    bool public open;
    mapping(address => uint256) public credit;

    constructor(IERC20 token_) {
        token = token_;
        owner = msg.sender;
    }

    function deposit(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        credit[msg.sender] += amount; // allow: panic
    }

    function withdraw(uint256 amount) external {
        credit[msg.sender] -= amount; // allow: panic
        require(token.transfer(msg.sender, amount));
    }

    function name(address heir_) external {
        require(msg.sender == owner);
        heir = heir_;
    }

    function close() external {
        require(msg.sender == owner);
        open = true;
    }

    function inherit() external {
        require(open || msg.sender == heir);
        require(token.transfer(msg.sender, token.balanceOf(address(this))));
    }
}
