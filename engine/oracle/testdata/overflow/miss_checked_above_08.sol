pragma solidity ^0.8.20;

// Nobody gives points that they do not have, so nothing wraps. Via IR, the optimiser
// keeps one addition, and places it at the subtraction.
contract Points {
    mapping(address => uint256) public points;
    uint256 public total;

    constructor() {
        move(address(0), msg.sender, 1);
    }

    function give(address to, uint256 n) external {
        require(to != address(0));
        move(msg.sender, to, n);
    }

    function move(address from, address to, uint256 n) internal {
        if (from == address(0)) {
            total += n;
        } else {
            uint256 had = points[from];
            require(had >= n);
            unchecked {
                points[from] = had - n;
            }
        }
        if (to == address(0)) {
            unchecked {
                total -= n;
            }
        } else {
            unchecked {
                points[to] += n;
            }
        }
    }
}
