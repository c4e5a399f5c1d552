package engine

import (
	"errors"
	"fmt"
	"hash/maphash"
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
	file    *corpus.File
	at      time.Time
	texts   [][]byte   // of the Entries, which only grow
	digest  uint64     // of what was last handed to the disk
	writing chan error // of the write under way; nil if there is none
	damage  []error    // what could not be loaded
}

// saveDue saves the corpus if it is time to and the last write is over. What
// goes wrong is told by the save at the end, which tries again.
func (c *campaign) saveDue(now time.Time) {
	s := &c.saver
	if s.file == nil || now.Sub(s.at) < saveEvery {
		return
	}
	if s.writing != nil {
		select {
		case err := <-s.writing:
			s.wrote(err)
		default:
			return
		}
	}
	s.at = now
	texts := c.corpusTexts()
	digest := digestOf(texts)
	if digest == s.digest {
		return
	}
	s.digest, s.writing = digest, make(chan error, 1)
	go func(to chan<- error) { to <- s.file.Save(texts) }(s.writing)
}

// wrote notes that a write is over. Only damage is kept of its error.
func (s *saver) wrote(err error) {
	s.writing = nil
	if damage := (*corpus.Damage)(nil); errors.As(err, &damage) {
		s.damage = append(s.damage, damage)
	}
}

// save writes the corpus: all at once, or not at all. The error also tells of
// what could not be loaded.
func (c *campaign) save() error {
	s := &c.saver
	if s.file == nil {
		return nil
	}
	if s.writing != nil {
		s.wrote(<-s.writing)
	}
	err := s.file.Save(c.corpusTexts())
	if damage := (*corpus.Damage)(nil); err != nil && !errors.As(err, &damage) {
		err = fmt.Errorf("the corpus cannot be saved: %w", err)
	}
	return errors.Join(append(s.damage, err)...)
}

var digestSeed = maphash.MakeSeed()

// digestOf tells lists of inputs apart.
func digestOf(texts [][]byte) uint64 {
	var h maphash.Hash
	h.SetSeed(digestSeed)
	for _, text := range texts {
		h.Write(text)
	}
	return h.Sum64()
}

// corpusTexts is the corpus as it is now: the Entries, then the nearest to each
// branch that was just missed, then what an earlier campaign left and this one
// has not come to yet.
func (c *campaign) corpusTexts() [][]byte {
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
			texts = append(texts, input.AppendText(nil, waiting.Sequence))
		}
	}
	return texts
}
