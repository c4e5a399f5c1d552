// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

interface Guest {
    function come() external;
}

/// A guest may give something to whoever invites it.
contract Gifts {
    IERC20 public immutable token;
    address public host;
    mapping(address => uint256) public gifts;

    constructor(IERC20 token_) {
        token = token_;
    }

    function invite(Guest guest) external {
        host = msg.sender;
        guest.come();
        host = address(0);
    }

    function give(uint256 amount) external {
        require(host != address(0));
        require(token.transferFrom(msg.sender, address(this), amount));
        gifts[host] += amount;
    }

    function collect() external {
        require(gifts[msg.sender] > 0);
        gifts[msg.sender] -= 1;
        require(token.transfer(msg.sender, 1));
    }
}
