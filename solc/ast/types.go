package ast

// The types of nodes, with solc's names.
const (
	SourceUnit                     = "SourceUnit"
	PragmaDirective                = "PragmaDirective"
	ImportDirective                = "ImportDirective"
	UsingForDirective              = "UsingForDirective"
	ContractDefinition             = "ContractDefinition"
	InheritanceSpecifier           = "InheritanceSpecifier"
	StructDefinition               = "StructDefinition"
	EnumDefinition                 = "EnumDefinition"
	EnumValue                      = "EnumValue"
	UserDefinedValueTypeDefinition = "UserDefinedValueTypeDefinition"
	EventDefinition                = "EventDefinition"
	ErrorDefinition                = "ErrorDefinition"
	FunctionDefinition             = "FunctionDefinition"
	ModifierDefinition             = "ModifierDefinition"
	ModifierInvocation             = "ModifierInvocation"
	ParameterList                  = "ParameterList"
	VariableDeclaration            = "VariableDeclaration"
	StructuredDocumentation        = "StructuredDocumentation"

	ElementaryTypeName  = "ElementaryTypeName"
	UserDefinedTypeName = "UserDefinedTypeName"
	IdentifierPath      = "IdentifierPath"
	FunctionTypeName    = "FunctionTypeName"
	Mapping             = "Mapping"
	ArrayTypeName       = "ArrayTypeName"

	Block                        = "Block"
	UncheckedBlock               = "UncheckedBlock"
	PlaceholderStatement         = "PlaceholderStatement"
	IfStatement                  = "IfStatement"
	TryStatement                 = "TryStatement"
	TryCatchClause               = "TryCatchClause"
	WhileStatement               = "WhileStatement"
	DoWhileStatement             = "DoWhileStatement"
	ForStatement                 = "ForStatement"
	Continue                     = "Continue"
	Break                        = "Break"
	Return                       = "Return"
	Throw                        = "Throw"
	EmitStatement                = "EmitStatement"
	RevertStatement              = "RevertStatement"
	VariableDeclarationStatement = "VariableDeclarationStatement"
	ExpressionStatement          = "ExpressionStatement"
	InlineAssembly               = "InlineAssembly"

	Conditional                  = "Conditional"
	Assignment                   = "Assignment"
	TupleExpression              = "TupleExpression"
	UnaryOperation               = "UnaryOperation"
	BinaryOperation              = "BinaryOperation"
	FunctionCall                 = "FunctionCall"
	FunctionCallOptions          = "FunctionCallOptions"
	NewExpression                = "NewExpression"
	MemberAccess                 = "MemberAccess"
	IndexAccess                  = "IndexAccess"
	IndexRangeAccess             = "IndexRangeAccess"
	Identifier                   = "Identifier"
	ElementaryTypeNameExpression = "ElementaryTypeNameExpression"
	Literal                      = "Literal"

	YulBlock               = "YulBlock"
	YulAssignment          = "YulAssignment"
	YulBreak               = "YulBreak"
	YulCase                = "YulCase"
	YulContinue            = "YulContinue"
	YulExpressionStatement = "YulExpressionStatement"
	YulForLoop             = "YulForLoop"
	YulFunctionCall        = "YulFunctionCall"
	YulFunctionDefinition  = "YulFunctionDefinition"
	YulIdentifier          = "YulIdentifier"
	YulIf                  = "YulIf"
	YulLeave               = "YulLeave"
	YulLiteral             = "YulLiteral"
	YulSwitch              = "YulSwitch"
	YulTypedName           = "YulTypedName"
	YulVariableDeclaration = "YulVariableDeclaration"
)

// statements lists the node types of statements.
var statements = map[string]bool{
	Block: true, UncheckedBlock: true, PlaceholderStatement: true, IfStatement: true, TryStatement: true,
	WhileStatement: true, DoWhileStatement: true, ForStatement: true, Continue: true, Break: true,
	Return: true, Throw: true, EmitStatement: true, RevertStatement: true,
	VariableDeclarationStatement: true, ExpressionStatement: true, InlineAssembly: true,
	YulBlock: true, YulAssignment: true, YulBreak: true, YulContinue: true, YulExpressionStatement: true,
	YulForLoop: true, YulIf: true, YulLeave: true, YulSwitch: true, YulVariableDeclaration: true,
}

// IsStatement reports whether n is a statement or block, in Solidity or Yul.
func (n *Node) IsStatement() bool { return statements[n.Type] }
