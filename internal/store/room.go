package store

import (
	"fmt"
	"math"

	"econ-mcp/sim"
)

// What rows take in the file. SQLite keeps the rows of a table in leaf pages, and of a row that
// does not fit into one the rest in pages of its own (https://www.sqlite.org/fileformat2.html,
// section 1.6). As rows are added at the end, a leaf is left when the next one does not fit: nearly
// half of each is lost where rows are a little larger than half of it. The sums are within 5 % of
// what a file grows by (TestRoom).

const (
	cellBytes  = 12  // pointer, sizes and number of a row in its leaf
	headBytes  = 70  // types and small values of a row of monthly beside its indicators
	valueBytes = 360 // the indicators of a month, usually: some are whole numbers
	indexBytes = 20  // of a month or a detail in the index of its table
	detailHead = 30  // types and small values of a detail beside its data
	runBytes   = 150 // a row of run, with the hash of its state, and its index
	rowBytes   = 100 // of other rows: names, times, indices
)

// room is about what a row takes whose values have so many bytes.
func (s *Store) room(payload int) int64 {
	local, spilled := s.spill(payload, s.page-35)
	share := local + cellBytes
	if share > s.page/16 { // of small rows hardly anything is lost
		share = s.page / max(1, (s.page-8)/share)
	}
	return int64(share + spilled)
}

// packed is what rows take that are written to a table one after the other, and are of such
// different sizes that one often finds no place beside the last. A few small ones find it in what
// is left of earlier pages. The rest of the last page is for later ones if it is the larger part.
func (s *Store) packed(payloads []int) int64 {
	few := s.page / 16
	small := 0
	for _, payload := range payloads {
		if cell := payload + cellBytes; cell <= few {
			small += cell
		}
	}
	bytes, free := 0, 0
	for _, payload := range payloads {
		local, spilled := s.spill(payload, s.page-35)
		cell := local + cellBytes
		bytes += spilled + indexBytes
		if cell <= few && small <= few {
			bytes += cell
			continue
		}
		if cell > free {
			bytes, free = bytes+s.page, s.page-8
		}
		free -= cell
	}
	if free > s.page/2 {
		bytes -= free
	}
	return int64(bytes)
}

// keyedRoom is about what a row takes in a table whose rows are kept by their key: leaves hold
// four at least, and are three quarters full, because rows come in anywhere.
func (s *Store) keyedRoom(payload int) int64 {
	local, spilled := s.spill(payload, (s.page-12)*64/255-23)
	return int64((local+cellBytes)*4/3 + spilled)
}

// spill says how much of a row stays in its leaf, where that is most, and the bytes of the
// pages that the rest takes.
func (s *Store) spill(payload, most int) (local, spilled int) {
	if payload <= most {
		return payload, 0
	}
	least := (s.page-12)*32/255 - 23
	if local = least + (payload-least)%(s.page-4); local > most {
		local = least
	}
	return local, (payload - local + s.page - 5) / (s.page - 4) * s.page
}

// runRoom is what a row of run takes that has so many bytes of what began in it, beyond one in
// which nothing was planned. It grows in its place: one that spills had a leaf for itself before.
func (s *Store) runRoom(began int) int64 {
	const base = 105 // bytes of its other values
	local, spilled := s.spill(base+began, s.page-35)
	if spilled > 0 {
		return int64(s.page + spilled)
	}
	return s.room(local)
}

const nothingBegan = len("[]") // of a run that no intervention was planned for

// monthRoom is what a row of monthly takes, whose record has so many bytes.
func (s *Store) monthRoom(record int, values []float64) int64 {
	size := record + headBytes
	for _, v := range values {
		size += realBytes(v)
	}
	return s.room(size) + indexBytes
}

// realBytes is what SQLite takes for a number: one without a fraction is kept as an integer.
func realBytes(v float64) int {
	if math.IsNaN(v) || v == 0 || v == 1 {
		return 0
	}
	if v != math.Trunc(v) || math.Abs(v) >= 1<<47 {
		return 8
	}
	for n, bits := range []int{7, 15, 23, 31} {
		if math.Abs(v) < float64(int64(1)<<bits) {
			return n + 1
		}
	}
	return 6
}

// RunBytes is what a run comes to store at most, that has so many months and interventions and so
// many bytes of each of several details.
func (s *Store) RunBytes(months, interventions int, details ...int) int64 {
	bytes := int64(months)*(s.room(1+(len(fields)+7)/8+8*len(fields)+8*int(sim.NumIndicators)+headBytes)+indexBytes) + runBytes
	for _, size := range details {
		bytes += s.room(size)
	}
	bytes += s.runRoom(nothingBegan+interventions*len(fmt.Sprint(months)+",")) - s.runRoom(nothingBegan)
	return bytes + int64(s.page) // for details that find no place beside one another
}
