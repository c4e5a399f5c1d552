pragma solidity ^0.8.0;

// Deposits leave at least a block after they came.
contract Elapsed {
    mapping(address => uint256) public balance;
    mapping(address => uint256) public last;

    function deposit() external payable {
        balance[msg.sender] += msg.value;
        last[msg.sender] = block.number;
    }

    function leave() external {
        require(block.number - last[msg.sender] >= 1, "same block");
        pay();
    }

    function pay() internal {
        uint256 amount = balance[msg.sender];
        balance[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
