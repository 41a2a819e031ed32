package sim

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"econ-mcp/internal/fault"
)

// A snapshot is a zstd stream of sections, each with its name and length:
// the format, the model version, the parameters, what is planned, the seed, the
// macro state and one section per column, and from month 1 on, one of where households
// stood before it, which is measurement and no part of the state. All numbers are
// little-endian.
const (
	snapshotMagic  = "ECONSNAP"
	snapshotFormat = 3
	maxName        = 64
	chunkRows      = 8192    // rows converted at a time, of at most 8 bytes
	snapshotBuffer = 1 << 16 // bytes that hold as many, or the macro state

	// Rows are alike over short distances: a wider window of the compressor takes more memory while
	// snapshots are written, side by side, and makes none smaller.
	snapshotWindow = 1 << 18
)

// WriteSnapshot writes the whole state, from which [ReadSnapshot] continues
// with the same bits.
func (e *Economy) WriteSnapshot(w io.Writer) error {
	if err := e.errRedrawn(); err != nil {
		return err
	}
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(snapshotWindow), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(z, snapshotBuffer)
	out.WriteString(snapshotMagic)
	list := append([]section{
		{"format", []int64{snapshotFormat}},
		{"model", []byte(ModelVersion)},
		{"parameters", []byte(e.base.text())},
		{"interventions", encodePlan(e.plan)},
		{"seed", []uint64{e.seed}},
		{"macro", []macro{e.m}},
	}, e.sections()...)
	if e.h.standing != nil {
		list = append(list, section{standingColumn, e.h.standing})
	}
	for _, s := range list {
		if err := s.write(out); err != nil {
			z.Close()
			return err
		}
	}
	return errors.Join(out.Flush(), z.Close())
}

// StateHash is the SHA-256 of the state, in hexadecimal digits. Equal hashes
// mean equal futures under equal parameters and plans.
func (e *Economy) StateHash() string {
	sum := sha256.New()
	out := bufio.NewWriterSize(sum, snapshotBuffer)
	fmt.Fprintf(out, "%s %d\n", ModelVersion, e.seed)
	if e.redrawn.of != 0 {
		fmt.Fprintf(out, "%+v\n", e.redrawn)
	}
	writeData(out, []macro{e.m})
	for _, s := range e.sections() {
		s.write(out)
	}
	out.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}

// broken is the error of a snapshot that cannot be read, with the place.
func broken(place, format string, args ...any) error {
	return fault.New(fault.InvalidState, "snapshot", "broken at %s: %s", place, fmt.Sprintf(format, args...))
}

// ReadSnapshot returns the economy that [Economy.WriteSnapshot] wrote. A stream
// that is cut, damaged or from another model version is refused with the place
// at which it is wrong.
func ReadSnapshot(r io.Reader, threads int) (*Economy, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, broken("the start", "%v", err)
	}
	defer z.Close()
	in := bufio.NewReaderSize(z, snapshotBuffer)

	magic := make([]byte, len(snapshotMagic))
	if _, err := io.ReadFull(in, magic); err != nil || string(magic) != snapshotMagic {
		return nil, broken("the start", "not a snapshot of econ-mcp")
	}
	format := make([]int64, 1)
	if err := (section{"format", format}).read(in); err != nil {
		return nil, err
	}
	if format[0] != snapshotFormat {
		return nil, broken("format", "version %d; this program reads version %d", format[0], snapshotFormat)
	}
	var model, parameters, interventions string
	for _, text := range []struct {
		name string
		into *string
	}{{"model", &model}, {"parameters", &parameters}, {"interventions", &interventions}} {
		if *text.into, err = readText(in, text.name); err != nil {
			return nil, err
		}
	}
	if model != ModelVersion {
		return nil, broken("model", "written by model version %q; this program has %q", model, ModelVersion)
	}
	p, err := parseParams(parameters)
	if err != nil {
		return nil, broken("parameters", "%v", err)
	}
	plan, err := decodePlan(interventions)
	if err != nil {
		return nil, broken("interventions", "%v", err)
	}
	e := allocate(p, threads)
	if err := e.readState(in); err != nil {
		e.Close()
		return nil, err
	}
	e.setPlan(plan)
	return e, nil
}

