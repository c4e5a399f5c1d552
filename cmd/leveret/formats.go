package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"leveret/engine/report"
	"leveret/solc/atomicfile"
)

// A destination is a file that a report is written to.
type destination struct {
	report.Format
	flag string // that names it, for messages
	file string
}

// parseFormats reads the values of --format: FORMAT is that of the report, text if
// there is none, and FORMAT=FILE writes one more report.
func parseFormats(values []string) (main report.Format, more []destination, err error) {
	for _, value := range values {
		name, file, toFile := strings.Cut(value, "=")
		format, err := report.FormatNamed(name)
		switch {
		case err != nil:
			return main, nil, fmt.Errorf("--format: %w", err)
		case toFile && file == "":
			return main, nil, fmt.Errorf("--format %s: missing FILE after =", value)
		case toFile:
			more = append(more, destination{format, "--format " + name, file})
		case main.Name != "":
			return main, nil, fmt.Errorf("--format %s and --format %s: only one of them can be printed; name a file for the other, as in --format %s=FILE", main.Name, name, name)
		default:
			main = format
		}
	}
	if main.Name == "" {
		main = report.Formats()[0]
	}
	return main, more, nil
}

// destinations lists the files that the run writes reports to. Two of them in the same
// file are an error.
func (r *fuzzRun) destinations() (list []destination, err error) {
	list = r.more
	if r.output != "" {
		list = append([]destination{{r.format, "--output", r.output}}, list...)
	}
	flags := map[string]string{}
	for _, d := range list {
		if flag := flags[d.file]; flag != "" {
			return nil, fmt.Errorf("%s and %s write to the same file, %s; choose another one", flag, d.flag, d.file)
		}
		flags[d.file] = d.flag
	}
	return list, nil
}

// checkOutput reports whether the reports can be written.
func (r *fuzzRun) checkOutput() error {
	list, err := r.destinations()
	if err != nil {
		return err
	}
	for _, d := range list {
		if err := atomicfile.Check(d.file); err != nil {
			return fmt.Errorf("%s %s: %w; choose a file that can be written", d.flag, d.file, cause(err))
		}
	}
	return nil
}

// write writes a report to the file.
func (d *destination) write(out *report.Report, kept bool) error {
	var text bytes.Buffer
	if err := d.Format.Write(&text, out, textOptions(&text, kept)); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(d.file, text.Bytes(), 0o666); err != nil {
		return fmt.Errorf("%s %s: %w", d.flag, d.file, cause(err))
	}
	return nil
}

// writeMore writes the reports of --format FORMAT=FILE.
func (r *fuzzRun) writeMore(out *report.Report, kept bool) (err error) {
	for i := range r.more {
		err = errors.Join(err, r.more[i].write(out, kept))
	}
	return err
}

// shows reports whether a report of the run has a property.
func (r *fuzzRun) shows(has func(*report.Format) bool) bool {
	return has(&r.format) || slices.ContainsFunc(r.more, func(d destination) bool { return has(&d.Format) })
}
