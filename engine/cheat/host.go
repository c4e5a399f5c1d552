package cheat

// A Host is what cheatcodes may reach outside the chain. Its methods check what
// the project and the user allow; their errors are sentences for the user.
type Host interface {
	// Root returns the absolute path of the project.
	Root() string
	// Readable and Writable return the absolute path of a file that cheatcodes may
	// read or write, for a path as a test gives it.
	Readable(path string) (string, error)
	Writable(path string) (string, error)
	// Env returns a variable of the environment; false if it is not set. It fails in
	// an untrusted project.
	Env(name string) (value string, set bool, err error)
	// Execute runs a program (vm.ffi).
	Execute(command []string) (code int, output, errors []byte, err error)
	// Code returns the creation and the runtime code of a contract, by a name as
	// vm.getCode takes it.
	Code(name string) (creation, runtime []byte, err error)
}
