pragma solidity ^0.4.24;

// A result that does not fit is asserted not to be, as later compilers check.
library SafeMath {
    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a * b;
        assert(a == 0 || c / a == b); // allow: assertion
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        assert(b <= a); // allow: assertion
        return a - b;
    }
}

contract Token {
    using SafeMath for uint256;

    mapping(address => uint256) public balances;

    constructor() public {
        balances[msg.sender] = 1000;
    }

    function transfer(address to, uint256 amount) public {
        balances[msg.sender] = balances[msg.sender].sub(amount);
        balances[to] += amount;
    }

    function price(uint256 amount) public pure returns (uint256) {
        return amount.mul(3);
    }
}
