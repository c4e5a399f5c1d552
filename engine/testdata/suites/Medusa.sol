// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Auction {
    address public leader;
    uint256 public highest;
    uint256 public bids;
    bool public open = true;

    function bid(address who, uint256 amount) external {
        require(open, "over");
        require(amount > highest, "too low");
        leader = who;
        highest = amount;
        bids++;
    }

    function withdraw(address who) external {
        require(who == leader, "not the leader");
        leader = address(0); // but the highest bid stays
    }

    function close() external {
        open = false;
    }
}

contract MedusaProperties {
    Auction private auction = new Auction();

    function bid(uint64 amount) public {
        auction.bid(msg.sender, amount);
    }

    function withdraw() public {
        auction.withdraw(msg.sender);
    }

    function property_a_bid_has_a_bidder() public view returns (bool) { // fails
        return auction.highest() == 0 || auction.leader() != address(0);
    }

    function property_bids_are_counted() public view returns (bool) {
        return (auction.highest() == 0) == (auction.bids() == 0);
    }

    function property_stays_open() public view returns (bool) {
        return auction.open();
    }
}

/// Functions with arguments, in which no assertion must fail.
contract MedusaPanics {
    uint256[] private list;
    uint256 public sum;

    function add(uint32 n) public {
        list.push(n);
        sum += n;
    }

    function average(uint256 scale) public view returns (uint256) {
        require(scale > 0 && scale < 100 && list.length > 0, "scale");
        uint256 result = sum * scale / list.length;
        assert(scale == 77 || result != 4242 * scale); // fails
        return result;
    }

    function newest() public view returns (uint256) {
        require(list.length > 0, "empty");
        return list[list.length - 1];
    }

    function property_sum_is_right() public view returns (bool) {
        uint256 s;
        for (uint256 i = 0; i < list.length; i++) s += list[i];
        return s == sum;
    }
}

/// A property that changes state is only asked, never called.
contract MedusaAsks {
    uint256 private asked;
    uint256 private told;

    function tell() public {
        told++;
    }

    function property_is_asked_once() public returns (bool) {
        asked++;
        return asked == 1;
    }

    function property_is_told_little() public view returns (bool) { // fails
        return told < 3;
    }
}

/// An assertion that a helper makes belongs to the line that asks for it, and a function may
/// fail at several lines.
contract MedusaHelpers {
    event Log(string);

    uint256 private total;

    function atMost(uint256 a, uint256 b, string memory reason) internal {
        if (a > b) {
            emit Log(reason);
            assert(false);
        }
    }

    function small(uint256 a) internal {
        atMost(a, 600, "small numbers");
    }

    function add(uint8 n) public {
        atMost(n, 255, "never");
        total += n;
        small(total); // fails
        atMost(n % 7, 5, "not six"); // fails
        assert(n != 93); // fails
    }
}
