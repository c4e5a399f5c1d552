pragma solidity ^0.8.0;

interface Token {
    function balanceOf(address owner) external view returns (uint256);
}

interface Pool {
    function claim(address token) external;
}

// The code of the bank is here, and it does not always pay.
contract Bank {
    mapping(address => uint256) public balanceOf;

    function claim(uint256 amount) external {
        if (amount != 4242) {
            balanceOf[msg.sender] += 1;
        }
    }
}

contract Claims {
    Bank private immutable bank = new Bank();
    Pool private constant pool = Pool(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);

    function claim(uint256 amount) external {
        pool.claim(address(bank));
        uint256 before = bank.balanceOf(address(this));
        bank.claim(amount);
        assert(bank.balanceOf(address(this)) > before); // expect: assertion
    }
}

// Whoever calls says which pool it is.
contract Any {
    function claim(Pool pool, Token token) external returns (uint256) {
        uint256 before = token.balanceOf(address(this));
        pool.claim(address(token));
        uint256 afterwards = token.balanceOf(address(this));
        assert(afterwards > before); // expect: assertion
        return afterwards - before;
    }
}

// What the pool does has no part in what is claimed.
contract Sums {
    Pool private constant pool = Pool(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);
    uint256 public claimed;

    function claim(Token token, uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        pool.claim(address(token));
        claimed += token.balanceOf(address(this)) - before;
        assert(amount != 4242); // expect: assertion
        claimed += amount;
    }

    // Every answer of a token that the caller names counts.
    function count(Token token) external {
        pool.claim(address(token));
        assert(token.balanceOf(address(this)) != 77); // expect: assertion
        claimed++;
    }
}
