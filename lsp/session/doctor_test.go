package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without Config.Doctor, a session returns the report of package doctor,
// including failures.
func TestDoctorReports(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "A.sol")
	if err := os.WriteFile(file, []byte("pragma solidity ^0.8.0;\ncontract A {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := Config{Version: "1.2.3"}
	c.fill()
	text := c.Doctor(t.Context(), SourceFile{Root: dir, File: file})
	for _, want := range []string{"Leveret     1.2.3\n", "Project     " + dir + ": no project file", "Compilers   none\n", "no Solidity compiler"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// A folder outside the workspace may be a whole disk.
func TestDoctorOutside(t *testing.T) {
	asked := ""
	s := New(Config{Doctor: func(_ context.Context, source SourceFile) string {
		asked = source.File
		return "report"
	}})
	defer s.Close()
	dir := t.TempDir()
	if text := s.Doctor(t.Context(), dir); asked != "" || !strings.Contains(text, dir+" is a folder outside the workspace") {
		t.Errorf("%q, asked about %q", text, asked)
	}
	if file := filepath.Join(dir, "A.sol"); s.Doctor(t.Context(), file) != "report" || asked != file {
		t.Errorf("asked about %q", asked)
	}
}