// readState fills the economy and checks it.
func (e *Economy) readState(in *bufio.Reader) error {
	seed, state := make([]uint64, 1), make([]macro, 1)
	for _, s := range append([]section{{"seed", seed}, {"macro", state}}, e.sections()...) {
		if err := s.read(in); err != nil {
			return err
		}
	}
	e.seed, e.m = seed[0], state[0]
	if err := e.readStanding(in); err != nil {
		return err
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return broken("the end", "more data than a snapshot holds, or a wrong checksum (%v)", err)
	}
	if err := e.checkLinks(); err != nil {
		return err
	}
	e.takeUp()
	return nil
}

// takeUp works out what follows from a state that another economy had.
func (e *Economy) takeUp() {
	e.census()
	v := e.surveyFirms()
	e.opening = e.countStocks(&v)
}

// Copy returns another economy in the same state, on as many threads, as [ReadSnapshot] would of
// [Economy.WriteSnapshot]: both continue with the same bits. The caller must Close it.
func (e *Economy) Copy() *Economy {
	c := allocate(e.base, e.Threads())
	c.seed, c.redrawn, c.m = e.seed, e.redrawn, e.m
	from := e.sections()
	for k, s := range c.sections() {
		reflect.Copy(reflect.ValueOf(s.data), reflect.ValueOf(from[k].data))
	}
	c.h.standing = slices.Clone(e.h.standing)
	c.takeUp()
	c.setPlan(slices.Clone(e.plan))
	return c
}

// standingColumn is the section of where households stood before month 1.
const standingColumn = "households.standing"

// readStanding reads that section, which burnt-in states do not have.
func (e *Economy) readStanding(in *bufio.Reader) error {
	if _, err := in.Peek(1); err != nil {
		return nil // the end, or what the next read says
	}
	e.h.standing = make([]int16, e.households())
	if err := (section{standingColumn, e.h.standing}).read(in); err != nil {
		return err
	}
	for h, cell := range e.h.standing {
		if cell < 0 || int(cell) > standingCells {
			return broken(standingColumn, "row %d: %d; allowed 0 to %d", h, cell, standingCells)
		}
	}
	return nil
}

// checkLinks refuses numbers that would point outside a column.
func (e *Economy) checkLinks() error {
	for h, i := range e.h.employer {
		if i < nobody || i > e.programme() {
			return broken("households.employer", "row %d: employer %d; allowed -1 to %d", h, i, e.programme())
		}
	}
	if e.m.EquityUnit <= 0 || e.m.Pool < 0 {
		return broken("macro", "equity weights add up to %d, the dividend pool holds %d; allowed are numbers above and from zero",
			e.m.EquityUnit, e.m.Pool)
	}
	for b, bank := range e.m.Banks {
		if bank.Reserves < 0 || bank.Advances < 0 || b >= e.p.NumBanks && bank != (bankState{}) {
			return broken("macro", "bank %d has reserves of %d and advances of %d; there are %d banks", b+1, bank.Reserves,
				bank.Advances, e.p.NumBanks)
		}
	}
	for h, traits := range e.h.traits {
		if int(traits&3) >= len(e.savers()) || e.h.equity[h] < 0 {
			return broken("households.traits", "row %d: saving type %d, equity weight %d", h, traits&3, e.h.equity[h])
		}
	}
	for h, ability := range e.h.ability {
		if e.h.skill[h] < 1 || e.h.skill[h] > ability {
			return broken("households.ability", "row %d: skill %d of an ability of %d", h, e.h.skill[h], ability)
		}
	}
	for h, x := range e.h.exposure {
		if x&exposureGroup >= NumExposureGroups || x&^(exposureGroup|displaced) != 0 {
			return broken("households.exposure", "row %d: %d is no group of exposure", h, x)
		}
	}
	for i, share := range e.f.automated {
		if !(share >= 0 && share < 1) {
			return broken("firms.automated", "row %d: %v; allowed is a share from 0 and below 1", i, share)
		}
	}
	for row, i := range e.h.suppliers {
		link := row / e.linksPerIndustry
		r := e.rangeOf(link%e.industries(), e.marketOf(link/e.industries()))
		if i < e.shopStart[r] || i >= e.shopStart[r+1] {
			return broken("households.suppliers", "row %d: supplier %d; allowed %d to %d", row, i, e.shopStart[r], e.shopStart[r+1]-1)
		}
	}
	if err := e.checkAges(); err != nil {
		return err
	}
	living := func(age int32) bool { return age >= 0 }
	if !slices.ContainsFunc(e.f.age[e.consumptionFirms:], living) {
		return broken("firms.age", "no maker of capital goods is there")
	}
	for i, k := range e.f.supplier {
		low, high := e.consumptionFirms, e.firms()-1
		if e.isCapital(i) {
			low, high = int(nobody), int(nobody)
		}
		if int(k) < low || int(k) > high {
			return broken("firms.supplier", "row %d: supplier %d; allowed %d to %d", i, k, low, high)
		}
	}
	return nil
}

