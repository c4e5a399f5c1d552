pragma solidity ^0.8.0;

// A Dutch auction: the price falls ever more slowly, and the buyer decides when
// to pay it.
contract Dutch {
    uint256 public immutable start = block.timestamp;
    uint256 public sold;
    address payable immutable seller = payable(msg.sender);

    function price() public view returns (uint256) {
        uint256 hoursGone = (block.timestamp - start) / 1 hours;
        if (hoursGone > 20) return 1 ether >> 21;
        uint256 now_ = 1 ether >> hoursGone;
        uint256 next = now_ / 2;
        return now_ - (now_ - next) * ((block.timestamp - start) % 1 hours) / 1 hours;
    }

    function buy() external payable {
        uint256 due = price();
        require(msg.value >= due, "too little");
        sold++;
        seller.transfer(due);
        payable(msg.sender).transfer(msg.value - due);
    }
}
