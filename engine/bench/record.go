package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// A key identifies a run.
type key struct {
	Contract string `json:"contract"`
	Config   string `json:"config"`
	Seed     int    `json:"seed"`
}

// A record is the raw result of one run: one line of a file of results.
type record struct {
	key
	Findings []finding `json:"findings"`
	Stats    stats     `json:"stats"`
	Note     string    `json:"note,omitempty"`   // why nothing was fuzzed
	Failed   string    `json:"failed,omitempty"` // why there is no result: a crash or a time-out
	Cost     *cost     `json:"cost,omitempty"`   // of runs that were driven
	Session  int       `json:"session"`
}

// A cost is what a run cost, in CPU time of the measured process, and what it
// had to do that for.
type cost struct {
	CPU          float64            `json:"cpu"` // seconds, system time included
	Distinct     int                `json:"distinct,omitempty"`
	Transactions int                `json:"transactions,omitempty"` // of a program without statistics
	Shares       map[string]float64 `json:"shares,omitempty"`       // of the CPU time, by part; they sum to 1
	Assertions   []int              `json:"assertions,omitempty"`   // identifiers of those that failed
	Load         float64            `json:"load,omitempty"`         // of the machine when the run began
}

// A finding is a finding in a report.
type finding struct {
	ID       string  `json:"id"`
	Oracle   string  `json:"oracle"`
	Severity string  `json:"severity"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Function string  `json:"function"`
	Inputs   int     `json:"inputs"`
	Seconds  float64 `json:"seconds"`
	Calls    int     `json:"calls,omitempty"` // transactions of the witness, of runs that were driven
	Message  string  `json:"-"`
}

// reuse counts inputs and transactions that were not executed again, and
// transactions that were although their effect was known.
type reuse struct {
	Repeats int `json:"repeats"`
	Found   int `json:"found"`
	Again   int `json:"again"`
}

// stats are the statistics of a run that the tables need, by their names in the
// report.
type stats struct {
	Inputs       int     `json:"inputs"`
	Transactions int     `json:"transactions"`
	Work         uint64  `json:"work,omitempty"` // of inputs
	Paths        int     `json:"paths"`
	Seconds      float64 `json:"seconds"`
	Unconfirmed  int     `json:"unconfirmed,omitempty"`
	Instructions struct {
		Covered int `json:"covered"`
		Total   int `json:"total"`
	} `json:"instructions"`
	Jumps struct {
		Covered int `json:"covered"`
		Seen    int `json:"seen"`
	} `json:"jumps"`
	Predicted struct {
		Tried     int `json:"tried"`
		OneShot   int `json:"oneShot"`
		Succeeded int `json:"succeeded"`
		Searches  int `json:"searches"`
		Found     int `json:"found"`
	} `json:"predicted"`
	Shadow    effort  `json:"shadow"`
	Judged    effort  `json:"judged"`
	Agents    effort  `json:"agents"`
	Reuse     reuse   `json:"reuse,omitzero"`
	Firsts    []first `json:"firsts,omitempty"`
	Lookahead struct {
		Calls   int     `json:"calls"`
		Proper  int     `json:"proper"`
		IDs     int     `json:"ids,omitempty"`
		Seconds float64 `json:"seconds"`
	} `json:"lookahead"`
}

// An effort is a number of runs and their total time.
type effort struct {
	Runs    int     `json:"runs"`
	Seconds float64 `json:"seconds"`
}

// A first is the first execution of a basic block of the deployed code.
type first struct {
	PC      uint64  `json:"pc"`
	Inputs  int     `json:"inputs"`
	Seconds float64 `json:"seconds"`
}

// A session is the common data of all runs of one execution of an experiment: a
// line of its own, to which records refer by number.
type session struct {
	Session  int    `json:"session"`
	Date     string `json:"date"`
	Machine  string `json:"machine"`
	Revision string `json:"revision"` // of the measured sources, as git describes it
	Command  string `json:"command"`
}

// records are the raw results of an experiment and the file they are kept in.
type records struct {
	path     string
	sessions []session
	list     []record
	done     map[key]bool

	mu   sync.Mutex // guards the fields above and below
	file *os.File
}

// loadRecords reads a file of results; a missing one is empty.
func loadRecords(path string) (*records, error) {
	all := &records{path: path, done: map[key]bool{}}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		if err := all.read(lines.Bytes()); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	return all, lines.Err()
}

// read adds one line: a session has a date, a record a contract.
func (all *records) read(line []byte) error {
	var s session
	if err := json.Unmarshal(line, &s); err != nil {
		return err
	}
	if s.Date != "" {
		all.sessions = append(all.sessions, s)
		return nil
	}
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	all.list = append(all.list, r)
	all.done[r.key] = true
	return nil
}

// begin starts a session for the following records.
func (all *records) begin(s session) error {
	if err := os.MkdirAll(filepath.Dir(all.path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(all.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	all.file = file
	s.Session = len(all.sessions) + 1
	all.sessions = append(all.sessions, s)
	return all.append(s)
}

// add keeps a record, in memory and in the file. It may be called
// concurrently.
func (all *records) add(r record) error {
	all.mu.Lock()
	defer all.mu.Unlock()
	r.Session = len(all.sessions)
	all.list = append(all.list, r)
	all.done[r.key] = true
	return all.append(r)
}

func (all *records) append(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = all.file.Write(append(text, '\n'))
	return err
}

// keep drops the records of other runs.
func (all *records) keep(wanted []run) {
	keys := map[key]bool{}
	for _, w := range wanted {
		keys[w.key] = true
	}
	all.list = slices.DeleteFunc(all.list, func(r record) bool { return !keys[r.key] })
}

// of returns the records of a contract in a configuration, by seed.
func (all *records) of(contract, config string) []record {
	var list []record
	for _, r := range all.list {
		if r.Contract == contract && r.Config == config {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b record) int { return a.Seed - b.Seed })
	return list
}
