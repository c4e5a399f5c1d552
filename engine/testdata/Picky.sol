// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Constructors that want more than a guess.
contract Related {
    uint256 public a;

    constructor(uint256 x, uint256 y, address[] memory owners) {
        require(x * 7 == y + 3, "relation");
        require(owners.length == 5, "five");
        require(owners[0] != owners[1] && owners[4] != address(0), "owners");
        a = x;
    }
}

contract Staked {
    bool public open;

    constructor() payable {
        require(msg.value >= 32 ether, "deposit");
        open = true;
    }
}

contract Ordered {
    address public first;

    constructor(address high, address low) {
        require(low < high, "order");
        first = low;
    }
}

contract Initialised {
    uint256 public rate;

    modifier initializer() {
        require(rate == 0, "done");
        _;
    }

    function initialize(uint256 rate_, bytes32 tag) external initializer {
        require(rate_ * 3 > 5e19 && rate_ < 2e19 && bytes4(tag) == "ABCD", "rate");
        rate = rate_;
    }
}

interface IShop {
    function open() external view returns (bool);
    function close() external;
}

contract Closed is IShop {
    bool public open;

    function close() external pure {
        revert("closed");
    }
}

contract Open is IShop {
    bool public open = true;

    function close() external {
        open = false;
    }
}

/// Only the second implementation will do, and only that is to stand.
contract Street {
    IShop private immutable shop;

    constructor(IShop shop_) {
        require(shop_.open(), "not open");
        shop = shop_;
    }

    function close() external {
        shop.close();
    }
}

/// The same, of parameters that but mean something by their names.
contract HouseProxy {
    constructor(address logic, bytes memory data) {
        IShop(logic).close();
        require(data.length < 5);
    }

    fallback() external payable {}
}

/// A time that must be to come, and that has to come for anything to happen.
contract Timed {
    uint256 private immutable opening;

    constructor(uint256 opening_) {
        require(opening_ > block.timestamp, "past");
        opening = opening_;
    }

    function open() external view {
        require(block.timestamp >= opening, "not yet");
        assert(false);
    }
}

contract Never {
    constructor(uint256 a) {
        require(a > 5 && a < 5, "never");
    }

    function f() external {}
}

/// Reads both lists by number, once it is made.
contract Numbered {
    address[] private coins;
    uint256[] private weights;

    constructor(address[] memory coins_, uint256[] memory weights_) {
        require(coins_.length == weights_.length);
        coins = coins_;
        keep(weights_);
    }

    function keep(uint256[] memory list) private {
        weights = list;
    }

    function sum() external view returns (uint256) {
        return weights[0] + weights[3];
    }
}
