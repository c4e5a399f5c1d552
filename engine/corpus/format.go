package corpus

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
)

// A corpus file is a list of inputs in their readable form (engine/input). Its
// first line has their number; a line before each input has its checksum and
// its length in bytes:
//
//	leveret corpus v2 2 1ad5be0d
//	--- 4b0f7d2e 61
//	leveret input v1
//	…
//
// Each of these lines has its own checksum, so a damaged file loses only the
// damaged inputs. Version 1 has "---" alone before each input and no checksums;
// it can be read but is no longer written.
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

// encode returns the contents of a corpus file. Equal inputs are written once;
// trailing newlines of an input do not count.
func encode(inputs [][]byte) []byte {
	var set Set
	set.AddAll(inputs)
	first := header(len(set.Inputs))
	size := len(first)
	for _, in := range set.Inputs {
		size += len(in) + 32
	}
	data := append(make([]byte, 0, size), first...)
	for _, in := range set.Inputs {
		data = fmt.Appendf(data, "%s%s %d\n%s\n", recordMark, checksum(in), len(in), in)
	}
	return data
}

func trim(in []byte) []byte { return bytes.Trim(in, "\n") }

// contents is a decoded corpus file.
type contents struct {
	inputs  [][]byte
	lost    int  // unreadable inputs
	unsure  bool // more may be lost
	damaged bool
}

// decode reads a corpus file and keeps the readable inputs. Invalid inputs
// count as lost.
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

// decodeV2 finds the records with a correct checksum at any position.
func decodeV2(data []byte) (c contents) {
	count, at := readHeader(data)
	lost, gap := 0, at // gap is the end of the last good record
	if count < 0 {
		c.damaged, c.unsure = true, true
		gap = max(0, bytes.Index(data, []byte(recordMark))) // the header ends there
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

// readHeader returns the number of inputs, negative if the first line is
// damaged, and the position of the first record.
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

// maxWork bounds how many times the file's size decodeV2 reads if all lengths
// are wrong.
const maxWork = 16

// readRecord reads the record at the start of data; nil if it is damaged. The
// length excludes the newline after the record.
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

// lostIn counts the damaged records in a part of a file without good ones. A
// changed newline between records does not count.
func lostIn(gap []byte) int {
	if len(gap) <= 1 {
		return 0
	}
	return max(1, bytes.Count(gap, []byte(recordMark)))
}
