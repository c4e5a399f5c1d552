// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Feed {
    function price(uint256 id) external view returns (uint256);
    function round() external view returns (uint80, int256, uint256, uint256, uint80);
}

/// Breaks if two static calls in a row are answered differently.
contract TwoPrices {
    function check(address feed) external view {
        uint256 first = Feed(feed).price(1);
        unchecked {
            assert(first / 7 != 991234 || Feed(feed).price(2) != first + 777);
        }
    }
}

/// Breaks if an answer of five words has a recent time.
contract Round {
    function check(address feed) external view {
        (, int256 answer, , uint256 updated, ) = Feed(feed).round();
        require(answer > 100);
        unchecked {
            assert(updated != block.timestamp - 17);
        }
    }
}

/// Breaks if two functions are called in order, with the right arguments, while a
/// call is open.
contract Chained {
    bool private open;
    uint256 private armed;

    function enter() external {
        (open, armed) = (true, 0);
        (bool ok, ) = msg.sender.call("");
        require(ok);
        open = false;
    }

    function arm(uint128 key) external {
        require(open && key == 0x1234567890abcdef);
        armed = key;
    }

    function fire(uint256 key) external {
        require(open && armed != 0);
        assert(key != armed ^ 0xfedcba0987654321);
        armed = 0;
    }
}
