pragma solidity ^0.6.0;

library Sets {
    struct Set {
        mapping(uint256 => bool) has;
        uint256 size;
    }

    function insert(Set storage set, uint256 value) external {
        if (!set.has[value]) {
            set.has[value] = true;
            set.size++;
        }
    }
}

contract Members {
    using Sets for Sets.Set;
    Sets.Set private members;

    function join(uint256 id) external {
        members.insert(id);
    }

    function size() external view returns (uint256) {
        return members.size;
    }
}
