package server

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"leveret/lsp/present"
	"leveret/solc/solctest"
)

// mayGrow bounds the growth of the heap in bytes between an early and a late
// cycle: enough for a few buffers and maps, too little for a leak per cycle.
const mayGrow = 256 << 10

// Memory, goroutines and open files do not grow with the number of edits and
// saves.
func TestSoak(t *testing.T) { soak(t, 1000) }

func TestSoakLong(t *testing.T) {
	solctest.Long(t)
	soak(t, 5_000)
}

func soak(t *testing.T, n int) {
	w := new(workshop)
	config := w.config(t.TempDir())
	config.Session.Coalesce = time.Microsecond
	e := connect(t, config)
	e.start(allCapabilities, `{"notifications":true}`)
	e.open("A.sol", "contract A\n")
	var early usage
	for i := 1; i <= n; i++ {
		e.cycle(t, i)
		if i == n/10 {
			early = use(t, e)
		}
	}
	late := use(t, e)
	t.Logf("after %d cycles %v, after %d %v", n/10, early, n, late)
	if late.heap > early.heap+mayGrow {
		t.Errorf("the heap grew from %d to %d bytes", early.heap, late.heap)
	}
	if late.goroutines > early.goroutines || late.files > early.files {
		t.Errorf("leak: %v, then %v", early, late)
	}
}

// cycle edits and saves a file and requests what an editor shows of it.
func (e *editor) cycle(t *testing.T, i int) {
	text := fmt.Sprintf("contract A\n// %d\n%s", i, strings.Repeat("\n", i%7))
	version := int32(3*i + 1)
	e.change("A.sol", version, text+"bug typ")
	e.save("A.sol", version+1, text+fmt.Sprintf("bug n%d\n", i))
	e.until("a finding", func() bool {
		f := e.found("A.sol")
		return len(f) == 1 && strings.Contains(string(f[0].Data), fmt.Sprintf("A:n%d\"", i))
	})
	if i%100 == 0 {
		if _, err := e.command(present.CommandReplay, fmt.Sprintf("A:n%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	e.save("A.sol", version+2, text)
	e.until("the finding is gone", func() bool { return len(e.found("A.sol")) == 0 })
	e.mail.Forget()
}

// usage is the resources of a process.
type usage struct {
	heap              int
	goroutines, files int
}

// use measures the resources while the server is idle.
func use(t *testing.T, e *editor) usage {
	e.until("idle", e.calm)
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u := usage{heap: int(m.HeapAlloc), goroutines: runtime.NumGoroutine()}
	if names, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.files = len(names)
	}
	return u
}
