// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Who offers tokens names the price, which may be nothing.
contract Offers {
    struct Offer {
        address seller;
        uint256 amount;
        uint256 price;
    }

    IERC20 public immutable sold;
    IERC20 public immutable money;
    Offer[] public offers;

    constructor(IERC20 sold_, IERC20 money_) {
        sold = sold_;
        money = money_;
    }

    function offer(uint256 amount, uint256 price) external {
        require(amount > 0);
        require(sold.transferFrom(msg.sender, address(this), amount));
        offers.push(Offer(msg.sender, amount, price));
    }

    function buy(uint256 index) external {
        Offer memory o = offers[index]; // allow: panic
        require(o.seller != address(0));
        delete offers[index];
        require(money.transferFrom(msg.sender, o.seller, o.price));
        require(sold.transfer(msg.sender, o.amount));
    }
}
