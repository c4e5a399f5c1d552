pragma solidity ^0.4.24;

// What is paid in is bounded by the ether there is.
contract Wallet {
    mapping(address => uint256) public balanceOf;
    uint256 public total;

    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
        total += msg.value;
    }

    function withdraw(uint256 amount) public {
        require(balanceOf[msg.sender] >= amount);
        balanceOf[msg.sender] -= amount;
        total -= amount;
        msg.sender.transfer(amount);
    }

    function refuse(uint128 a, uint128 b) public pure returns (uint256) {
        uint256 c = uint256(a) + b;
        assert(c >= a && c >= b);
        return c;
    }
}
