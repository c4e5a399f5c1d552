// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

contract Coin is IERC20 {
    mapping(address => uint256) public balanceOf;

    function mint(uint256 amount) external {
        balanceOf[msg.sender] += amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// Takes any token with an amount.
contract Taking {
    mapping(address => address) public tokenOf;

    function lock(address token, uint256 amount) external {
        require(IERC20(token).balanceOf(msg.sender) >= amount);
        tokenOf[msg.sender] = token;
    }
}

/// Is told its token.
contract Told {
    address owner = msg.sender;
    IERC20 token;

    function setToken(address token_) external {
        require(msg.sender == owner && token_ == address(0));
        token = IERC20(token_);
    }
}

/// Has a token already.
contract Having {
    Coin coin;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function pay(IERC20 token, uint256 amount) external {
        token.transfer(msg.sender, amount);
    }
}

/// Takes two tokens that differ, in a struct and in a list.
contract Pairing {
    struct Pair {
        address maker;
        address token;
        address other;
    }

    mapping(address => Pair) public pairOf;

    function pair(Pair calldata p) external {
        require(p.maker == msg.sender);
        IERC20(p.token).transfer(p.maker, IERC20(p.other).balanceOf(p.maker));
        pairOf[p.maker] = p;
    }
}

contract Listing {
    uint256 public sum;

    function add(IERC20[] calldata tokens) external {
        for (uint256 i; i < tokens.length; i++) {
            sum += tokens[i].balanceOf(msg.sender);
        }
    }
}
