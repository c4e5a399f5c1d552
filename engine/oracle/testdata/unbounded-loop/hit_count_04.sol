pragma solidity ^0.4.24;

contract Queue {
    mapping(uint256 => uint256) public amounts;
    uint256 public count;
    uint256 public sum;

    function add(uint256 amount) public {
        require(amount < 1000000);
        amounts[count] = amount;
        count++; // allow: overflow
    }

    function close() public {
        uint256 i = 0;
        while (i < count) { // expect: unbounded-loop
            sum += amounts[i]; // allow: overflow
            i++;
        }
    }
}
