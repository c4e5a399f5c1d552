// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Pool {
    address public immutable owner;
    uint256 public immutable cap;
    uint256 public total;

    constructor(address owner_, uint256 cap_) {
        owner = owner_;
        cap = cap_;
    }

    function deposit(uint256 amount) external {
        require(total + amount <= cap, "cap");
        total += amount;
    }
}

/// Its pools differ in immutables.
contract Pools {
    Pool[] public pools;

    function open(uint256 cap, bytes32 salt) external {
        require(cap >= 1000, "cap");
        pools.push(new Pool{salt: salt}(msg.sender, cap));
    }

    function fill(uint256 i, uint256 amount) external {
        pools[i].deposit(amount);
        assert(pools[i].total() != 123456);
    }
}

contract Wallet {
    uint256 public total;

    function add(uint256 x) external {
        require(x < 1000, "too much");
        total += x;
    }
}

/// Its clones have arguments behind their code.
contract Cloner {
    address immutable wallet = address(new Wallet());
    address[] public clones;

    function clone(uint96 salt) external {
        bytes memory code = abi.encodePacked(
            hex"3d604d80600a3d3981f3", hex"363d3d373d3d3d363d73", wallet, hex"5af43d82803e903d91602b57fd5bf3", msg.sender, salt
        );
        address made;
        assembly {
            made := create2(0, add(code, 32), mload(code), salt)
        }
        require(made != address(0), "taken");
        clones.push(made);
    }

    function add(uint256 i, uint256 x) external {
        Wallet(clones[i]).add(x);
        assert(Wallet(clones[i]).total() != 777);
    }
}
