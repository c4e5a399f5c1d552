pragma solidity ^0.8.0;

// The result is looked at, only later.
contract Late {
    bool public worked;
    event Paid(address to, bool ok);

    function pay(address to, uint256 amount) external {
        (bool ok, ) = to.call{value: amount}("");
        emit Paid(to, ok);
        worked = ok;
    }

    function try_(address to, uint256 amount) external returns (bool) {
        (bool ok, ) = to.call{value: amount}("");
        return ok;
    }

    function must(address to, uint256 amount) external {
        bool ok = send(to, amount);
        require(ok, "not paid");
    }

    function send(address to, uint256 amount) internal returns (bool ok) {
        (ok, ) = to.call{value: amount}("");
    }
}
