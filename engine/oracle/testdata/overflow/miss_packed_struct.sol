pragma solidity ^0.8.0;

// What shares a word with something else is taken out of it where the number
// that is added is narrowed. The number itself fits.
contract Staking {
    struct Stake {
        uint128 amount;
        uint64 since;
    }
    mapping(address => Stake) public stakes;

    function stake(uint256 amount) external {
        require(amount < 2 ** 100);
        stakes[msg.sender].amount += uint128(amount);
        stakes[msg.sender].since = uint64(block.timestamp);
    }

    function withdraw(uint256 amount) external {
        require(amount < 2 ** 100);
        Stake storage s = stakes[msg.sender];
        if (s.amount < amount) return;
        s.amount -= uint128(amount);
    }
}
