pragma solidity ^0.8.0;

// The hook is kept as an address, and called as a contract.
interface Hook {
    function allowed(address who) external view returns (bool);
}

contract Vault {
    mapping(address => uint256) public balances;
    address public immutable admin = msg.sender;
    address public hook;

    function setHook(address to) external {
        require(msg.sender == admin, "not the admin");
        hook = to;
    }

    function put() external payable {
        require(Hook(hook).allowed(msg.sender), "not allowed");
        balances[msg.sender] += msg.value;
    }

    function take() external {
        require(Hook(hook).allowed(msg.sender), "not allowed");
        uint256 amount = balances[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}(""); // expect: reentrancy
        require(ok, "not paid");
        balances[msg.sender] = 0;
    }
}
