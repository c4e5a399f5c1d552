// Package host is the machine as tests of a project may reach it with cheatcodes:
// files, the environment, programs, chains, and the code of compiled contracts. It decides
// by the trust of the workspace, the project's configuration and what the user
// agreed to.
package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/joho/godotenv"

	"leveret/engine/cheat"
	"leveret/solc"
	"leveret/solc/trust"
)

// A Host implements cheat.Host for the tests of one contract.
type Host struct {
	Folder   string // root of the project, absolute
	Config   solc.CheatConfig
	Chains   solc.ForkConfig
	Forks    *Forks // nil: tests cannot use forks
	Builds   solc.Builds
	Contract *solc.Contract // whose tests run; nil: none
	Trusted  bool           // the workspace is
	Programs bool           // the user agreed that tests run programs

	variables sync.Once
	dotenv    map[string]string // of the file .env
	problem   error             // with it

	reading sync.Once
	structs []cheat.Struct
}

var _ cheat.Host = (*Host)(nil)

// Refusals.
var (
	errFiles    = errors.New("the workspace is not trusted: its tests can neither read nor write files")
	errEnv      = errors.New("the workspace is not trusted: its tests cannot read environment variables")
	errPrograms = errors.New("the workspace is not trusted: its tests cannot run programs")
)

// Root implements cheat.Host.
func (h *Host) Root() string { return h.Folder }

// Now implements cheat.Host.
func (h *Host) Now() (time.Time, error) { return time.Now(), nil }

// File implements cheat.Host.
func (h *Host) File() (string, error) {
	if h.Contract == nil {
		return "", errors.New("no running contract found")
	}
	return h.Contract.File, nil
}

// Readable implements cheat.Host.
func (h *Host) Readable(path string) (string, error) {
	return h.permitted(path, "read", func(p solc.FilePermission) bool { return p.Read })
}

// Writable implements cheat.Host. The project's foundry.toml is never writable.
func (h *Host) Writable(path string) (string, error) {
	real, err := h.permitted(path, "write", func(p solc.FilePermission) bool { return p.Write })
	if err == nil && strings.EqualFold(real, trust.Resolve(filepath.Join(h.Folder, "foundry.toml"))) {
		return "", errors.New("access to `foundry.toml` is not allowed")
	}
	return real, err
}

// permitted resolves a path and checks the permission for it.
func (h *Host) permitted(path, operation string, grants func(solc.FilePermission) bool) (string, error) {
	real, err := h.inside(path, "whatever fs_permissions of foundry.toml says")
	if err != nil {
		return "", err
	}
	if p, ok := h.permission(real); !ok || !grants(p) {
		return "", fmt.Errorf("the path %s is not allowed to be accessed for %s operations; fs_permissions of foundry.toml can allow it", path, operation)
	}
	return real, nil
}

// Broadcasts implements cheat.Host. As in forge, fs_permissions does not matter.
func (h *Host) Broadcasts() (string, error) {
	return h.inside(h.Config.Broadcasts, "whatever broadcast of foundry.toml says")
}

// inside resolves a path of a trusted project that is in its folder.
func (h *Host) inside(path, whatever string) (string, error) {
	if !h.Trusted {
		return "", errFiles
	}
	if strings.ContainsRune(path, 0) {
		return "", errors.New("a path cannot contain NUL")
	}
	real := trust.Resolve(h.absolute(path))
	if !trust.Within(trust.Resolve(h.Folder), real) {
		return "", fmt.Errorf("the path %s is outside of the project; tests reach files of its folder alone, %s", path, whatever)
	}
	return real, nil
}

// absolute returns a path of the project without links resolved.
func (h *Host) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.Folder, path)
	}
	return filepath.Clean(path)
}

// permission returns that of the longest path that holds a file. Those of one path
// add up.
func (h *Host) permission(real string) (found solc.FilePermission, ok bool) {
	longest := ""
	for _, p := range h.Config.Permissions {
		folder := trust.Resolve(h.absolute(p.Path))
		if !trust.Within(folder, real) {
			continue
		}
		switch {
		case !ok || len(folder) > len(longest):
			found, longest, ok = p, folder, true
		case folder == longest:
			found.Read, found.Write = found.Read || p.Read, found.Write || p.Write
		}
	}
	return found, ok
}

// Env implements cheat.Host. Variables of the process come before those of the
// project's file .env.
func (h *Host) Env(name string) (value string, set bool, err error) {
	if !h.Trusted {
		return "", false, errEnv
	}
	if value, set = os.LookupEnv(name); set {
		return value, true, nil
	}
	h.variables.Do(func() {
		text, err := trust.ReadWorkspaceFile(h.Folder, ".env", true)
		if errors.Is(err, os.ErrNotExist) {
			return
		}
		if err == nil {
			h.dotenv, err = godotenv.UnmarshalBytes(text)
		}
		if err != nil {
			h.problem = errors.New("the file .env cannot be read") // its text may be secret
		}
	})
	value, set = h.dotenv[name]
	return value, set, h.problem
}
