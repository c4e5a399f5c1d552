// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Variables of every sort, events, errors and calls of another contract.
contract Coin {
    mapping(address => uint256) public balanceOf;
    address public immutable minter;

    event Transfer(address indexed from, address indexed to, uint256 value);

    error TooPoor(address who, uint256 has, uint256 needs);

    constructor() {
        minter = msg.sender;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (balanceOf[from] < value) revert TooPoor(from, balanceOf[from], value);
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

contract Bank {
    enum Kind { None, Savings, Margin }

    struct Account {
        Kind kind;
        bool frozen;
        uint64 since;
        int128 balance;
        string label;
        uint256[] history;
    }

    mapping(address => Account) accounts;
    mapping(address => mapping(bytes32 => uint256)) limits;
    uint128 total;
    uint64 count;
    bool busy;
    address[] customers;
    Coin public coin;

    event Opened(address indexed who, Kind kind, string label);
    event Moved(address indexed who, int256 amount, bytes note);

    error Frozen(address who);

    constructor(Coin _coin) {
        coin = _coin;
    }

    modifier once() {
        require(!busy, "busy");
        busy = true;
        _;
        busy = false;
    }

    function open(string calldata label, Kind kind) external {
        Account storage a = accounts[msg.sender];
        a.kind = kind;
        a.since = uint64(block.timestamp);
        a.label = label;
        customers.push(msg.sender);
        count++;
        emit Opened(msg.sender, kind, label);
    }

    function deposit(uint256 amount) external payable once returns (int256 balance, uint256 entries) {
        Account storage a = accounts[msg.sender];
        if (a.frozen) revert Frozen(msg.sender);
        coin.transferFrom(msg.sender, address(this), amount);
        a.balance += int128(int256(amount));
        a.history.push(amount);
        total += uint128(amount);
        emit Moved(msg.sender, int256(amount), hex"c0ffee");
        return (a.balance, a.history.length);
    }

    function withdraw(uint256 amount) external once {
        accounts[msg.sender].balance -= int128(int256(amount));
        limits[msg.sender][keccak256("day")] = amount;
        emit Moved(msg.sender, -int256(amount), "");
        assert(accounts[msg.sender].balance >= 0);
    }

    function tryDeposit(uint256 amount) external {
        try coin.transferFrom(msg.sender, address(this), amount) returns (bool) {
            total += uint128(amount);
        } catch (bytes memory) {
            accounts[msg.sender].frozen = true;
        }
    }

    receive() external payable {
        require(msg.value != 7);
    }
}
