// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
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

/// Nobody joins before both assets were given, and enough of both together:
/// neither alone changes anything.
contract Basin {
    IERC20 private immutable left;
    IERC20 private immutable right;

    constructor(IERC20 a, IERC20 b) {
        left = a;
        right = b;
    }

    function join() external view {
        assert(root(left.balanceOf(address(this)) * right.balanceOf(address(this))) < 1000);
    }

    function root(uint256 y) private pure returns (uint256 z) {
        z = y;
        for (uint256 x = y / 2 + 1; x < z; x = (y / x + x) / 2) {
            z = x;
        }
    }
}

/// An order is kept under the hash of what it is made of, and only the one whom
/// it names fills it.
contract Desk {
    mapping(bytes32 => uint256) private open;

    function place(address taker, uint64 salt, uint256 amount) external {
        open[keccak256(abi.encodePacked(msg.sender, taker, salt))] = amount;
    }

    function fill(address maker, uint64 salt) external view {
        assert(open[keccak256(abi.encodePacked(maker, msg.sender, salt))] <= 1 ether);
    }
}

/// Two steps, the first kept in a slot that assembly packs from an address and
/// a seed.
contract Handover {
    uint256 private constant SEED = 0x389a75e1;

    function ask() external {
        assembly {
            mstore(0x0c, SEED)
            mstore(0x00, caller())
            sstore(keccak256(0x0c, 0x20), add(timestamp(), 172800))
        }
    }

    function complete(address who) external view {
        uint256 until;
        assembly {
            mstore(0x0c, SEED)
            mstore(0x00, who)
            until := sload(keccak256(0x0c, 0x20))
        }
        assert(block.timestamp > until);
    }
}
