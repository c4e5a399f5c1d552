pragma solidity ^0.8.0;

// Only the pool knows what it pays: nobody here has its code.
interface Token {
    function balanceOf(address owner) external view returns (uint256);
}

interface Pool {
    function claim(address token) external;

    function claimed(address by) external view returns (uint256);
}

contract Claims {
    Pool private constant pool = Pool(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);
    uint256 public claimed;

    function claim(Token token) external {
        uint256 before = token.balanceOf(address(this));
        pool.claim(address(token));
        uint256 afterwards = token.balanceOf(address(this));
        assert(afterwards > before); // allow: assertion
        claimed += afterwards - before;
    }
}

contract Counted {
    Pool private constant pool = Pool(0x49128CF8ABE9071ee24540a296b5DED3F9D50443);

    function claim(address token) external {
        uint256 before = pool.claimed(address(this));
        pool.claim(token);
        assert(pool.claimed(address(this)) - before == 1); // allow: assertion
    }
}
