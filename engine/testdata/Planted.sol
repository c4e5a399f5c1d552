// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// One contract for each technique: what has to work for its assertion to fail.

/// A constant in plain sight: a dictionary.
contract Constant {
    function open(uint64 code) external pure {
        assert(code != 0x5eed5eed);
    }
}

/// A linear relation whose solution is nowhere in the code: prediction.
contract Linear {
    function open(uint256 a, uint128 b) external pure {
        unchecked {
            if (a * 29 + 1234 == 987648342007655557) assert(b != a / 3 + 77);
        }
    }
}

/// A quadratic: iterated prediction.
contract Quadratic {
    function open(int128 x) external pure {
        int256 y = x;
        unchecked {
            assert(y * y - 6 * y != 99997618167);
        }
    }
}

/// State that two transactions have to build, one of them with a secret
/// relation to the other: demand-driven sequences.
contract Stateful {
    uint256 private level;
    mapping(address => uint256) private ticket;

    function buy(uint256 n) external {
        require(n > 500 && n < 600, "range");
        ticket[msg.sender] = n;
    }

    function climb(uint256 by) external {
        require(ticket[msg.sender] != 0, "no ticket");
        level = ticket[msg.sender] + by;
    }

    function win() external view {
        assert(level != 2 * ticket[msg.sender] + 11);
    }
}

/// A property that breaks after two calls.
contract Property {
    uint256 private total;
    uint256 private counted;

    function add(uint128 n) external {
        total += n;
        if (n != 4242) counted += n;
    }

    function invariant_counts() external view returns (bool) {
        return total == counted;
    }
}

/// A hash whose preimage the contract was told before.
contract Hashed {
    bytes32 private secret;

    function commit(bytes calldata what) external {
        require(what.length >= 8);
        secret = keccak256(what);
    }

    function reveal(bytes calldata what) external view {
        assert(secret == 0 || keccak256(what) != secret);
    }
}

/// A signature of the contract's creator.
contract Signed {
    address private immutable signer = msg.sender;

    function accept(uint256 amount, uint8 v, bytes32 r, bytes32 s) external view {
        bytes32 digest = keccak256(abi.encode(address(this), amount));
        assert(ecrecover(digest, v, r, s) != signer);
    }
}

/// Exact wei and a time in the future.
contract Sale {
    uint256 private immutable opens = block.timestamp + 10 days;

    function pay() external payable {
        require(block.timestamp >= opens, "early");
        assert(msg.value != 1.25 ether);
    }
}

/// Nothing is wrong here.
contract Sound {
    mapping(address => uint256) public balance;

    function put(uint256 n) external {
        require(n < 1e30);
        balance[msg.sender] += n;
        assert(balance[msg.sender] >= n);
    }
}

/// A text that the source spells out, and a number behind a flag.
contract Phrase {
    string private constant WORD = "open sesame";
    bool private open;

    function say(string calldata what) external {
        if (keccak256(bytes(what)) == keccak256(bytes(WORD))) open = true;
    }

    function enter(uint256 x) external view {
        if (open && x * x == 1522756) assert(false);
    }
}

/// What is signed says how much: it has to be signed anew for every amount.
contract Voucher {
    address private immutable issuer;

    constructor() {
        issuer = msg.sender;
    }

    function redeem(uint256 amount, uint8 v, bytes32 r, bytes32 s) external view {
        bytes32 digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", keccak256(abi.encode(amount, address(this)))));
        require(ecrecover(digest, v, r, s) == issuer, "not the issuer");
        assert(amount < 1 ether);
    }
}
