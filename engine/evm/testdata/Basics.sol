pragma solidity >=0.4.16;

// Code in the words that every compiler since 0.4.16 knows.
contract Basics {
    mapping(address => uint256) public balances;
    uint256[] public list;
    bytes public blob;
    address public last;

    event Put(address indexed who, uint256 value);

    function put(uint256 value) public {
        balances[msg.sender] = balances[msg.sender] + value;
        Put2(value);
        list.push(value);
    }
    function Put2(uint256 value) internal { blob = msg.data; assert(value != 3); }
    function sum(uint256 n) public view returns (uint256 s) {
        for (uint256 i = 0; i < n && i < list.length; i++) s += list[i] / (n - i);
    }
    function take(uint256 value) public {
        require(balances[msg.sender] >= value);
        balances[msg.sender] -= value;
        last = msg.sender;
    }
    function drop() public { delete list; delete blob; }
    function mod(uint256 a, uint256 b) public pure returns (uint256) { return addmod(a, b, 7) + a % b + a ** b; }
}
