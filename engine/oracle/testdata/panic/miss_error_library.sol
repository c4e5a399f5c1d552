pragma solidity ^0.8.0;

// A library refuses what the compiler would check.
library Errors {
    string internal constant NONE = "there is nothing at this place, or nobody to share it with";

    function check(bool ok, string memory why) internal pure {
        require(ok, why);
    }

    function share(uint256 total, uint256 parts) internal pure returns (uint256) {
        check(parts > 0, NONE);
        return total / parts;
    }
}

contract Shares {
    uint256[] private list;
    uint256 public parts = 3;

    function add(uint256 n) external {
        list.push(n);
    }

    function leave() external {
        Errors.check(parts > 0, Errors.NONE);
        parts--;
    }

    function pay(uint256 i) external view returns (uint256) {
        Errors.check(i < list.length, Errors.NONE);
        return Errors.share(list[i], parts);
    }
}
