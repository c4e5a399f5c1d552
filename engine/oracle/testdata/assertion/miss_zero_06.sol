pragma solidity ^0.6.0;

// The author says assert where require is meant: no address is nobody.
contract Allowances {
    mapping(address => mapping(address => uint256)) public allowed;

    function approve(address spender, uint256 amount) external {
        _approve(msg.sender, spender, amount);
    }

    function _approve(address owner, address spender, uint256 amount) internal {
        assert(owner != address(0));
        assert(spender != address(0)); // allow: assertion
        allowed[owner][spender] = amount;
    }
}
