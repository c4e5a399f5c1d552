pragma solidity ^0.8.0;

// Nobody has so much ether that an amount of wei does not fit, which the lockup refuses.
interface Lockup {
    function lock(address owner, uint256 amount) external payable;
}

contract Offers {
    Lockup private constant lockup = Lockup(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);
    mapping(address => uint96) public offered;

    function offer(uint256 amount) external payable {
        lockup.lock{value: msg.value}(msg.sender, amount);
        offered[msg.sender] = uint96(amount); // allow: overflow
    }
}
