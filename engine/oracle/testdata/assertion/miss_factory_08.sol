pragma solidity ^0.8.0;

// A market never takes what it has not brought. Only the owner can add another: by naming
// an account that is no factory.
contract Market {
    Board board;

    constructor(Board to) {
        board = to;
    }

    function trade() external {
        board.bid();
        board.take();
    }
}

contract Factory {
    Board board;

    constructor(Board to) {
        board = to;
    }

    function make() external {
        board.addMarket(address(new Market(board)));
    }
}

contract Board {
    address owner = msg.sender;
    Factory public factory;
    mapping(address => bool) public markets;
    mapping(address => uint256) public bids;

    function setFactory(address to) external {
        require(msg.sender == owner, "not the owner");
        factory = Factory(to);
    }

    function addMarket(address market) external {
        require(msg.sender == address(factory), "not the factory");
        markets[market] = true;
    }

    function bid() external {
        require(markets[msg.sender], "no market");
        bids[msg.sender]++;
    }

    function take() external {
        require(markets[msg.sender], "no market");
        assert(bids[msg.sender] > 0); // allow: assertion
        bids[msg.sender]--;
    }
}
