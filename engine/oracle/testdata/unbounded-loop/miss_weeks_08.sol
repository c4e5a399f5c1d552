pragma solidity ^0.8.0;

// Sums of at most twenty weeks are caught up with.
contract Weeks {
    uint256 public payments;
    uint256 public week;
    mapping(uint256 => uint256) public supplies;

    function pay() external {
        payments++;
    }

    function claim() external {
        for (uint256 i = 0; i < 20; i++) {
            if (week >= payments) break;
            supplies[week] = payments;
            week++;
        }
    }
}
