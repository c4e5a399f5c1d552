pragma solidity ^0.8.0;

contract RocketToken {
    mapping(address => uint256) public balance;

    function pay(address to, uint256 amount) external {
        balance[to] += amount;
    }
}

// Its initializer fails for every token. What was deployed for the attempts goes
// with them.
contract Launch {
    address public sold;

    function initialize(address token, uint256 price) external {
        sold = price > 0 ? token : address(0);
        revert("not now");
    }

    function sell(uint256 amount) external view returns (uint256) {
        return amount / 2;
    }
}
