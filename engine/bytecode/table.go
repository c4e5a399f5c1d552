package bytecode

// Op is an opcode.
type Op = byte

// The opcodes, by their number. PREVRANDAO was DIFFICULTY before the Merge.
const (
	STOP           Op = 0x00
	ADD            Op = 0x01
	MUL            Op = 0x02
	SUB            Op = 0x03
	DIV            Op = 0x04
	SDIV           Op = 0x05
	MOD            Op = 0x06
	SMOD           Op = 0x07
	ADDMOD         Op = 0x08
	MULMOD         Op = 0x09
	EXP            Op = 0x0a
	SIGNEXTEND     Op = 0x0b
	LT             Op = 0x10
	GT             Op = 0x11
	SLT            Op = 0x12
	SGT            Op = 0x13
	EQ             Op = 0x14
	ISZERO         Op = 0x15
	AND            Op = 0x16
	OR             Op = 0x17
	XOR            Op = 0x18
	NOT            Op = 0x19
	BYTE           Op = 0x1a
	SHL            Op = 0x1b
	SHR            Op = 0x1c
	SAR            Op = 0x1d
	CLZ            Op = 0x1e
	KECCAK256      Op = 0x20
	ADDRESS        Op = 0x30
	BALANCE        Op = 0x31
	ORIGIN         Op = 0x32
	CALLER         Op = 0x33
	CALLVALUE      Op = 0x34
	CALLDATALOAD   Op = 0x35
	CALLDATASIZE   Op = 0x36
	CALLDATACOPY   Op = 0x37
	CODESIZE       Op = 0x38
	CODECOPY       Op = 0x39
	GASPRICE       Op = 0x3a
	EXTCODESIZE    Op = 0x3b
	EXTCODECOPY    Op = 0x3c
	RETURNDATASIZE Op = 0x3d
	RETURNDATACOPY Op = 0x3e
	EXTCODEHASH    Op = 0x3f
	BLOCKHASH      Op = 0x40
	COINBASE       Op = 0x41
	TIMESTAMP      Op = 0x42
	NUMBER         Op = 0x43
	PREVRANDAO     Op = 0x44
	GASLIMIT       Op = 0x45
	CHAINID        Op = 0x46
	SELFBALANCE    Op = 0x47
	BASEFEE        Op = 0x48
	BLOBHASH       Op = 0x49
	BLOBBASEFEE    Op = 0x4a
	POP            Op = 0x50
	MLOAD          Op = 0x51
	MSTORE         Op = 0x52
	MSTORE8        Op = 0x53
	SLOAD          Op = 0x54
	SSTORE         Op = 0x55
	JUMP           Op = 0x56
	JUMPI          Op = 0x57
	PC             Op = 0x58
	MSIZE          Op = 0x59
	GAS            Op = 0x5a
	JUMPDEST       Op = 0x5b
	TLOAD          Op = 0x5c
	TSTORE         Op = 0x5d
	MCOPY          Op = 0x5e
	PUSH0          Op = 0x5f
	PUSH1          Op = 0x60
	PUSH2          Op = 0x61
	PUSH3          Op = 0x62
	PUSH4          Op = 0x63
	PUSH5          Op = 0x64
	PUSH6          Op = 0x65
	PUSH7          Op = 0x66
	PUSH8          Op = 0x67
	PUSH9          Op = 0x68
	PUSH10         Op = 0x69
	PUSH11         Op = 0x6a
	PUSH12         Op = 0x6b
	PUSH13         Op = 0x6c
	PUSH14         Op = 0x6d
	PUSH15         Op = 0x6e
	PUSH16         Op = 0x6f
	PUSH17         Op = 0x70
	PUSH18         Op = 0x71
	PUSH19         Op = 0x72
	PUSH20         Op = 0x73
	PUSH21         Op = 0x74
	PUSH22         Op = 0x75
	PUSH23         Op = 0x76
	PUSH24         Op = 0x77
	PUSH25         Op = 0x78
	PUSH26         Op = 0x79
	PUSH27         Op = 0x7a
	PUSH28         Op = 0x7b
	PUSH29         Op = 0x7c
	PUSH30         Op = 0x7d
	PUSH31         Op = 0x7e
	PUSH32         Op = 0x7f
	DUP1           Op = 0x80
	DUP2           Op = 0x81
	DUP3           Op = 0x82
	DUP4           Op = 0x83
	DUP5           Op = 0x84
	DUP6           Op = 0x85
	DUP7           Op = 0x86
	DUP8           Op = 0x87
	DUP9           Op = 0x88
	DUP10          Op = 0x89
	DUP11          Op = 0x8a
	DUP12          Op = 0x8b
	DUP13          Op = 0x8c
	DUP14          Op = 0x8d
	DUP15          Op = 0x8e
	DUP16          Op = 0x8f
	SWAP1          Op = 0x90
	SWAP2          Op = 0x91
	SWAP3          Op = 0x92
	SWAP4          Op = 0x93
	SWAP5          Op = 0x94
	SWAP6          Op = 0x95
	SWAP7          Op = 0x96
	SWAP8          Op = 0x97
	SWAP9          Op = 0x98
	SWAP10         Op = 0x99
	SWAP11         Op = 0x9a
	SWAP12         Op = 0x9b
	SWAP13         Op = 0x9c
	SWAP14         Op = 0x9d
	SWAP15         Op = 0x9e
	SWAP16         Op = 0x9f
	LOG0           Op = 0xa0
	LOG1           Op = 0xa1
	LOG2           Op = 0xa2
	LOG3           Op = 0xa3
	LOG4           Op = 0xa4
	CREATE         Op = 0xf0
	CALL           Op = 0xf1
	CALLCODE       Op = 0xf2
	RETURN         Op = 0xf3
	DELEGATECALL   Op = 0xf4
	CREATE2        Op = 0xf5
	STATICCALL     Op = 0xfa
	REVERT         Op = 0xfd
	INVALID        Op = 0xfe
	SELFDESTRUCT   Op = 0xff
)

