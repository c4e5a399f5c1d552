// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Leaf needs a branch. No branch of the project can be deployed, and every attempt at
// one deploys a trunk, whose constructor takes long. What is tried for branches must
// leave something for Leaf.

interface ITrunk {
    function rings(uint256 year) external view returns (uint256);
}

interface IBranch {
    function trunk() external view returns (ITrunk);
    function weight() external view returns (uint256);
}

contract Trunk is ITrunk {
    mapping(uint256 => uint256) public override rings;

    constructor(uint256 seed) {
        uint256 x = 1;
        for (uint256 i = 0; i < 400; i++) x = (x * 31 + i) % 1e9;
        require(seed == 41357, "seed");
        rings[seed] = x;
    }
}

abstract contract Branch is IBranch {
    ITrunk public immutable override trunk;
    uint256 public immutable override weight;

    constructor(ITrunk trunk_, uint256 weight_) {
        require(trunk_.rings(weight_) == uint256(keccak256(abi.encode(weight_))), "rings");
        (trunk, weight) = (trunk_, weight_);
    }
}

contract North is Branch {
    constructor(ITrunk trunk_, uint256 weight_) Branch(trunk_, weight_) {}
}

contract East is Branch {
    constructor(ITrunk trunk_, uint256 weight_) Branch(trunk_, weight_) {}
}

contract South is Branch {
    constructor(ITrunk trunk_, uint256 weight_) Branch(trunk_, weight_) {}
}

contract West is Branch {
    constructor(ITrunk trunk_, uint256 weight_) Branch(trunk_, weight_) {}
}

contract Leaf {
    IBranch public immutable branch;
    uint256 public immutable stalk;

    constructor(IBranch branch_, uint256 stalk_) {
        require(branch_.weight() > 0 && stalk_ == 90210, "stalk");
        (branch, stalk) = (branch_, stalk_);
    }

    function take(uint256 amount) external view returns (uint256) {
        return branch.weight() + amount;
    }
}

interface ISoil {
    function token() external view returns (address);
}

// Sand can be deployed, but has no token.
contract Sand is ISoil {
    function token() external pure override returns (address) {
        return address(0);
    }
}

// Moss needs a soil that is no Sand, and may have a branch, but none that can be deployed.
contract Moss {
    ISoil public immutable soil;
    uint256 public immutable weight;

    constructor(ISoil soil_, IBranch branch_) {
        require(soil_.token().code.length > 0, "no token");
        soil = soil_;
        if (address(branch_) != address(0)) {
            weight = branch_.weight();
            require(weight > 2, "light");
        }
    }

    function add(uint256 x) external view returns (uint256) {
        return weight + x;
    }
}
