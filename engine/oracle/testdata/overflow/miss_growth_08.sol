pragma solidity ^0.8.0;

// What a share earned is the growth since it was last settled. The growth counts
// in a circle: differences stay right.
contract Growth {
    struct Position {
        uint128 shares;
        uint128 seen;
        uint256 owed;
    }

    uint128 public global = type(uint128).max - 1000;
    uint128 public outside;
    mapping(address => Position) public positions;

    event Grown(uint128 global);

    function earn(uint128 amount) external {
        unchecked {
            global += amount;
        }
        emit Grown(global);
    }

    function cross() external {
        unchecked {
            outside = global - outside;
        }
    }

    function inside() public view returns (uint128) {
        unchecked {
            return global - outside;
        }
    }

    function settle(uint128 shares) external {
        require(shares < 1 << 100);
        update(positions[msg.sender], inside());
        positions[msg.sender].shares = shares;
    }

    function update(Position storage p, uint128 current) internal {
        uint128 delta;
        unchecked {
            delta = current - p.seen;
        }
        p.owed += uint256(delta) * p.shares;
        p.seen = current;
    }
}
