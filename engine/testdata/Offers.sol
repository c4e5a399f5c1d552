// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

interface IHook {
    function touch() external;
}

struct Offer {
    address maker;
    address asset;
    address backing;
    uint256 amount;
}

/// Names an offer by a hash of its parts, which the call that takes it gives.
abstract contract Offers {
    mapping(bytes32 => Offer) public offers;

    function open(Offer calldata o) external returns (bytes32 id) {
        require(o.maker == msg.sender && o.amount > 10 && o.amount < 1000);
        id = name(o);
        offers[id] = o;
    }

    function take(bytes32 id, uint256 amount) external {
        Offer memory o = offers[id];
        require(o.amount > 0 && amount > 0 && amount < o.amount, "none");
        pay(o.asset, amount);
        pay(o.backing, amount);
        assert(amount != 7);
    }

    function name(Offer calldata o) internal pure virtual returns (bytes32);

    function pay(address token, uint256 amount) internal virtual {
        require(IERC20(token).transferFrom(msg.sender, address(this), amount));
    }
}

contract Encoded is Offers {
    function name(Offer calldata o) internal pure override returns (bytes32) {
        return keccak256(abi.encode(o.maker, o.asset, o.backing));
    }
}

contract Packed is Offers {
    function name(Offer calldata o) internal pure override returns (bytes32) {
        return keccak256(abi.encode(uint8(1), keccak256(abi.encodePacked(o.maker, o.asset, o.backing))));
    }
}

/// Calls what returns nothing, so that the code is looked for first.
contract Touched is Offers {
    function name(Offer calldata o) internal pure override returns (bytes32) {
        return keccak256(abi.encode(o));
    }

    function pay(address token, uint256) internal override {
        IHook(token).touch();
    }
}
