pragma solidity ^0.4.24;

// Pays before it books, and works only once its book is set.
contract Book {
    struct Entry {
        address who;
        uint256 amount;
    }

    Entry[] entries;

    function write(address who, uint256 amount) public {
        entries.push(Entry(who, amount));
    }
}

contract Purse {
    mapping(address => uint256) public balances;
    address owner = msg.sender;
    Book book;

    function setBook(address to) public {
        require(msg.sender == owner);
        book = Book(to);
    }

    function put() public payable {
        balances[msg.sender] += msg.value;
        book.write(msg.sender, msg.value);
    }

    function take(uint256 amount) public {
        require(balances[msg.sender] >= amount);
        if (msg.sender.call.value(amount)()) { // expect: reentrancy // allow: ether-leak
            balances[msg.sender] -= amount; // allow: overflow
            book.write(msg.sender, amount);
        }
    }
}
