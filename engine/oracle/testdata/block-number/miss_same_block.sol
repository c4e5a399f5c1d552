pragma solidity ^0.8.0;

// Deposits leave in a later block than they came, whichever it is.
contract Guarded {
    mapping(address => uint256) public balance;
    mapping(address => uint256) public last;
    mapping(address => uint256) public next;

    function deposit() external payable {
        balance[msg.sender] += msg.value;
        last[msg.sender] = block.number;
        next[msg.sender] = block.number + 1;
    }

    function withdraw() external {
        require(block.number > last[msg.sender], "same block");
        pay();
    }

    function exit() external {
        require(block.number >= next[msg.sender], "same block");
        pay();
    }

    function pay() internal {
        uint256 amount = balance[msg.sender];
        balance[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
