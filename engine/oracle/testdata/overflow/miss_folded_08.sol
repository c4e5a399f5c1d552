pragma solidity ^0.8.0;

// Between two constants of one sum optimisers subtract beforehand, and the rest is less than
// zero; the sum never is.
contract Stairs {
    uint256 internal constant FIRST = 0.0000001 ether;
    uint256 internal constant STEP = 0.00000001 ether;
    uint256 public sold;
    mapping(address => uint256) public paid;

    function price(uint256 tokens) internal pure returns (uint256) {
        unchecked {
            return (FIRST + (STEP * tokens)) - STEP;
        }
    }

    function buy(uint64 tokens) external {
        require(tokens > 0, "none");
        sold += tokens;
        paid[msg.sender] = price(tokens);
    }
}
