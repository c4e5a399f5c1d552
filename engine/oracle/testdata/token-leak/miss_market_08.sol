// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// Who offers tokens names the token to be paid with, which may be worth nothing.
contract Market {
    struct Offer {
        address maker;
        uint256 amount;
        IERC20 money;
        uint256 price;
    }

    IERC20 public immutable sold;
    mapping(uint256 => Offer) public offers;
    uint256 public last;

    constructor(IERC20 sold_) {
        sold = sold_;
    }

    function offer(uint256 amount, IERC20 money, uint256 price) external returns (uint256 id) {
        require(amount > 0 && price > 0);
        id = ++last;
        offers[id] = Offer(msg.sender, amount, money, price);
        require(sold.transferFrom(msg.sender, address(this), amount));
    }

    function buy(uint256 id, uint256 quantity) external {
        Offer memory o = offers[id];
        require(quantity > 0 && quantity <= o.amount);
        uint256 spend = quantity * o.price / o.amount; // allow: panic
        require(spend > 0);
        offers[id].amount = o.amount - quantity;
        offers[id].price = o.price - spend;
        require(o.money.transferFrom(msg.sender, o.maker, spend));
        require(sold.transfer(msg.sender, quantity));
    }
}
