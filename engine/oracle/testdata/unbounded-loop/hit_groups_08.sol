pragma solidity ^0.8.0;

// Lists by group, which anyone makes longer.
contract Groups {
    mapping(uint8 => uint256[]) amounts;
    uint256 public sum;

    function add(uint8 group) external {
        amounts[group].push(block.timestamp);
    }

    function total(uint8 group) external {
        uint256 s;
        for (uint256 i = 0; i < amounts[group].length; i++) { // expect: unbounded-loop
            s += amounts[group][i];
        }
        sum = s;
    }
}
