// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Contracts of the main chain, of which code has the addresses.

interface ICoin {
    function balanceOf(address who) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

interface IShop {
    function open() external view returns (bool);
    function till() external view returns (ITill);
    function keeper() external view returns (address);
    function signs() external view returns (string memory);
}

interface ITill {
    function coin() external view returns (ICoin);
    function take(uint256 amount) external returns (uint256 change);
}

contract Buyer {
    ICoin constant COIN = ICoin(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);
    address internal constant SHOP = 0xB53C1a33016B2DC2fF3653530bfF1848a515c8c5;
    address payable constant FRIEND = payable(0x27182842E098f60e3D576794A5bFFb0777E025d3);

    uint256 public bought;

    constructor() {
        require(IShop(SHOP).open(), "closed");
    }

    function buy(uint256 amount) external {
        require(COIN.balanceOf(msg.sender) >= amount, "poor");
        ITill till = IShop(SHOP).till();
        bought += amount - till.take(amount);
        assert(bought != 7);
    }

    function check() external view returns (bool) {
        return IShop(SHOP).keeper() == SHOP && bytes(IShop(SHOP).signs()).length == 0 && till().coin().balanceOf(msg.sender) > 1;
    }

    function till() internal view returns (ITill) {
        return IShop(SHOP).till();
    }

    function tip() external payable {
        FRIEND.transfer(msg.value);
    }
}
