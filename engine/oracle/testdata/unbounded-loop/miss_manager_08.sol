pragma solidity ^0.8.0;

// Only the manager, whose address stands here, lengthens the list.
contract Hooks {
    address constant manager = 0xa3C5A1e09150B75ff251c1a7815A07182c3de2FB;
    mapping(address => address[]) public hooks;
    uint256 public runs;

    function add(address pool, address hook) external {
        require(msg.sender == manager, "not the manager");
        hooks[pool].push(hook);
    }

    function run() external {
        uint256 n = hooks[msg.sender].length;
        for (uint256 i; i < n; ++i) {
            if (hooks[msg.sender][i] != address(0)) runs += 1;
        }
    }
}
