// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// What contracts that are made for proxies inherit, as the usual libraries
/// have it.
abstract contract Initializable {
    uint64 private version;

    modifier initializer() {
        require(version == 0, "initialized already");
        version = 1;
        _;
    }

    function _disableInitializers() internal {
        version = type(uint64).max;
    }
}

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Its constructor locks it: only behind a proxy can it be initialised.
contract Locked is Initializable {
    address public owner;
    IToken public token;
    uint256 public count;
    address private immutable self = address(this);

    constructor() {
        _disableInitializers();
    }

    function initialize(address to, IToken t, uint256 start) external initializer {
        require(to != address(0) && address(t).code.length > 0 && start >= 10, "arguments");
        owner = to;
        token = t;
        count = start;
    }

    function upgrade() external view {
        require(address(this) != self, "not through a proxy");
        bytes32 slot = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
        address code;
        assembly {
            code := sload(slot)
        }
        assert(code == self);
    }

    function down() external {
        require(owner != address(0), "not initialised");
        count--;
        assert(count != 7);
    }
}

/// Not locked: the original itself is initialised.
contract Open is Initializable {
    address public owner;

    function initialize() external initializer {
        owner = msg.sender;
    }

    function check() external view {
        assert(owner == address(0));
    }
}

/// Locked by hand, as multisig wallets are.
contract Wallet {
    uint256 public threshold = 1;
    address[] public owners;

    function setup(address[] calldata list, uint256 least) external {
        require(threshold == 0, "set up already");
        require(least > 0 && least <= list.length, "threshold");
        owners = list;
        threshold = least;
    }
}

/// Anybody may call init, and that is the bug: it is not called beforehand.
contract Careless {
    address public owner;

    function init() external {
        require(owner == address(0));
        owner = msg.sender;
    }
}

library Sums {
    function sum(uint256 a, uint256 b) external pure returns (uint256) {
        return a + b;
    }
}

contract Linked {
    function twice(uint256 x) external pure returns (uint256) {
        return Sums.sum(x, x);
    }
}

contract Picky {
    constructor(uint256 a, address b) payable {
        require(a > 0);
        require(keccak256(abi.encode(a, b)) == 0, "never");
    }

    function f() external {}
}
