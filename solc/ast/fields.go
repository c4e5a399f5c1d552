package ast

// An attr is a scalar of a node, or several scalars joined by listMark.
type attr struct {
	key   key
	value string
}

const listMark = "\x00"

// A key identifies the name of an attribute that Read keeps.
type key uint8

const (
	keyNone key = iota
	keyName
	keyKind
	keyContractKind
	keyVisibility
	keyStateMutability
	keyOperator
	keyPrefix
	keyValue
	keyHexValue
	keySubdenomination
	keyTypeString
	keyTypeIdentifier
	keyCommonType
	keyMemberName
	keyStorageLocation
	keyMutability
	keyConstant
	keyAbstract
	keyFullyImplemented
	keyImplemented
	keyIsConstructor
	keyIsDeclaredConst
	keyPayable
	keyFunctionSelector
	keyEventSelector
	keyErrorSelector
	keyAbsolutePath
	keyFile
	keyNameLocation
	keyMemberLocation
	keyCanonicalName
	keyIndexed
	keyAnonymous
	keyVirtual
	keyErrorName
	keyReferenced
	keyUnitAlias
	keyText
	keyTypeName
	keyIsPure
	keyIsInlineArray
	keyLinearized
	keyNames
	keyLiterals
	keyFlags
	keyBaseFunctions
	keySourceUnit
	keyGlobal
)

// An action is what Read does with a field of a JSON object.
type action uint8

const (
	descend     action = iota // visits nodes in objects and arrays; drops scalars
	keep                      // stores scalars and lists of scalars as attribute; visits nodes
	skip                      // skips the value
	nodeType                  // the node's type
	identifier                // the node's id
	source                    // its span
	typing                    // {typeString, typeIdentifier}
	common                    // the same for the common type of a BinaryOperation
	attributes                // the attributes of a node before 0.4.12
	external                  // references of names in inline assembly
	declaration               // the id in an element of external
)

type field struct {
	action action
	key    key
}

// fields maps each field of a node to an action. The default is descend.
var fields = map[string]field{
	"nodeType": {action: nodeType}, "id": {action: identifier}, "src": {action: source},
	"typeDescriptions": {action: typing}, "commonType": {action: common},
	"attributes": {action: attributes}, "externalReferences": {action: external},
	"declaration": {action: declaration},

	"exportedSymbols": {action: skip}, "argumentTypes": {action: skip}, "nativeSrc": {action: skip},
	"usedErrors": {action: skip}, "usedEvents": {action: skip}, "contractDependencies": {action: skip},
	"operations": {action: skip}, "overloadedDeclarations": {action: skip}, "internalFunctionIDs": {action: skip},

	"name": {keep, keyName}, "kind": {keep, keyKind}, "contractKind": {keep, keyContractKind},
	"visibility": {keep, keyVisibility}, "stateMutability": {keep, keyStateMutability},
	"operator": {keep, keyOperator}, "prefix": {keep, keyPrefix}, "value": {keep, keyValue},
	"hexValue": {keep, keyHexValue}, "hexvalue": {keep, keyHexValue},
	"subdenomination": {keep, keySubdenomination},
	"typeString":      {keep, keyTypeString}, "typeIdentifier": {keep, keyTypeIdentifier},
	"memberName": {keep, keyMemberName}, "storageLocation": {keep, keyStorageLocation},
	"mutability": {keep, keyMutability}, "constant": {keep, keyConstant}, "abstract": {keep, keyAbstract},
	"fullyImplemented": {keep, keyFullyImplemented}, "implemented": {keep, keyImplemented},
	"isConstructor": {keep, keyIsConstructor}, "isDeclaredConst": {keep, keyIsDeclaredConst},
	"payable": {keep, keyPayable}, "functionSelector": {keep, keyFunctionSelector},
	"eventSelector": {keep, keyEventSelector}, "errorSelector": {keep, keyErrorSelector},
	"absolutePath": {keep, keyAbsolutePath}, "file": {keep, keyFile},
	"nameLocation": {keep, keyNameLocation}, "memberLocation": {keep, keyMemberLocation},
	"canonicalName": {keep, keyCanonicalName}, "indexed": {keep, keyIndexed},
	"anonymous": {keep, keyAnonymous}, "virtual": {keep, keyVirtual}, "errorName": {keep, keyErrorName},
	"referencedDeclaration": {keep, keyReferenced}, "unitAlias": {keep, keyUnitAlias},
	"text": {keep, keyText}, "documentation": {keep, keyText}, "typeName": {keep, keyTypeName},
	"isPure": {keep, keyIsPure}, "isInlineArray": {keep, keyIsInlineArray},
	"linearizedBaseContracts": {keep, keyLinearized}, "names": {keep, keyNames},
	"literals": {keep, keyLiterals}, "flags": {keep, keyFlags}, "baseFunctions": {keep, keyBaseFunctions},
	"sourceUnit": {keep, keySourceUnit}, "global": {keep, keyGlobal},

	// Only in trees before 0.4.12.
	"type": {keep, keyTypeString}, "member_name": {keep, keyMemberName},
}

// declares lists the types of nodes that other nodes refer to by id.
var declares = map[string]bool{
	SourceUnit: true, ImportDirective: true, ContractDefinition: true, FunctionDefinition: true,
	ModifierDefinition: true, VariableDeclaration: true, EventDefinition: true, ErrorDefinition: true,
	StructDefinition: true, EnumDefinition: true, EnumValue: true, UserDefinedValueTypeDefinition: true,
}