// Ops describes every opcode. An unassigned opcode has no Name, halts, and Ends
// its block. The table is validated at program start.
var Ops = validate([256]Info{
	STOP:           {Name: "STOP", Flow: Ends},
	ADD:            {Name: "ADD", Pops: 2, Pushes: 1, Pure: true},
	MUL:            {Name: "MUL", Pops: 2, Pushes: 1, Pure: true},
	SUB:            {Name: "SUB", Pops: 2, Pushes: 1, Pure: true},
	DIV:            {Name: "DIV", Pops: 2, Pushes: 1, Pure: true},
	SDIV:           {Name: "SDIV", Pops: 2, Pushes: 1, Pure: true},
	MOD:            {Name: "MOD", Pops: 2, Pushes: 1, Pure: true},
	SMOD:           {Name: "SMOD", Pops: 2, Pushes: 1, Pure: true},
	ADDMOD:         {Name: "ADDMOD", Pops: 3, Pushes: 1, Pure: true},
	MULMOD:         {Name: "MULMOD", Pops: 3, Pushes: 1, Pure: true},
	EXP:            {Name: "EXP", Pops: 2, Pushes: 1, Pure: true},
	SIGNEXTEND:     {Name: "SIGNEXTEND", Pops: 2, Pushes: 1, Pure: true},
	LT:             {Name: "LT", Pops: 2, Pushes: 1, Pure: true},
	GT:             {Name: "GT", Pops: 2, Pushes: 1, Pure: true},
	SLT:            {Name: "SLT", Pops: 2, Pushes: 1, Pure: true},
	SGT:            {Name: "SGT", Pops: 2, Pushes: 1, Pure: true},
	EQ:             {Name: "EQ", Pops: 2, Pushes: 1, Pure: true},
	ISZERO:         {Name: "ISZERO", Pops: 1, Pushes: 1, Pure: true},
	AND:            {Name: "AND", Pops: 2, Pushes: 1, Pure: true},
	OR:             {Name: "OR", Pops: 2, Pushes: 1, Pure: true},
	XOR:            {Name: "XOR", Pops: 2, Pushes: 1, Pure: true},
	NOT:            {Name: "NOT", Pops: 1, Pushes: 1, Pure: true},
	BYTE:           {Name: "BYTE", Pops: 2, Pushes: 1, Pure: true},
	SHL:            {Name: "SHL", Pops: 2, Pushes: 1, Fork: Constantinople, Pure: true},
	SHR:            {Name: "SHR", Pops: 2, Pushes: 1, Fork: Constantinople, Pure: true},
	SAR:            {Name: "SAR", Pops: 2, Pushes: 1, Fork: Constantinople, Pure: true},
	CLZ:            {Name: "CLZ", Pops: 1, Pushes: 1, Fork: Osaka, Pure: true},
	KECCAK256:      {Name: "KECCAK256", Pops: 2, Pushes: 1},
	ADDRESS:        {Name: "ADDRESS", Pushes: 1},
	BALANCE:        {Name: "BALANCE", Pops: 1, Pushes: 1},
	ORIGIN:         {Name: "ORIGIN", Pushes: 1},
	CALLER:         {Name: "CALLER", Pushes: 1},
	CALLVALUE:      {Name: "CALLVALUE", Pushes: 1},
	CALLDATALOAD:   {Name: "CALLDATALOAD", Pops: 1, Pushes: 1},
	CALLDATASIZE:   {Name: "CALLDATASIZE", Pushes: 1},
	CALLDATACOPY:   {Name: "CALLDATACOPY", Pops: 3},
	CODESIZE:       {Name: "CODESIZE", Pushes: 1},
	CODECOPY:       {Name: "CODECOPY", Pops: 3},
	GASPRICE:       {Name: "GASPRICE", Pushes: 1},
	EXTCODESIZE:    {Name: "EXTCODESIZE", Pops: 1, Pushes: 1},
	EXTCODECOPY:    {Name: "EXTCODECOPY", Pops: 4},
	RETURNDATASIZE: {Name: "RETURNDATASIZE", Pushes: 1, Fork: Byzantium},
	RETURNDATACOPY: {Name: "RETURNDATACOPY", Pops: 3, Fork: Byzantium},
	EXTCODEHASH:    {Name: "EXTCODEHASH", Pops: 1, Pushes: 1, Fork: Constantinople},
	BLOCKHASH:      {Name: "BLOCKHASH", Pops: 1, Pushes: 1},
	COINBASE:       {Name: "COINBASE", Pushes: 1},
	TIMESTAMP:      {Name: "TIMESTAMP", Pushes: 1},
	NUMBER:         {Name: "NUMBER", Pushes: 1},
	PREVRANDAO:     {Name: "PREVRANDAO", Pushes: 1},
	GASLIMIT:       {Name: "GASLIMIT", Pushes: 1},
	CHAINID:        {Name: "CHAINID", Pushes: 1, Fork: Istanbul},
	SELFBALANCE:    {Name: "SELFBALANCE", Pushes: 1, Fork: Istanbul},
	BASEFEE:        {Name: "BASEFEE", Pushes: 1, Fork: London},
	BLOBHASH:       {Name: "BLOBHASH", Pops: 1, Pushes: 1, Fork: Cancun},
	BLOBBASEFEE:    {Name: "BLOBBASEFEE", Pushes: 1, Fork: Cancun},
	POP:            {Name: "POP", Pops: 1},
	MLOAD:          {Name: "MLOAD", Pops: 1, Pushes: 1},
	MSTORE:         {Name: "MSTORE", Pops: 2},
	MSTORE8:        {Name: "MSTORE8", Pops: 2},
	SLOAD:          {Name: "SLOAD", Pops: 1, Pushes: 1},
	SSTORE:         {Name: "SSTORE", Pops: 2},
	JUMP:           {Name: "JUMP", Pops: 1, Flow: Jumps},
	JUMPI:          {Name: "JUMPI", Pops: 2, Flow: Branches},
	PC:             {Name: "PC", Pushes: 1},
	MSIZE:          {Name: "MSIZE", Pushes: 1},
	GAS:            {Name: "GAS", Pushes: 1},
	JUMPDEST:       {Name: "JUMPDEST"},
	TLOAD:          {Name: "TLOAD", Pops: 1, Pushes: 1, Fork: Cancun},
	TSTORE:         {Name: "TSTORE", Pops: 2, Fork: Cancun},
	MCOPY:          {Name: "MCOPY", Pops: 3, Fork: Cancun},
	PUSH0:          {Name: "PUSH0", Pushes: 1, Fork: Shanghai},
	PUSH1:          {Name: "PUSH1", Pushes: 1, Immediate: 1},
	PUSH2:          {Name: "PUSH2", Pushes: 1, Immediate: 2},
	PUSH3:          {Name: "PUSH3", Pushes: 1, Immediate: 3},
	PUSH4:          {Name: "PUSH4", Pushes: 1, Immediate: 4},
	PUSH5:          {Name: "PUSH5", Pushes: 1, Immediate: 5},
	PUSH6:          {Name: "PUSH6", Pushes: 1, Immediate: 6},
	PUSH7:          {Name: "PUSH7", Pushes: 1, Immediate: 7},
	PUSH8:          {Name: "PUSH8", Pushes: 1, Immediate: 8},
	PUSH9:          {Name: "PUSH9", Pushes: 1, Immediate: 9},
	PUSH10:         {Name: "PUSH10", Pushes: 1, Immediate: 10},
	PUSH11:         {Name: "PUSH11", Pushes: 1, Immediate: 11},
	PUSH12:         {Name: "PUSH12", Pushes: 1, Immediate: 12},
	PUSH13:         {Name: "PUSH13", Pushes: 1, Immediate: 13},
	PUSH14:         {Name: "PUSH14", Pushes: 1, Immediate: 14},
	PUSH15:         {Name: "PUSH15", Pushes: 1, Immediate: 15},
	PUSH16:         {Name: "PUSH16", Pushes: 1, Immediate: 16},
	PUSH17:         {Name: "PUSH17", Pushes: 1, Immediate: 17},
	PUSH18:         {Name: "PUSH18", Pushes: 1, Immediate: 18},
	PUSH19:         {Name: "PUSH19", Pushes: 1, Immediate: 19},
	PUSH20:         {Name: "PUSH20", Pushes: 1, Immediate: 20},
	PUSH21:         {Name: "PUSH21", Pushes: 1, Immediate: 21},
	PUSH22:         {Name: "PUSH22", Pushes: 1, Immediate: 22},
	PUSH23:         {Name: "PUSH23", Pushes: 1, Immediate: 23},
	PUSH24:         {Name: "PUSH24", Pushes: 1, Immediate: 24},
	PUSH25:         {Name: "PUSH25", Pushes: 1, Immediate: 25},
	PUSH26:         {Name: "PUSH26", Pushes: 1, Immediate: 26},
	PUSH27:         {Name: "PUSH27", Pushes: 1, Immediate: 27},
	PUSH28:         {Name: "PUSH28", Pushes: 1, Immediate: 28},
	PUSH29:         {Name: "PUSH29", Pushes: 1, Immediate: 29},
	PUSH30:         {Name: "PUSH30", Pushes: 1, Immediate: 30},
	PUSH31:         {Name: "PUSH31", Pushes: 1, Immediate: 31},
	PUSH32:         {Name: "PUSH32", Pushes: 1, Immediate: 32},
	DUP1:           {Name: "DUP1", Pops: 1, Pushes: 2},
	DUP2:           {Name: "DUP2", Pops: 2, Pushes: 3},
	DUP3:           {Name: "DUP3", Pops: 3, Pushes: 4},
	DUP4:           {Name: "DUP4", Pops: 4, Pushes: 5},
	DUP5:           {Name: "DUP5", Pops: 5, Pushes: 6},
	DUP6:           {Name: "DUP6", Pops: 6, Pushes: 7},
	DUP7:           {Name: "DUP7", Pops: 7, Pushes: 8},
	DUP8:           {Name: "DUP8", Pops: 8, Pushes: 9},
	DUP9:           {Name: "DUP9", Pops: 9, Pushes: 10},
	DUP10:          {Name: "DUP10", Pops: 10, Pushes: 11},
	DUP11:          {Name: "DUP11", Pops: 11, Pushes: 12},
	DUP12:          {Name: "DUP12", Pops: 12, Pushes: 13},
	DUP13:          {Name: "DUP13", Pops: 13, Pushes: 14},
	DUP14:          {Name: "DUP14", Pops: 14, Pushes: 15},
	DUP15:          {Name: "DUP15", Pops: 15, Pushes: 16},
	DUP16:          {Name: "DUP16", Pops: 16, Pushes: 17},
	SWAP1:          {Name: "SWAP1", Pops: 2, Pushes: 2},
	SWAP2:          {Name: "SWAP2", Pops: 3, Pushes: 3},
	SWAP3:          {Name: "SWAP3", Pops: 4, Pushes: 4},
	SWAP4:          {Name: "SWAP4", Pops: 5, Pushes: 5},
	SWAP5:          {Name: "SWAP5", Pops: 6, Pushes: 6},
	SWAP6:          {Name: "SWAP6", Pops: 7, Pushes: 7},
	SWAP7:          {Name: "SWAP7", Pops: 8, Pushes: 8},
	SWAP8:          {Name: "SWAP8", Pops: 9, Pushes: 9},
	SWAP9:          {Name: "SWAP9", Pops: 10, Pushes: 10},
	SWAP10:         {Name: "SWAP10", Pops: 11, Pushes: 11},
	SWAP11:         {Name: "SWAP11", Pops: 12, Pushes: 12},
	SWAP12:         {Name: "SWAP12", Pops: 13, Pushes: 13},
	SWAP13:         {Name: "SWAP13", Pops: 14, Pushes: 14},
	SWAP14:         {Name: "SWAP14", Pops: 15, Pushes: 15},
	SWAP15:         {Name: "SWAP15", Pops: 16, Pushes: 16},
	SWAP16:         {Name: "SWAP16", Pops: 17, Pushes: 17},
	LOG0:           {Name: "LOG0", Pops: 2},
	LOG1:           {Name: "LOG1", Pops: 3},
	LOG2:           {Name: "LOG2", Pops: 4},
	LOG3:           {Name: "LOG3", Pops: 5},
	LOG4:           {Name: "LOG4", Pops: 6},
	CREATE:         {Name: "CREATE", Pops: 3, Pushes: 1, Flow: Calls},
	CALL:           {Name: "CALL", Pops: 7, Pushes: 1, Flow: Calls},
	CALLCODE:       {Name: "CALLCODE", Pops: 7, Pushes: 1, Flow: Calls},
	RETURN:         {Name: "RETURN", Pops: 2, Flow: Ends},
	DELEGATECALL:   {Name: "DELEGATECALL", Pops: 6, Pushes: 1, Fork: Homestead, Flow: Calls},
	CREATE2:        {Name: "CREATE2", Pops: 4, Pushes: 1, Fork: Constantinople, Flow: Calls},
	STATICCALL:     {Name: "STATICCALL", Pops: 6, Pushes: 1, Fork: Byzantium, Flow: Calls},
	REVERT:         {Name: "REVERT", Pops: 2, Fork: Byzantium, Flow: Ends},
	INVALID:        {Name: "INVALID", Flow: Ends},
	SELFDESTRUCT:   {Name: "SELFDESTRUCT", Pops: 1, Flow: Ends},
})
