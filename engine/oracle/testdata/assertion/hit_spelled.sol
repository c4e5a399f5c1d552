pragma solidity >=0.8.0 <0.9.0;

library Words {
    function spell(uint256 n) internal pure returns (string memory) {
        bytes memory digits = new bytes(78);
        for (uint256 i = 78; i > 0; i--) {
            digits[i - 1] = bytes1(uint8(48 + (n % 10)));
            n /= 10;
        }
        return string(digits);
    }
}

// Between the call and the assertion run thousands of instructions.
contract Spelled {
    event Log(string);

    function eq(uint256 a, uint256 b) internal {
        if (a != b) {
            emit Log(string(abi.encodePacked(Words.spell(a), " is not ", Words.spell(b))));
            assert(false);
        }
    }

    function pay(uint256 amount) external {
        if (amount > 1e18) {
            eq(amount % 1e18, (amount - 1e18) % 1e18);
            eq(amount, amount / 1e9 * 1e9); // expect: assertion
        }
    }
}
