pragma solidity ^0.6.0;

library Rules {
    function check(uint256 amount) external pure returns (bool) {
        require(amount < 100, "too much");
        return true;
    }
}

contract Spender {
    uint256 public spent;
    address private rules = address(Rules);

    function spend(uint256 amount) external {
        rules.delegatecall(abi.encodeWithSignature("check(uint256)", amount)); // expect: exception-disorder, unchecked-call
        spent = amount;
    }
}
