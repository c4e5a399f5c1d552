pragma solidity ^0.8.0;

interface Lockup {
    function lock(address owner, uint256 amount) external payable;

    function log(uint256 amount) external;
}

// An amount that people have does not fit.
contract Offers {
    Lockup private constant lockup = Lockup(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);
    mapping(address => uint64) public offered;

    function offer(uint256 amount) external payable {
        lockup.lock{value: msg.value}(msg.sender, amount);
        offered[msg.sender] = uint64(amount); // expect: overflow
    }
}

// It does not matter whether the lockup takes the amount.
contract Careless {
    Lockup private constant lockup = Lockup(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);
    mapping(address => uint96) public offered;

    function offer(uint256 amount) external payable {
        try lockup.lock{value: msg.value}(msg.sender, amount) {} catch {}
        offered[msg.sender] = uint96(amount); // expect: overflow
    }
}

// What is cut is no amount that the lockup takes.
contract Other {
    Lockup private constant lockup = Lockup(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);
    mapping(address => uint96) public offered;

    function offer(uint256 amount, uint256 price) external payable {
        lockup.lock{value: msg.value}(msg.sender, amount);
        offered[msg.sender] = uint96(price); // expect: overflow
    }
}

// A function that takes no ether may take any number.
contract Logged {
    Lockup private constant lockup = Lockup(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);
    mapping(address => uint96) public offered;

    function offer(uint256 amount) external {
        lockup.log(amount);
        offered[msg.sender] = uint96(amount); // expect: overflow
    }
}
