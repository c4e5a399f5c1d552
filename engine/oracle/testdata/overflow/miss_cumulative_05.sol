pragma solidity ^0.5.0;

// A sum of prices over time: readers take differences of it.
contract Market {
    uint64 public price = 1 << 63;
    uint64 public cumulative;
    uint256 private last = now;

    function setPrice(uint64 to) external {
        require(to > 0);
        tick();
        price = to;
    }

    function tick() public {
        uint64 elapsed = uint64((now - last) % 1000);
        require(elapsed == 0 || price <= uint64(-1) / elapsed);
        cumulative += price * elapsed;
        last = now;
    }
}
