pragma solidity ^0.8.0;

// Each seller's list is its own, the list of all grows with what others offer.
contract Market {
    struct Offer {
        address seller;
        uint256 price;
    }

    mapping(address => uint256[]) prices;
    Offer[] offers;
    uint256 public earned;

    function offer(uint32 price) external {
        prices[msg.sender].push(price);
        offers.push(Offer(msg.sender, price));
    }

    function close() external {
        uint256 sum;
        for (uint256 i = 0; i < prices[msg.sender].length; i++) {
            sum += prices[msg.sender][i];
        }
        uint256 k;
        while (k < offers.length) { // expect: unbounded-loop
            if (offers[k].seller == msg.sender) {
                offers[k] = offers[offers.length - 1];
                offers.pop();
            } else {
                k++;
            }
        }
        earned += sum;
    }
}
