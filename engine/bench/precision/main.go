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
	if err := measure(*leveret, arguments, flag.Arg(0)); err != nil {
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

// run fuzzes one file and adds the reported findings. Exit code 1 means
// findings.
func run(command string, arguments []string, file string, labels Labels, reported map[Label]bool) error {
	cmd := exec.Command(command, append(arguments, file)...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return fmt.Errorf("%s: %w\n%s", file, err, failure.Bytes())
	}
	return readReport(out, file, labels, reported)
}

// report is the part of the JSON report that matters here.
type report struct {
	Contracts []struct {
		Findings []struct {
			Oracle, Severity, File string
			Start                  struct{ Line int }
		}
	}
}

func readReport(text []byte, file string, labels Labels, reported map[Label]bool) error {
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	expects := map[string]bool{}
	for label := range labels.Expected {
		if label.File == file {
			expects[label.Oracle] = true
		}
	}
	for _, c := range r.Contracts {
		for _, f := range c.Findings {
			strong := f.Severity == "error" || f.Severity == "warning"
			if filepath.Base(f.File) == filepath.Base(file) && (strong || expects[f.Oracle]) {
				reported[Label{file, f.Start.Line, f.Oracle}] = true
			}
		}
	}
	return nil
}
