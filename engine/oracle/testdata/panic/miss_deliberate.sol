pragma solidity >=0.7.0 <0.9.0;

// Who writes invalid() wants the call to end there.
contract Proofs {
    uint256 public accepted;

    function sum(uint256 a, uint256 b) public view returns (uint256 c) {
        assembly {
            mstore(0, a)
            mstore(0x20, b)
            let done := staticcall(gas(), 6, 0, 0x40, 0, 0x40)
            switch done
            case 0 { invalid() } // allow: panic
            c := mload(0)
        }
    }

    function submit(uint256 a, uint256 b) external {
        accepted = sum(a, b);
    }
}
