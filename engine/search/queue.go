package search

// A Queue holds candidates that run before what sources make by weight. It
// belongs to the campaign loop; sources add to it.
type Queue struct {
	list []*Candidate
}

// Add adds a candidate at the end.
func (q *Queue) Add(c *Candidate) { q.list = append(q.list, c) }

// Len returns the candidates that wait.
func (q *Queue) Len() int { return len(q.list) }

// All returns the candidates that wait; callers do not change it.
func (q *Queue) All() []*Candidate { return q.list }

// Take removes the first candidate; nil if there is none.
func (q *Queue) Take() *Candidate {
	if len(q.list) == 0 {
		return nil
	}
	first := q.list[0]
	q.list = q.list[1:]
	return first
}

// TakeUnmet is Take, but drops candidates whose purpose is met.
func (q *Queue) TakeUnmet() *Candidate {
	for {
		if next := q.Take(); next == nil || next.Purpose == nil || !next.Purpose.Met(next) {
			return next
		}
	}
}

// TakeFirst removes the first candidate that suits; nil if there is none.
func (q *Queue) TakeFirst(suits func(*Candidate) bool) *Candidate {
	for i, next := range q.list {
		if suits(next) {
			q.list = append(q.list[:i:i], q.list[i+1:]...)
			return next
		}
	}
	return nil
}
