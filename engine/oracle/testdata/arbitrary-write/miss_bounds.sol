pragma solidity ^0.5.0;

contract SafeBonus {
    uint256[] private codes;

    function append(uint256 code) external {
        codes.push(code);
    }

    function removeLast() external {
        require(codes.length > 0);
        codes.length--;
    }

    function replace(uint256 at, uint256 code) external {
        require(at < codes.length);
        codes[at] = code;
    }
}
