package engine

import (
	"errors"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"time"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/input"
	"leveret/engine/search"
)

// saveInterval is how much of a campaign is lost if the process is killed, if the corpus
// is small. It is that long for each saveUnit bytes: a file is written as a whole.
const (
	saveInterval = time.Second
	saveUnit     = 2 << 20
)

// maxSaved bounds the bytes of the inputs that one campaign saves.
const maxSaved = 128 << 20

// A saver keeps the corpus file up to date while the campaign runs. It writes
// beside the loop: a disk is slower than a thousand inputs.
type saver struct {
	file    *corpus.File // nil: none
	at      time.Time
	size    int        // bytes that were written last
	digest  uint64     // of what was written last
	writing chan error // of the write that runs; nil if none does
	damage  []error    // what could not be loaded
}

// load opens the corpus of a contract in a folder and returns its valid inputs.
// save reports what cannot be read.
func (s *saver) load(folder, contract string) (list []input.Sequence) {
	if folder == "" {
		return nil
	}
	s.file = OpenCorpus(filepath.Join(folder, contract+CorpusSuffix))
	texts, err := s.file.Load()
	s.written(err)
	return Inputs(texts)
}

// CorpusSuffix ends the names of files with a corpus, after the contract's.
const CorpusSuffix = ".corpus"

// OpenCorpus returns the corpus at path, which need not exist.
func OpenCorpus(path string) *corpus.File {
	return corpus.Open(path, func(text []byte) bool {
		_, err := input.ReadText(text, nil)
		return err == nil
	})
}

// Inputs reads the valid inputs of a corpus.
func Inputs(texts [][]byte) (list []input.Sequence) {
	for _, text := range texts {
		if seq, err := input.ReadText(text, nil); err == nil {
			list = append(list, seq)
		}
	}
	return list
}

// saveDue saves the corpus if it is time to and the last write is over. The save
// at the end tries again and reports errors.
func (s *saver) saveDue(now time.Time, inputs func() [][]byte) {
	if s.file == nil || now.Sub(s.at) < saveInterval*time.Duration(1+s.size/saveUnit) {
		return
	}
	if s.writing != nil {
		select {
		case err := <-s.writing:
			s.written(err)
		default:
			return
		}
	}
	s.at = now
	texts := inputs()
	s.size = 0
	for _, text := range texts {
		s.size += len(text)
	}
	digest := digestOf(texts)
	if digest == s.digest {
		return
	}
	s.digest, s.writing = digest, make(chan error, 1)
	go func(to chan<- error) { to <- s.file.Save(texts) }(s.writing)
}

// written notes the end of a write. Of its error only damage is kept.
func (s *saver) written(err error) {
	s.writing = nil
	if damage := (*corpus.Damage)(nil); errors.As(err, &damage) {
		s.damage = append(s.damage, damage)
	}
}

// save writes the corpus, completely or not at all. The error includes what
// could not be loaded.
func (s *saver) save(inputs func() [][]byte) error {
	if s.file == nil {
		return nil
	}
	if s.writing != nil {
		s.written(<-s.writing)
	}
	err := s.file.Save(inputs())
	if damage := (*corpus.Damage)(nil); err != nil && !errors.As(err, &damage) {
		err = fmt.Errorf("the corpus cannot be saved: %w", err)
	}
	return errors.Join(append(s.damage, err)...)
}

var digestSeed = maphash.MakeSeed()

// digestOf hashes a list of inputs.
func digestOf(texts [][]byte) uint64 {
	var h maphash.Hash
	h.SetSeed(digestSeed)
	for _, text := range texts {
		h.Write(text)
	}
	return h.Sum64()
}

// A text is an input as it is saved.
type text struct {
	path  cover.PathID // of an entry; 0: not one
	first bool         // it covered something first
	bytes []byte
}

// texts are the corpus of a worker as it is saved.
type texts struct {
	at    time.Time                // of the last list
	bytes map[*corpus.Entry][]byte // of the entries in it
}

// list returns the entries, the nearest to each just-missed branch, then the
// inputs of earlier campaigns that were not executed yet.
func (t *texts) list(all *search.Corpus, waiting []input.Sequence) []text {
	known, list := t.bytes, make([]text, 0, len(all.Entries))
	t.bytes = make(map[*corpus.Entry][]byte, len(all.Entries))
	for _, e := range all.Entries {
		written, ok := known[e]
		if !ok {
			written = input.AppendText(nil, e.Sequence)
		}
		t.bytes[e] = written
		list = append(list, text{e.Path, e.First, written})
	}
	for _, b := range all.Missed() {
		if best, _ := all.Best(b); best != nil {
			list = append(list, text{bytes: input.AppendText(nil, best.Sequence)})
		}
	}
	for _, seq := range waiting {
		list = append(list, text{bytes: input.AppendText(nil, seq)})
	}
	return list
}
