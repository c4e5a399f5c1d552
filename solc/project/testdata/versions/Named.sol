pragma solidity >=0.4.11 <0.5.0;


contract Named {
    uint256 id = 7;
}
