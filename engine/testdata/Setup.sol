// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// What has to be set up first lies in other contracts: two tokens of the same
/// code have to be paid in before anything opens, and one of them again later.
contract Twins {
    IERC20 private immutable left;
    IERC20 private immutable right;
    uint256 private level;

    constructor(IERC20 a, IERC20 b) {
        left = a;
        right = b;
    }

    function open() external {
        uint256 l = left.balanceOf(address(this));
        uint256 r = right.balanceOf(address(this));
        require(l * r > 1_000_000, "too little");
        require(l < 1 << 112 && r < 1 << 112, "too much");
        if (level == 0) level = l + r;
        else assert(l + r == level);
    }
}

/// The only write that inputs choose the slot of is kept in bounds, and with
/// one element there is nowhere else to go: until the length wraps.
contract Shelf {
    uint256[] private codes;

    function append(uint256 code) external {
        codes.push(code);
    }

    function drop() external {
        assembly {
            sstore(codes.slot, sub(sload(codes.slot), 1))
        }
    }

    function replace(uint256 at, uint256 code) external {
        codes[at] = code;
    }
}

/// Shares are worth nothing once somebody gave more than all paid in, past the
/// books.
contract Pool {
    IERC20 private immutable asset;
    uint256 private issued;
    mapping(address => uint256) private paid;

    constructor(IERC20 token) {
        asset = token;
    }

    function note(uint64 amount) external {
        uint256 held = asset.balanceOf(address(this));
        uint256 part = issued == 0 ? amount : (uint256(amount) * issued) / (held + 1);
        paid[msg.sender] += part;
        issued += part;
        assert(amount < 1000 || part > 0);
    }
}
