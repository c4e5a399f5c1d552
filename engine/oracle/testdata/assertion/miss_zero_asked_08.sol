pragma solidity ^0.8.0;

// Only contracts that are asked burn, so that one of them passes the zero address, and no
// transaction does.
contract Shares {
    address public asked;
    mapping(address => uint256) public burnt;

    function burn(address who, uint256 amount) external {
        require(msg.sender == asked, "not asked");
        _burn(who, amount);
    }

    function _burn(address who, uint256 amount) internal {
        assert(who != address(0)); // allow: assertion
        burnt[who] = amount;
    }

    function ask(address operator) external {
        asked = operator;
        (bool done, ) = operator.call("");
        require(done, "refused");
        asked = address(0);
    }
}
