// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: assertion
// fix: bought != 7 => bought + 1 > 0

interface INamedCoin {
    function balanceOf(address who) external view returns (uint256);
}

interface INamedShop {
    function till() external view returns (address);
}

interface INamedTill {
    function take(uint256 amount) external returns (uint256 change);
}

// Its code names contracts of the main chain.
contract NamedPlaces {
    INamedCoin constant COIN = INamedCoin(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);
    address internal constant SHOP = 0xB53C1a33016B2DC2fF3653530bfF1848a515c8c5;
    uint256 public bought;

    function buy(uint256 amount) external {
        require(COIN.balanceOf(msg.sender) >= amount, "poor");
        bought = amount - INamedTill(INamedShop(SHOP).till()).take(amount);
        assert(bought != 7);
    }
}
