package engine

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"leveret/engine/corpus"
	"leveret/engine/input"
)

// saveEvery is how much of a campaign is lost if the process is killed.
const saveEvery = time.Second

// A saver keeps the file of the corpus up to date while the campaign goes on.
// Writing happens beside the loop: a disk is slower than a thousand inputs.
type saver struct {
	at      time.Time
	texts   [][]byte   // of the Entries, which only grow
	written []byte     // what was last handed to the disk
	writing chan error // of the write under way; nil if there is none
}

// saveDue saves the corpus if it is time to and the last write is over. What
// goes wrong is told by the save at the end, which tries again.
func (c *campaign) saveDue(now time.Time) {
	s := &c.saver
	if c.options.Corpus == "" || now.Sub(s.at) < saveEvery {
		return
	}
	if s.writing != nil {
		select {
		case <-s.writing:
			s.writing = nil
		default:
			return
		}
	}
	s.at = now
	data := c.corpusText()
	if bytes.Equal(data, s.written) {
		return
	}
	s.written, s.writing = data, make(chan error, 1)
	go func(file string, to chan<- error) { to <- corpus.Save(file, data) }(c.corpusFile(), s.writing)
}

// save writes the corpus: all at once, or not at all.
func (c *campaign) save() error {
	if c.options.Corpus == "" {
		return nil
	}
	if c.saver.writing != nil {
		<-c.saver.writing
		c.saver.writing = nil
	}
	if err := corpus.Save(c.corpusFile(), c.corpusText()); err != nil {
		return fmt.Errorf("save the corpus of %s: %w", c.program.under.Name, err)
	}
	return nil
}

// corpusText is the file of the corpus as it is now: the Entries, then the
// nearest to each branch that was just missed, then what an earlier campaign
// left and this one has not come to yet.
func (c *campaign) corpusText() []byte {
	s := &c.saver
	for _, e := range c.corpus.Entries[len(s.texts):] {
		s.texts = append(s.texts, input.AppendText(nil, e.Sequence))
	}
	texts := s.texts[:len(s.texts):len(s.texts)]
	for _, b := range c.corpus.Missed() {
		if best, _ := c.corpus.Best(b); best != nil {
			texts = append(texts, input.AppendText(nil, best.Sequence))
		}
	}
	for _, waiting := range slices.Concat(c.queue, c.later) {
		if waiting.source == c.recalled {
			texts = append(texts, input.AppendText(nil, waiting.sequence))
		}
	}
	return corpus.Join(texts)
}
