package main

import (
	"encoding/binary"
	"strings"
	"syscall"
)

// A watch notes which files of a folder are opened.
type watch struct{ fd int }

func newWatch(dir string) (*watch, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		return nil, err
	}
	_, err = syscall.InotifyAddWatch(fd, dir, syscall.IN_OPEN|syscall.IN_ACCESS)
	return &watch{fd}, err
}

// opened ends the watch and returns the names of the files that were opened.
func (w *watch) opened() (names []string) {
	defer syscall.Close(w.fd)
	events := make([]byte, 1<<16)
	for {
		n, err := syscall.Read(w.fd, events)
		if err != nil || n <= 0 {
			return names
		}
		for at := 0; at+syscall.SizeofInotifyEvent <= n; {
			mask, size := binary.NativeEndian.Uint32(events[at+4:]), int(binary.NativeEndian.Uint32(events[at+12:]))
			at += syscall.SizeofInotifyEvent
			name := strings.TrimRight(string(events[at:at+size]), "\x00")
			if at += size; mask&syscall.IN_ISDIR == 0 && name != "" {
				names = append(names, name)
			}
		}
	}
}
