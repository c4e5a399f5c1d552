package search

// A Search is what the parts of a campaign share. Each part keeps what it needs
// of it.
type Search struct {
	Subject   *Subject
	Corpus    *Corpus
	Generator *Generator
	Branches  *Branches
	Progress  *Progress
	Queue     *Queue
	Over      func() bool // the campaign has to end at once
}
