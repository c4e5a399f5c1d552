// Precision measures precision and recall of a built leveret on contracts
// annotated at the ends of lines:
//
//	balance -= amount; // expect: overflow, ether-leak
//	owner.send(1);     // allow: unchecked-call
//
// Only findings of severity warning or above count, and those of any severity
// that a file expects somewhere. It imports no other package of the module and
// runs the command as users do.
//
//	go run ./engine/bench/precision -leveret ./leveret -time 10s engine/oracle/testdata
//
// With -smartbugs, the folder is a checkout of smartbugs/smartbugs-curated, whose
// vulnerabilities.json has the labels.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func main() {
	leveret := flag.String("leveret", "leveret", "the built command")
	duration := flag.Duration("time", 10*time.Second, "time for each contract")
	inputs := flag.Int("max-inputs", 0, "inputs for each contract, instead of time")
	seed := flag.Int("seed", 1, "seed")
	curated := flag.Bool("smartbugs", false, "the folder is SmartBugs Curated")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "precision: name one folder of labelled contracts")
		os.Exit(2)
	}
	arguments := []string{"fuzz", "--format", "json", "--seed", fmt.Sprint(*seed), "--workers", "1"}
	if *inputs > 0 {
		arguments = append(arguments, "--max-inputs", fmt.Sprint(*inputs))
	} else {
		arguments = append(arguments, "--time", duration.String())
	}
	var err error
	if *curated {
		err = smartbugs(*leveret, arguments, flag.Arg(0), os.Stdout)
	} else {
		err = measure(*leveret, arguments, flag.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "precision:", err)
		os.Exit(2)
	}
}

func measure(command string, arguments []string, folder string) error {
	labels, err := ReadLabels(folder)
	if err != nil {
		return err
	}
	reported := map[Label]bool{}
	for _, file := range labels.Files {
		if err := run(command, arguments, file, labels, reported); err != nil {
			return err
		}
	}
	Judge(labels, reported).Write(os.Stdout)
	return nil
}

// run fuzzes one file and adds the reported findings.
func run(command string, arguments []string, file string, labels Labels, reported map[Label]bool) error {
	out, err := report(command, arguments, file)
	if err != nil {
		return err
	}
	return readReport(out, file, labels, reported)
}

// report fuzzes one file and returns the report in JSON. Exit code 1 means
// findings.
func report(command string, arguments []string, file string) ([]byte, error) {
	cmd := exec.Command(command, append(arguments, file)...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, fmt.Errorf("%s: %w\n%s", file, err, failure.Bytes())
	}
	return out, nil
}

// A finding is the part of one in the JSON report that matters here.
type finding struct {
	Oracle, Severity, File string
	Start, End             struct{ Line int }
}

// strong reports whether a finding is a warning or an error.
func (f finding) strong() bool { return f.Severity == "error" || f.Severity == "warning" }

// decode returns the findings of all contracts of a report.
func decode(text []byte) ([]finding, error) {
	var r struct {
		Contracts []struct{ Findings []finding }
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	var list []finding
	for _, c := range r.Contracts {
		list = append(list, c.Findings...)
	}
	return list, nil
}

func readReport(text []byte, file string, labels Labels, reported map[Label]bool) error {
	findings, err := decode(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	expects := map[string]bool{}
	for label := range labels.Expected {
		if label.File == file {
			expects[label.Oracle] = true
		}
	}
	for _, f := range findings {
		if filepath.Base(f.File) == filepath.Base(file) && (f.strong() || expects[f.Oracle]) {
			reported[Label{file, f.Start.Line, f.Oracle}] = true
		}
	}
	return nil
}
