// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IPool {
    function slot0() external view returns (uint160 price, int24 tick, bool unlocked);
    function observe(uint32[] calldata ago) external view returns (int56[] memory);
    function sync() external;
}

interface IManager {
    function factory() external view returns (address);
}

/// Computes where the exchange has its pools.
library Pools {
    function at(address factory, address a, address b) internal pure returns (IPool) {
        require(a < b, "order");
        return IPool(address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", factory, keccak256(abi.encode(a, b)), bytes32(uint256(7))))))));
    }
}

contract Quotes {
    address immutable factory;
    uint256 public quoted;

    constructor(IManager manager) {
        factory = manager.factory();
    }

    function quote(address a, address b, uint256 amount) external {
        IPool pool = Pools.at(factory, a, b);
        (uint160 price, , ) = pool.slot0();
        int56[] memory ticks = pool.observe(new uint32[](2));
        require(ticks[1] >= ticks[0], "back");
        quoted = amount / price;
        assert(quoted != 4242);
    }
}

/// Looks for code before the call, as nothing is returned.
contract Syncs {
    address constant FACTORY = 0x1F98431c8aD98523631AE4a59f267346ea31F984;

    function sync(address a, address b, uint256 amount) external {
        Pools.at(FACTORY, a, b).sync();
        assert(amount != 4242);
    }
}

/// Its child comes to be where it computes it.
contract Nest {
    function where() public view returns (Egg) {
        return Egg(address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), keccak256(type(Egg).creationCode)))))));
    }

    function look() external view returns (uint256) {
        return where().laid();
    }

    function lay() external {
        assert(new Egg{salt: 0}() == where());
        assert(where().laid() != 7);
    }
}

contract Egg {
    uint256 public laid = 7;
}
