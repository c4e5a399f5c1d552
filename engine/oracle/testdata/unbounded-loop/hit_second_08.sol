pragma solidity ^0.8.0;

// Two loops with stored ends: only the second one grows.
contract Payroll {
    uint256[] rates = [1, 2, 3];
    address[] staff;
    mapping(address => uint256) public due;

    function join() external {
        staff.push(msg.sender);
    }

    function accrue() external {
        uint256 sum;
        for (uint256 i = 0; i < rates.length; i++) {
            sum += rates[i];
        }
        for (uint256 i = 0; i < staff.length; i++) { // expect: unbounded-loop
            due[staff[i]] += sum;
        }
    }
}
