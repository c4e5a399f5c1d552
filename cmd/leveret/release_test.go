//go:build release

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// packed is a file of an archive.
type packed struct {
	text []byte
	mode fs.FileMode
}

// TestRelease checks what make release built, which runs this file alone and names the
// folder: an archive and an SBOM for each platform, or for half of them, and the checksums.
func TestRelease(t *testing.T) {
	dir := os.Getenv("LEVERET_RELEASE")
	if dir == "" {
		t.Fatal("LEVERET_RELEASE names no folder; make release runs this test")
	}
	names := []string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, processor := range []string{"amd64", "arm64"} {
			if dry := os.Getenv("LEVERET_RELEASE_DRY") == "1"; dry && (system == "darwin") == (processor == "amd64") {
				continue // each system and each processor is there once
			}
			name := fmt.Sprintf("leveret_%s_%s_%s", toolVersion, system, processor)
			archive, read := name+".tar.gz", readTar
			if system == "windows" {
				archive, read = name+".zip", readZip
			}
			names = append(names, archive, name+".cdx.json")
			t.Run(system+"_"+processor, func(t *testing.T) {
				files, err := read(filepath.Join(dir, archive))
				if err != nil {
					t.Fatal(err)
				}
				info := checkArchive(t, files, name, system, processor)
				checkSBOM(t, filepath.Join(dir, name+".cdx.json"), info)
			})
		}
	}
	slices.Sort(names)
	checkSums(t, dir, names)
}

// checkArchive compares the texts of an archive with those of the module, and returns
// what its binary says about its build.
func checkArchive(t *testing.T, files map[string]packed, folder, system, processor string) *buildinfo.BuildInfo {
	t.Helper()
	pages := 0
	for name, f := range files {
		if rest, ok := strings.CutPrefix(name, folder+"/"); !ok {
			t.Errorf("%s is not in %s", name, folder)
		} else if strings.HasPrefix(rest, "man/leveret") && bytes.Contains(f.text, []byte("Leveret "+toolVersion)) {
			pages++
		}
	}
	if pages < 10 {
		t.Errorf("%d man pages of version %s", pages, toolVersion)
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		if !bytes.Equal(files[folder+"/"+name].text, readFile(t, name)) {
			t.Errorf("%s is not that of the module", name)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if !bytes.Contains(files[folder+"/completions/leveret."+shell].text, []byte("__complete")) {
			t.Errorf("no completion for %s", shell)
		}
	}
	binary := files[folder+"/leveret"]
	if system == "windows" {
		binary = files[folder+"/leveret.exe"]
	} else if binary.mode.Perm() != 0o755 {
		t.Errorf("the binary has mode %v", binary.mode)
	}
	info, err := buildinfo.Read(bytes.NewReader(binary.text))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range info.Settings {
		got[s.Key] = s.Value
	}
	for key, want := range map[string]string{"GOOS": system, "GOARCH": processor, "CGO_ENABLED": "0", "-trimpath": "true"} {
		if got[key] != want {
			t.Errorf("the binary was built with %s=%q, want %q", key, got[key], want)
		}
	}
	if system == runtime.GOOS && processor == runtime.GOARCH {
		checkRuns(t, binary.text)
	}
	return info
}

func checkRuns(t *testing.T, binary []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "leveret.exe")
	if err := os.WriteFile(file, binary, 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(file, "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "leveret "+toolVersion+" (") {
		t.Errorf("leveret version: %v\n%s", err, out)
	}
}

// checkSBOM demands the version and every module of the binary.
func checkSBOM(t *testing.T, file string, info *buildinfo.BuildInfo) {
	t.Helper()
	var bom struct {
		BOMFormat string
		Metadata  struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Name, Version string }
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	main := bom.Metadata.Component
	if bom.BOMFormat != "CycloneDX" || main.Name != "leveret" || main.Version != "v"+toolVersion {
		t.Errorf("the SBOM is in format %q, of %s %s", bom.BOMFormat, main.Name, main.Version)
	}
	described := map[string]string{}
	for _, c := range bom.Components {
		described[c.Name] = c.Version
	}
	if len(info.Deps) == 0 {
		t.Error("the binary names no modules")
	}
	for _, m := range info.Deps {
		if described[m.Path] != m.Version {
			t.Errorf("the SBOM has version %q of %s, the binary %s", described[m.Path], m.Path, m.Version)
		}
	}
}

// checkSums demands exactly these names, in order, with the checksums of their files.
func checkSums(t *testing.T, dir string, names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want[name] = fmt.Sprintf("%x", sha256.Sum256(content))
	}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if want[name] != sum {
			t.Errorf("%s has checksum %q, checksums.txt says %s", name, want[name], sum)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("checksums.txt lacks %s", name)
	}
}

func readTar(file string) (map[string]packed, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	plain, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	files := map[string]packed{}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		if h.Typeflag == tar.TypeReg {
			files[path.Clean(h.Name)] = packed{content, h.FileInfo().Mode()}
		}
	}
}

func readZip(file string) (map[string]packed, error) {
	r, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	files := map[string]packed{}
	for _, f := range r.File {
		if f.Mode().IsDir() {
			continue
		}
		content, err := fs.ReadFile(r, f.Name)
		if err != nil {
			return nil, err
		}
		files[path.Clean(f.Name)] = packed{content, f.Mode()}
	}
	return files, nil
}
