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
