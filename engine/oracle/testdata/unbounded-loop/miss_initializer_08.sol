pragma solidity ^0.8.0;

// Only the owner, whom the project's initializer names, lengthens the list: a note.
contract Rewards {
    address public owner;
    uint256[] public months;
    uint256 public total;

    function initialize(uint256[] calldata first, address owner_) external {
        require(owner == address(0), "twice");
        require(owner_ != address(0), "no owner");
        owner = owner_;
        for (uint256 i = 0; i < first.length; ++i) months.push(first[i]);
    }

    function add(uint256 month) external {
        require(msg.sender == owner, "not the owner");
        months.push(month);
    }

    function sum() external {
        uint256 all;
        for (uint256 i = 0; i < months.length; ++i) all ^= months[i]; // allow: unbounded-loop
        total = all;
    }
}

// The same without a name: the owner is who calls.
contract Payouts {
    address public owner;
    address[] payees;
    mapping(address => uint256) public due;

    function initialize() external {
        require(owner == address(0), "twice");
        owner = msg.sender;
    }

    function add(address payee) external {
        require(msg.sender == owner, "not the owner");
        payees.push(payee);
    }

    function pay() external {
        for (uint256 i = 0; i < payees.length; ++i) due[payees[i]] += 1; // allow: unbounded-loop
    }
}

// Before it is initialized, everybody changes what the initializer sets.
contract Bonus {
    address public owner;
    uint256 public last;
    bool public touched;
    uint256[] rates;
    uint256 public total;

    function touch() external {
        require(owner == address(0), "too late");
        last = block.timestamp;
        touched = true;
    }

    function initialize(address owner_) external {
        require(owner == address(0) && owner_ != address(0), "twice");
        owner = owner_;
        last = 1;
    }

    function add(uint256 rate) external {
        require(msg.sender == owner, "not the owner");
        rates.push(rate);
    }

    function sum() external {
        require(touched, "not touched");
        uint256 all = 1;
        for (uint256 i = 0; i < rates.length; ++i) all ^= rates[i]; // allow: unbounded-loop
        total = all;
    }
}