// text writes the parameters as lines of name=value.
func (p *Params) text() string {
	var b strings.Builder
	for _, row := range Catalogue() {
		fmt.Fprintf(&b, "%s=%v\n", row.Name, row.Value(p))
	}
	return b.String()
}

func parseParams(text string) (Params, error) {
	p := Defaults()
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return p, fmt.Errorf("line %q is not name=value", line)
		}
		if err := p.Set(name, value); err != nil {
			return p, err
		}
	}
	return p, p.Validate()
}

// write writes a section with its head.
func (s section) write(out *bufio.Writer) error {
	if _, err := out.WriteString(s.name + "\n"); err != nil {
		return err
	}
	if err := binary.Write(out, binary.LittleEndian, uint64(binary.Size(s.data))); err != nil {
		return err
	}
	return writeData(out, s.data)
}

func readHead(in *bufio.Reader, name string) (int, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return 0, broken(name, "%v", err)
	}
	if got := string(line[:len(line)-1]); got != name {
		if len(got) > maxName {
			got = got[:maxName]
		}
		return 0, broken(name, "found section %q instead", got)
	}
	var size uint64
	if err := binary.Read(in, binary.LittleEndian, &size); err != nil {
		return 0, broken(name, "%v", err)
	}
	return int(size), nil
}

const maxText = 1 << 20

func readText(in *bufio.Reader, name string) (string, error) {
	size, err := readHead(in, name)
	if err != nil {
		return "", err
	}
	if size < 0 || size > maxText {
		return "", broken(name, "%d bytes long; at most %d", size, maxText)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return "", broken(name, "%v", err)
	}
	return string(text), nil
}

// read reads a section into its slice, which has the right length.
func (s section) read(in *bufio.Reader) error {
	size, err := readHead(in, s.name)
	if err != nil {
		return err
	}
	if want := binary.Size(s.data); size != want {
		return broken(s.name, "%d bytes long; the parameters call for %d", size, want)
	}
	for part := range chunks(s.data) {
		data, err := in.Peek(binary.Size(part)) // of the reader's own buffer
		if err == nil {
			_, err = binary.Decode(data, binary.LittleEndian, part)
		}
		if err != nil {
			return broken(s.name, "%v", err)
		}
		in.Discard(len(data)) // which it has
	}
	return nil
}

// writeData writes a slice in chunks, without a copy of the whole: each is converted in the
// writer's own buffer.
func writeData(out *bufio.Writer, data any) error {
	for part := range chunks(data) {
		if out.Available() < binary.Size(part) {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		converted, err := binary.Append(out.AvailableBuffer(), binary.LittleEndian, part)
		if err != nil {
			return err
		}
		if _, err := out.Write(converted); err != nil {
			return err
		}
	}
	return nil
}

// chunks are the parts of a slice, of at most chunkRows elements.
func chunks(data any) iter.Seq[any] {
	return func(yield func(any) bool) {
		all := reflect.ValueOf(data)
		for lo := 0; lo < all.Len(); lo += chunkRows {
			if !yield(all.Slice(lo, min(lo+chunkRows, all.Len())).Interface()) {
				return
			}
		}
	}
}
