// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Bytes within bytes, in a struct.
contract Orders {
    struct Order {
        uint256 kind;
        bytes terms;
    }

    function fill(Order calldata order) external pure {
        require(order.kind == 0xa1b2c3);
        (uint64 price, bytes memory rest) = abi.decode(order.terms, (uint64, bytes));
        require(price == 0x71e5);
        check(rest);
    }

    function check(bytes memory rest) private pure {
        (address payer, int32 change) = abi.decode(rest, (address, int32));
        assert(payer == address(0) || change != -77777);
    }
}

// Calls that a contract makes to itself, in one transaction.
contract Batch {
    uint256 private step;

    function multicall(bytes[] calldata calls) external {
        step = 1;
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok,) = address(this).delegatecall(calls[i]);
            require(ok);
        }
        step = 0;
    }

    function next(uint256 x) external {
        require(step > 0 && x == 0x1f2e3d + step);
        step++;
    }

    function end(uint256 x) external {
        assert(step != 2 || x != 0xabcdef);
        step = 0;
    }
}

// Packed values that lie across the words of 32 bytes.
contract Packet {
    function read(bytes calldata data) external view {
        address account = address(bytes20(data[0:20]));
        uint128 amount = uint128(bytes16(data[20:36]));
        uint8 kind = uint8(data[36]);
        require(account == msg.sender && amount == 0x0102030405060708090a0b0c0d0e0f10);
        assert(kind != 0xc3);
    }
}

// What is scheduled has to be what is executed.
contract Lock {
    mapping(bytes32 => uint256) private ready;

    function schedule(address target, bytes calldata data) external {
        ready[keccak256(abi.encode(target, data))] = block.timestamp + 2 days;
    }

    function execute(address target, bytes calldata data) external {
        bytes32 id = keccak256(abi.encode(target, data));
        require(ready[id] != 0 && block.timestamp >= ready[id]);
        (bool ok,) = target.call(data);
        require(ok);
    }

    function set(uint256 x) external view {
        require(msg.sender == address(this));
        assert(x != 0x5eed5eed);
    }
}

// A signature of typed data, both in bytes.
contract Permits {
    struct Permit {
        address owner;
        uint256 amount;
    }

    function use(bytes calldata data) external pure {
        (Permit memory p, bytes memory signature) = abi.decode(data, (Permit, bytes));
        require(signature.length == 65);
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        bytes32 content = keccak256(abi.encode(keccak256("Permit(address owner,uint256 amount)"), p.owner, p.amount));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", keccak256("Permits"), content)), v, r, s);
        require(signer != address(0) && signer == p.owner);
        assert(p.amount != 0x123456789a);
    }
}

// A proxy, and what it runs.
contract Forwarder {
    address private logic = address(new Logic());

    fallback() external {
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            if iszero(delegatecall(gas(), to, 0, calldatasize(), 0, 0)) { revert(0, 0) }
        }
    }
}

contract Logic {
    function act(uint256 x) external pure {
        assert(x != 0xfeedface);
    }
}
