package server

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
)

// savesOfProject is how many saves of each project are measured.
const savesOfProject = 6

// The time from a save to the first finding in real projects, with a warm
// compiler. LEVERET_PROJECTS is a folder with projects and their list,
// projects.txt: in each line a folder, a file in it, and a contract of that
// file. LEVERET_TOOLS has the compilers. Each project is copied, and each save
// plants an assertion with another number in the contract, once the campaigns of
// the last save are over; it cancels the check on the project's own build and the tests
// of other files. On a busy machine, compare the processor time of the server and
// its compilers, cpu-ms.
func BenchmarkProjects(b *testing.B) {
	projects := os.Getenv("LEVERET_PROJECTS")
	if projects == "" {
		b.Skip("LEVERET_PROJECTS names no folder with projects")
	}
	list, err := os.ReadFile(filepath.Join(projects, "projects.txt"))
	if err != nil {
		b.Fatal(err)
	}
	leveret := binary(b)
	var all saves
	for line := range strings.Lines(string(list)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		b.Run(fields[0], func(b *testing.B) {
			s := savesIn(b, leveret, filepath.Join(projects, fields[0]), fields[1], fields[2])
			all.times, all.cpu = append(all.times, s.times...), append(all.cpu, s.cpu...)
			s.report(b)
		})
	}
	b.Run("All", func(b *testing.B) { all.report(b) })
}

// saves are the measurements of saves, in order: the time to the finding, and
// the processor time until then.
type saves struct{ times, cpu []time.Duration }

func (s saves) report(b *testing.B) {
	if len(s.times) == 0 {
		b.Skip("no project was measured")
	}
	slices.Sort(s.cpu)
	b.ReportMetric(float64(s.cpu[len(s.cpu)/2].Milliseconds()), "cpu-ms")
	report(b, s.times)
}

// spent returns the processor time of a process and those that it started.
func spent(b *testing.B, pid int) time.Duration {
	b.Helper()
	sum, err := processorTime(pid)
	if err != nil {
		return 0 // it ended
	}
	for _, child := range children(b, pid) {
		sum += spent(b, child)
	}
	return sum
}

// savesIn measures saves of one file of a project.
func savesIn(b *testing.B, leveret, project, file, contract string) saves {
	b.Helper()
	workspace := b.TempDir()
	if err := os.CopyFS(workspace, os.DirFS(project)); err != nil {
		b.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(file)))
	if err != nil {
		b.Fatal(err)
	}
	e, p := launchAt(b, leveret, os.Getenv("LEVERET_TOOLS"), b.TempDir(), workspace, `{"idle":false,"trusted":true}`)
	defer e.leave(p)
	e.open(file, string(text))
	e.until("the first campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
	over := func() bool { return e.leaves(file, contract) }
	e.until("the end of the campaigns", over)
	var measured saves
	for i := range savesOfProject {
		number := 1_000_000 + 1000*i
		faulty := plant(b, string(text), contract, number)
		before, start := spent(b, p.cmd.Process.Pid), time.Now()
		e.save(file, int32(i+2), faulty)
		e.until("the planted finding", func() bool { return e.planted(file, number) })
		measured.times = append(measured.times, time.Since(start))
		measured.cpu = append(measured.cpu, spent(b, p.cmd.Process.Pid)-before)
		e.until("the end of the campaigns", over)
	}
	return measured
}

// leaves reports whether the server is done with a saved file, but for the check on the
// project's own build and the tests of other files, which may take minutes.
func (e *editor) leaves(file, contract string) bool {
	status := e.status()
	works := strings.Contains(status, "fuzzing "+contract) || strings.Contains(status, "compiling "+filepath.Base(file))
	return e.calm() || !works || strings.Contains(status, "own build")
}

// plant adds a function whose assertion fails for one number.
func plant(b *testing.B, text, contract string, number int) string {
	b.Helper()
	at := regexp.MustCompile(`(?m)^contract ` + contract + `\b[^{;]*\{`).FindStringIndex(text)
	if at == nil {
		b.Fatalf("no contract %s", contract)
	}
	return text[:at[1]] + fmt.Sprintf("\n    function plantedByTest(uint256 x) external pure { assert(x != %d); }\n", number) + text[at[1]:]
}

// planted reports whether the finding of a planted assertion is shown.
func (e *editor) planted(file string, number int) bool {
	return slices.ContainsFunc(e.found(file), func(d protocol.Diagnostic) bool {
		message, _ := d.Message.(protocol.String)
		return d.Code == protocol.String("assertion") && strings.Contains(string(message), fmt.Sprintf("plantedByTest(%d)", number))
	})
}
