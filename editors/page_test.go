package editors

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// reported writes the report on the contracts in e2e/report as a page.
func reported(t *testing.T) string {
	t.Helper()
	page := filepath.Join(t.TempDir(), "report.html")
	cmd := exec.CommandContext(t.Context(), binary(t), "fuzz", "--max-inputs", "40000", "--workers", "1", "--seed", "1", "--format", "html", "--output", page, "e2e/report")
	cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+compilers(t), "XDG_CACHE_HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	return page
}

// The page of a report in a browser.
func TestPage(t *testing.T) {
	needCode(t)
	page := reported(t)
	t.Run("use", func(t *testing.T) { usePage(t, page) })
	t.Run("pictures", func(t *testing.T) { takePictures(t, page) })
}

// The script takes every picture of reports that the documentation shows.
func takePictures(t *testing.T, page string) {
	dir := t.TempDir()
	t.Setenv("LEVERET_TOOLS", compilers(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cmd := exec.CommandContext(t.Context(), program(t, "node"), "pictures.mjs", page, dir, binary(t))
	cmd.Dir = "e2e"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shown := 0
	for _, file := range []string{"../README.md", "../docs/reports.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`pictures/(\w+\.png)`).FindAllSubmatch(text, -1) {
			shown++
			for _, folder := range []string{dir, "../docs/pictures"} {
				if _, err := os.Stat(filepath.Join(folder, string(m[1]))); err != nil {
					t.Errorf("%s shows a picture that is missing: %v", file, err)
				}
			}
		}
	}
	if shown < 2 {
		t.Errorf("%d pictures of reports", shown)
	}
}

// The script uses every view.
func usePage(t *testing.T, page string) { inBrowser(t, "page.mjs", "page", page) }

// The page of a run that goes on, in a browser. The script ends the run.
func TestLivePage(t *testing.T) {
	needCode(t)
	t.Setenv("LEVERET_TOOLS", compilers(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	inBrowser(t, "live.mjs", "live", binary(t), "fuzz", "--ui", "--time", "1h", "--seed", "1", "--workers", "1", "../../docs/examples/Auction.sol")
}

// The page of a campaign on several machines, in a browser. The script starts the campaign.
func TestCampaignPage(t *testing.T) {
	needCode(t)
	t.Setenv("LEVERET_TOOLS", compilers(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	inBrowser(t, "campaign.mjs", "campaign", binary(t), t.TempDir(), "../../docs/examples/Auction.sol")
}

// inBrowser runs a script of e2e, which gets a folder for screenshots and arguments, and
// reports its steps. SHOTS names another place for the folder.
func inBrowser(t *testing.T, script, folder string, args ...string) {
	shots := os.Getenv("SHOTS")
	if shots == "" {
		shots = absolute(t, "e2e/shots")
	}
	cmd := exec.CommandContext(t.Context(), program(t, "node"), append([]string{script, filepath.Join(shots, folder)}, args...)...)
	cmd.Dir = "e2e"
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if n := report(t, output); n == 0 || err != nil && !t.Failed() {
		t.Errorf("%d steps, %v\n%s\n%s", n, err, output, stderr.String())
	}
}
