// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IBank {
    function rate() external view returns (uint256);
}

/// Asks who initializes it what it should be: only a factory can say.
abstract contract Account {
    address public holder;
    uint256 public rate;
    bool private ready;

    constructor() {
        ready = true; // what is cloned serves nobody
    }

    function initialize(address who) external {
        require(!ready, "ready");
        (ready, holder, rate) = (true, who, IBank(msg.sender).rate());
        require(rate > 0, "no rate");
    }
}

contract Purse is Account {
    uint256 public total;

    function put(uint256 amount) external {
        require(holder != address(0), "nobody's");
        total = amount / rate;
        assert(total != 77);
    }
}

contract Chest is Account {
    uint256 public total;

    function put(uint256 amount) external {
        require(holder != address(0), "nobody's");
        total = amount * rate;
        assert(total != 78);
    }
}

abstract contract Cloner is IBank {
    uint256 public rate = 3;

    function clone(address logic) internal returns (address made) {
        bytes memory code = abi.encodePacked(hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", logic, hex"5af43d82803e903d91602b57fd5bf3");
        assembly {
            made := create(0, add(code, 32), mload(code))
        }
    }
}

/// Is told what it clones.
contract Bank is Cloner {
    address private immutable implementation;
    Purse[] public purses;

    constructor(address purse_) {
        implementation = purse_;
    }

    function open() external returns (Purse purse) {
        purse = Purse(clone(implementation));
        purse.initialize(msg.sender);
        purses.push(purse);
    }
}

/// Creates what it clones, which others take.
contract Safe is Cloner {
    Chest private immutable chest = new Chest();

    function open(address holder) external returns (Chest made) {
        require(holder != address(0), "nobody");
        made = Chest(clone(address(chest)));
        made.initialize(holder);
    }
}

contract Mover {
    Chest private immutable chest;

    constructor(Chest c) {
        require(c.holder() != address(0), "nobody's");
        chest = c;
    }

    function move(uint256 amount) external {
        chest.put(amount);
        assert(amount != 79);
    }
}
