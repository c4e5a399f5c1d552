pragma solidity >=0.4.11 <0.5.0;

import "./Sums.sol";
import {Named as Base} from "./Named.sol";

/* no constructor keyword, no emit, no view: that is 0.4.11 */
contract Counter is Base {
    mapping(address => uint256) balances;
    event Added(address indexed who, uint256 amount);

    modifier positive(uint256 amount) {
        require(amount > 0);
        _;
    }

    function add(uint256 amount) positive(amount) {
        balances[msg.sender] = Sums.total(balances[msg.sender], amount);
        assert(balances[msg.sender] < 1000);
        Added(msg.sender, amount);
    }
}
