pragma solidity ^0.8.0;

// Each wrap is found out afterwards, with and without branches.
contract Meters {
    uint256 public total;
    uint256 public low;
    uint256 public high;
    uint256 public area;
    uint128 public liquidity;

    function flag(bool b) internal pure returns (uint256 u) {
        assembly {
            u := iszero(iszero(b))
        }
    }

    function saturate(uint256 x) external {
        unchecked {
            uint256 sum = total + x;
            bool fits = sum >= x;
            uint256 rest = sum * flag(fits);
            total = type(uint256).max ^ ((rest ^ type(uint256).max) * flag(fits));
        }
    }

    function reduce(uint256 x) external {
        unchecked {
            uint256 left = total - x;
            total = left * flag(left <= total);
        }
    }

    function carry(uint256 x) external {
        unchecked {
            uint256 sum = low + x;
            if (sum < low) high++;
            low = sum;
        }
    }

    function multiply(uint256 a, uint256 b) external returns (bool fits) {
        unchecked {
            uint256 product = a * b;
            assembly {
                fits := or(eq(div(product, a), b), iszero(a))
            }
            area = product * flag(fits);
        }
    }

    function inAssembly(uint256 x) external {
        unchecked {
            uint256 sum = total + x;
            assembly {
                sum := or(sum, sub(0, lt(sum, x)))
            }
            total = sum;
        }
    }

    function change(int128 by) external {
        uint128 was = liquidity;
        uint128 is_;
        unchecked {
            if (by < 0) {
                require((is_ = was - uint128(-by)) < was, "too little");
            } else {
                require((is_ = was + uint128(by)) >= was, "too much");
            }
        }
        liquidity = is_;
    }
}
