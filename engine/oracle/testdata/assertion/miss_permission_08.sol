pragma solidity ^0.8.0;

// Locks of tokens, which only their owners and operators change. The author wrote assert
// where require is meant: strangers are refused.
contract Locks {
    struct Lock {
        uint128 amount;
        uint128 end;
    }

    mapping(uint256 => address) public owners;
    mapping(address => mapping(address => bool)) public operators;
    mapping(uint256 => Lock) public locks;
    uint256 public count;

    function mayChange(address who, uint256 id) internal view returns (bool) {
        return owners[id] == who || operators[owners[id]][who];
    }

    function create(uint128 amount) external {
        owners[++count] = msg.sender;
        locks[count] = Lock(amount, uint128(block.timestamp) + 4 weeks);
    }

    function appoint(address operator, bool appointed) external {
        assert(operator != msg.sender); // allow: assertion
        operators[msg.sender][operator] = appointed;
    }

    function extend(uint256 id, uint32 time) external {
        Lock memory lock = locks[id];
        require(time < 4 weeks);
        assert(mayChange(msg.sender, id)); // allow: assertion
        lock.end += time;
        locks[id] = lock;
    }

    function end(uint256 id) external {
        assert(mayChange(msg.sender, id)); // allow: assertion
        require(locks[id].end <= block.timestamp);
        delete locks[id];
        delete owners[id];
    }
}
