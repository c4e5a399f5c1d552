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

interface IFeed {
    function ask(uint256 about) external returns (uint256 id);
}

/// What asks others is answered by them: a contract of the main chain and one that the
/// deployment chose. Mocks stand for both.
contract Asker {
    IShop constant SHOP = IShop(0xB53C1a33016B2DC2fF3653530bfF1848a515c8c5);
    IFeed immutable feed;
    uint256 public sold;
    uint256 public told;
    uint256[] private list;

    constructor(IFeed feed_) {
        feed = feed_;
    }

    function ask(uint256 about) external {
        if (SHOP.open()) list.push(feed.ask(about));
    }

    function onSold(uint256 amount) external {
        require(msg.sender == address(SHOP), "not the shop");
        sold = amount;
        assert(amount != 77);
    }

    function onTold(uint256 id) external {
        require(msg.sender == address(feed), "not the feed");
        unchecked {
            told += list[id - 1] + id; // only the feed can ask for it
        }
    }
}

interface IDoor {
    function open() external view returns (bool);
}

/// Assertions that ask none, one or both of two contracts of the main chain.
contract Chooser {
    ICoin constant COIN = ICoin(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);
    IDoor constant DOOR = IDoor(0xB53C1a33016B2DC2fF3653530bfF1848a515c8c5);

    function none(uint256 x) external pure {
        assert(x != 77);
    }

    function coin(uint256 x) external view {
        assert(x != 78 || COIN.balanceOf(address(this)) > 0);
    }

    function both(uint256 x) external view {
        assert(x != 79 || DOOR.open() && COIN.balanceOf(address(this)) > 0);
    }

    function code(uint256 x) external view {
        assert(x != 80 || address(DOOR).code.length == 0);
    }
}

interface IYield {
    function configure(uint8 mode, address governor) external;
}

interface INative {
    function deposit() external payable;
    function balanceOf(address who) external view returns (uint256);
}

interface IClock {
    function number() external view returns (uint256);
}

interface IUnused {
    function run() external;
}

IClock constant CLOCK = IClock(address(0x64));

library Yields {
    IYield constant YIELD = IYield(0x4300000000000000000000000000000000000002);

    function claimable(address governor) internal {
        YIELD.configure(2, governor);
    }
}

library Natives {
    INative internal constant NATIVE = INative(0x4200000000000000000000000000000000000006);
}

library Others {
    function run() internal {
        IUnused(address(0x66)).run();
    }
}

/// What a library and a file name, with addresses that the optimizer computes.
contract Rollup {
    uint256 public total;

    constructor(address governor) {
        Yields.claimable(governor);
    }

    function put() external payable {
        Natives.NATIVE.deposit{value: msg.value}();
        total += msg.value + CLOCK.number() / 2;
        assert(total != 77);
    }
}
