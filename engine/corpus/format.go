package corpus

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
)

// A corpus file is a list of inputs in their readable form (engine/input). Its
// first line counts them, and before each stands a line with its checksum and
// its length in bytes:
//
//	leveret corpus v2 2 1ad5be0d
//	--- 4b0f7d2e 61
//	leveret input v1
//	…
//
// Every line of these can be checked by itself, so that a damaged file loses no
// more than the inputs that were hit. Version 1 had "---" alone before each
// input and no checks; it is read, and written no more.
const (
	headerV1    = "leveret corpus v1\n"
	separatorV1 = "---\n"
	headerV2    = "leveret corpus v2 "
	recordMark  = "--- "
)

func checksum(data []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(data)) }

func header(count int) string {
	n := strconv.Itoa(count)
	return headerV2 + n + " " + checksum([]byte(n)) + "\n"
}

// encode makes the contents of a corpus file. Equal inputs are written once;
// newlines at the end of an input make no difference.
func encode(inputs [][]byte) []byte {
	var body bytes.Buffer
	seen := map[string]bool{}
	for _, in := range inputs {
		in = trim(in)
		if len(in) == 0 || seen[string(in)] {
			continue
		}
		seen[string(in)] = true
		fmt.Fprintf(&body, "%s%s %d\n%s\n", recordMark, checksum(in), len(in), in)
	}
	return slices.Concat([]byte(header(len(seen))), body.Bytes())
}

func trim(in []byte) []byte { return bytes.Trim(in, "\n") }

// contents are what a corpus file has.
type contents struct {
	inputs  [][]byte
	lost    int  // inputs that cannot be read
	unsure  bool // more may be lost
	damaged bool
}

// decode reads a corpus file and keeps what is whole. Inputs that are not
// valid count as lost.
func decode(data []byte, valid func([]byte) bool) contents {
	var c contents
	if body, ok := bytes.CutPrefix(data, []byte(headerV1)); ok {
		c = decodeV1(body)
	} else if c = decodeV2(data); len(c.inputs) == 0 && c.damaged {
		if v1 := decodeV1(data); slices.ContainsFunc(v1.inputs, valid) {
			c = v1
			c.unsure, c.damaged = true, true
			if !bytes.Contains(c.inputs[0], []byte("\n")) { // the damaged first line
				c.inputs = c.inputs[1:]
			}
		}
	}
	whole := len(c.inputs)
	c.inputs = slices.DeleteFunc(c.inputs, func(in []byte) bool { return !valid(in) })
	c.lost += whole - len(c.inputs)
	c.damaged = c.damaged || c.lost > 0
	return c
}

func decodeV1(data []byte) (c contents) {
	for _, part := range bytes.Split(slices.Concat([]byte("\n"), data, []byte("\n")), []byte("\n"+separatorV1)) {
		if part = trim(part); len(part) > 0 {
			c.inputs = append(c.inputs, part)
		}
	}
	return c
}

// decodeV2 looks for records whose checksum is right, wherever they are.
func decodeV2(data []byte) (c contents) {
	count, at := readHeader(data)
	lost, gap := 0, at // gap is where the last whole record ended
	if count < 0 {
		c.damaged, c.unsure = true, true
		gap = max(0, bytes.Index(data, []byte(recordMark))) // what is before it was the header
	}
	for work := 0; work <= maxWork*len(data); {
		mark := bytes.Index(data[at:], []byte(recordMark))
		if mark < 0 {
			break
		}
		start := at + mark
		in, end := readRecord(data[start:])
		if in == nil {
			at, work = start+len(recordMark), work+end
			continue
		}
		lost += lostIn(data[gap:start])
		c.inputs = append(c.inputs, in)
		at, gap = start+end, start+end
	}
	switch lost += lostIn(data[gap:]); {
	case count >= 0:
		c.lost = max(0, count-len(c.inputs))
	case len(c.inputs) > 0:
		c.lost = lost
	}
	c.damaged = c.damaged || c.lost > 0
	return c
}

// readHeader returns the number of inputs, which is negative if the first line
// is damaged, and where the records begin.
func readHeader(data []byte) (count, end int) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	fields := bytes.Fields(bytes.TrimPrefix(line, []byte(headerV2)))
	if len(fields) == 2 {
		if n, err := strconv.Atoi(string(fields[0])); err == nil && n >= 0 && bytes.HasPrefix(data, []byte(header(n))) {
			return n, len(header(n))
		}
	}
	return -1, 0
}

// maxWork bounds how often a file is read whose lengths are all wrong.
const maxWork = 16

// readRecord reads the record at the start of data; nil if it is not whole.
// Length is the part that was checked, without the newline behind it.
func readRecord(data []byte) (in []byte, length int) {
	line, _, ok := bytes.Cut(data[:min(len(data), 64)], []byte("\n"))
	sum, size, cut := bytes.Cut(bytes.TrimPrefix(line, []byte(recordMark)), []byte(" "))
	n, err := strconv.Atoi(string(size))
	start := len(line) + 1
	if !ok || !cut || err != nil || n <= 0 || n > len(data)-start {
		return nil, 0
	}
	if in = data[start : start+n]; checksum(in) != string(sum) {
		return nil, start + n
	}
	return in, start + n
}

// lostIn counts the records that a part of a file without whole ones had; a
// changed newline between two is none.
func lostIn(gap []byte) int {
	if len(gap) <= 1 {
		return 0
	}
	return max(1, bytes.Count(gap, []byte(recordMark)))
}
