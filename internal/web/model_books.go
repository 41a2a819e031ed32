package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// booksArgs say of which month books are asked for.
type booksArgs struct {
	Experiment  string `json:"experiment_name" max:"200"`
	Arm         string `json:"arm,omitempty" max:"200" doc:"Empty = the treatment, else the only one"`
	Replication int    `json:"replication" default:"0" min:"0" doc:"From 1; 0 = the first"`
	Month       int    `json:"month" default:"0" min:"0" doc:"From 1; 0 = the latest"`
}

type booksAnswer struct {
	Experiment  string `json:"experiment_name"`
	Arm         string `json:"arm"`
	Replication int    `json:"replication"`
	Month       int    `json:"month"`
	First       int    `json:"first_month" doc:"For which there are books at hand"`
	Last        int    `json:"last_month"`
	Compared    int    `json:"months_compared" doc:"Of the run, from the first, whose numbers are those that are stored, to the bit"`

	Sectors   []string  `json:"sectors" doc:"Columns of all amounts"`
	Assets    []bookRow `json:"real_assets" doc:"Of the end of the month; nobody's debt, so that rows do not add up to 0"`
	Claims    []bookRow `json:"claims" doc:"Of the end of the month: what is owed to a sector above 0, what it owes below"`
	Worth     []int64   `json:"net_worth" doc:"Real assets and claims less debts: what is left, by definition"`
	Payments  []bookRow `json:"payments" doc:"Received above 0, paid below"`
	Lending   []int64   `json:"net_lending" doc:"What a sector received less what it paid"`
	Losses    []bookRow `json:"other_changes" doc:"Changes of claims without a payment"`
	Changes   []bookRow `json:"changes" doc:"Of claims in the month: more of a claim below 0, more of a debt above"`
	Left      []int64   `json:"left" doc:"Sum of net lending, other changes and changes: 0"`
	Equity    int64     `json:"bank_equity" doc:"On the banks' own books; the net worth of their column"`
	Violation []string  `json:"violations" doc:"Rows and columns that do not add up; empty = all do"`
}

type bookRow struct {
	ID      string  `json:"id"`
	Amounts []int64 `json:"amounts" doc:"By sector, in 1/1000 of a currency unit"`
	Sum     int64   `json:"sum"`
	Within  int64   `json:"within" doc:"Paid among members of one sector, which leaves the sector as it is"`
	Once    bool    `json:"booked_once" doc:"One amount stands in two columns, with both signs: that the row adds up to 0 checks nothing"`
}

// moved says whether a row has an amount.
func (b bookRow) moved() bool {
	return b.Within != 0 || slices.ContainsFunc(b.Amounts, func(x int64) bool { return x != 0 })
}

func (s *Site) readBooks(ctx context.Context, _ *tools.Call, in booksArgs) (booksAnswer, error) {
	b, err := s.Lab.Books(ctx, in.Experiment, in.Arm, in.Replication, in.Month)
	if err != nil {
		return booksAnswer{}, err
	}
	return newBooksAnswer(b), nil
}

func newBooksAnswer(b lab.Booked) booksAnswer {
	worth, lending, left := b.NetWorth(), b.NetLending(), b.Left()
	out := booksAnswer{
		Experiment: b.Experiment, Arm: b.Arm, Replication: b.Replication, Month: b.Month, First: b.First, Last: b.Last, Compared: b.Compared,
		Assets: bookRows(b.Assets), Claims: bookRows(b.Claims), Worth: worth[:], Payments: bookRows(b.Payments), Lending: lending[:],
		Losses: bookRows(b.Losses), Changes: bookRows(b.Changes), Left: left[:], Equity: b.BankEquity,
	}
	for sector := range sim.NumSectors {
		out.Sectors = append(out.Sectors, sector.String())
		if left[sector] != 0 {
			out.Violation = append(out.Violation, fmt.Sprintf("column %s: %d", sector, left[sector]))
		}
	}
	for _, list := range [][]bookRow{out.Claims, out.Payments, out.Losses, out.Changes} {
		for _, row := range list {
			if row.Sum != 0 {
				out.Violation = append(out.Violation, fmt.Sprintf("row %s: %d", row.ID, row.Sum))
			}
		}
	}
	if got := worth[sim.BankSector]; got != b.BankEquity {
		out.Violation = append(out.Violation, fmt.Sprintf("equity of banks: %d", got-b.BankEquity))
	}
	return out
}

func bookRows(list []sim.BookEntry) (rows []bookRow) {
	for k := range list {
		rows = append(rows, bookRow{list[k].ID, list[k].Amounts[:], list[k].Sum(), list[k].Within, list[k].Once})
	}
	return rows
}

// booksPage is what the page of the books shows.
type booksPage struct {
	booksArgs
	Experiments []string // to choose from, newest first
	Arms        []string
	Last        int // month that can be asked for
	Books       *booksAnswer
	Wait        bool // the run has to be simulated again
	Empty       bool // there is no experiment with a month
	language    func(en, zh string) string
}

// mostListed is how many experiments the page offers.
const mostListed = 200

// booksPage shows the books that are at hand. Those that take a simulation it shows where the address says wait=1, as its
// script and its link do.
func (s *Site) booksPage(r *http.Request, p *page) (any, error) {
	p.Title = p.T("Balance sheets and flows", "资产负债表与资金流量表")
	ctx, q := r.Context(), r.URL.Query()
	out := booksPage{booksArgs: booksArgs{Experiment: q.Get("experiment"), Arm: q.Get("arm")}, language: p.T}
	var err error
	if out.Replication, err = numberOf(q.Get("replication"), "replication"); err != nil {
		return nil, err
	}
	if out.Month, err = numberOf(q.Get("month"), "month"); err != nil {
		return nil, err
	}
	list, _, _, err := s.Lab.List(ctx, store.Filter{Limit: mostListed})
	if err != nil {
		return nil, err
	}
	latest := ""
	for _, x := range list {
		if x.Month == 0 || x.ModelVersion != sim.ModelVersion {
			continue
		}
		out.Experiments = append(out.Experiments, x.Name)
		if latest == "" && run.State(x.State).Ended() {
			latest = x.Name
		}
	}
	if out.Experiment = cmp.Or(out.Experiment, latest); out.Experiment == "" {
		out.Empty = true
		return out, nil
	}
	x, err := s.Lab.Store.Experiment(ctx, out.Experiment)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(out.Experiments, x.Name) {
		out.Experiments = append(out.Experiments, x.Name)
	}
	for _, arm := range x.Arms {
		out.Arms = append(out.Arms, arm.Name)
	}
	out.Last = x.Month
	if q.Get("wait") == "1" {
		books, err := s.readBooks(ctx, nil, out.booksArgs)
		out.Books = &books
		return out.chosen(), err
	}
	b, err := s.Lab.BooksAtHand(ctx, out.Experiment, out.Arm, out.Replication, out.Month)
	if out.Wait = b == nil; b != nil {
		books := newBooksAnswer(*b)
		out.Books = &books
	}
	return out.chosen(), err
}

// chosen fills in what the books are of.
func (b booksPage) chosen() booksPage {
	if b.Replication = max(1, b.Replication); b.Books != nil {
		b.Arm, b.Month = b.Books.Arm, b.Books.Month
	}
	if b.Month == 0 {
		b.Month = b.Last
	}
	if b.Arm == "" {
		b.Arm = b.Arms[len(b.Arms)-1]
		if slices.Contains(b.Arms, lab.TreatmentArm) {
			b.Arm = lab.TreatmentArm
		}
	}
	return b
}

func numberOf(text, field string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fault.Range(field, fmt.Sprintf("%.20q", text), "a whole number from 0")
	}
	return n, nil
}

// Columns are the names of the sectors.
func (b booksPage) Columns() (list []string) {
	for _, id := range b.Books.Sectors {
		list = append(list, b.language(bookSectors[id].En, bookSectors[id].Zh))
	}
	return list
}

// bookTable is rows of a matrix as they are shown.
type bookTable struct {
	Rows  []bookLine
	Still string // names of the rows without an amount
}

// bookLine is a row of a matrix as it is shown.
type bookLine struct {
	Name   string
	Cells  []string // empty where a sector has no part
	Sum    string
	Within string // what is paid within a sector; "" = nothing
	Once   bool   // it is booked once
}

// table writes rows for people; title begins their names.
func (b booksPage) table(title string, rows []bookRow) (out bookTable) {
	var still []string
	for _, row := range rows {
		name := title + b.language(bookEntries[row.ID].En, bookEntries[row.ID].Zh)
		if !row.moved() {
			still = append(still, name)
			continue
		}
		line := bookLineOf(name, row.Amounts, row.Within)
		line.Once = row.Once
		out.Rows = append(out.Rows, line)
	}
	out.Still = strings.Join(still, b.language(", ", "、"))
	return out
}

func bookLineOf(name string, amounts []int64, within int64) bookLine {
	line := bookLine{Name: name}
	var sum int64
	for _, amount := range amounts {
		sum += amount
		text := ""
		if amount != 0 {
			text = exactAmount(amount)
		}
		line.Cells = append(line.Cells, text)
	}
	if line.Sum = exactAmount(sum); within != 0 {
		line.Within = exactAmount(within)
	}
	return line
}

// all writes a row of sums, in which nothing is left out.
func (b booksPage) all(name string, amounts []int64) bookLine {
	line := bookLineOf(name, amounts, 0)
	for k, amount := range amounts {
		line.Cells[k] = exactAmount(amount)
	}
	return line
}

// The rows of the two matrices.

func (b booksPage) Assets() bookTable   { return b.table("", b.Books.Assets) }
func (b booksPage) Claims() bookTable   { return b.table("", b.Books.Claims) }
func (b booksPage) Payments() bookTable { return b.table("", b.Books.Payments) }
func (b booksPage) Losses() bookTable   { return b.table("", b.Books.Losses) }
func (b booksPage) Changes() bookTable {
	return b.table(b.language("Change: ", "变动："), b.Books.Changes)
}

// Worth is the row of net worth, with the sign that balances the columns.
func (b booksPage) Worth() bookLine {
	amounts := slices.Clone(b.Books.Worth)
	for k := range amounts {
		amounts[k] = -amounts[k]
	}
	return b.all(b.language("Net worth, as a balance", "净值（平衡项）"), amounts)
}

func (b booksPage) Lending() bookLine {
	return b.all(b.language("Net lending (+) or borrowing (−)", "净贷出（+）或净借入（−）"), b.Books.Lending)
}

func (b booksPage) Left() bookLine {
	return b.all(b.language("Sum", "合计"), b.Books.Left)
}

// Balanced is the sum of the columns of the balance sheets with net worth.
func (b booksPage) Balanced() bookLine {
	sums := make([]int64, len(b.Books.Worth))
	for k, worth := range b.Books.Worth {
		sums[k] = -worth
	}
	for _, row := range slices.Concat(b.Books.Assets, b.Books.Claims) {
		for k, amount := range row.Amounts {
			sums[k] += amount
		}
	}
	return b.all(b.language("Sum", "合计"), sums)
}

// Equity is that of the banks.
func (b booksPage) Equity() string { return exactAmount(b.Books.Equity) }

// Checked is how many rows of which both sides have books of their own, and columns, add up to 0.
func (b booksPage) Checked() int { return len(b.rows()) - b.BookedOnce() + len(b.Books.Sectors) }

// BookedOnce is how many rows add up to 0 because one amount stands in two columns.
func (b booksPage) BookedOnce() (n int) {
	for _, row := range b.rows() {
		if row.Once {
			n++
		}
	}
	return n
}

// rows are those that should add up to 0.
func (b booksPage) rows() []bookRow {
	return slices.Concat(b.Books.Claims, b.Books.Payments, b.Books.Losses, b.Books.Changes)
}

// At is the address of another month.
func (b booksPage) At(month int) string {
	q := url.Values{"experiment": {b.Experiment}, "arm": {b.Arm}, "replication": {strconv.Itoa(b.Replication)}, "month": {strconv.Itoa(month)}}
	return "/model/books?" + q.Encode()
}

// Waiting is the address of this page that waits for the books.
func (b booksPage) Waiting() string { return b.At(b.Month) + "&wait=1" }

// Earlier and Later are the months beside the one that is shown; 0 = there is none.
func (b booksPage) Earlier() int { return max(0, b.Month-1) }

func (b booksPage) Later() int {
	if b.Month >= b.Last {
		return 0
	}
	return b.Month + 1
}

// exactAmount writes 1/1000 currency units as currency units, with all their digits.
func exactAmount(x int64) string {
	sign := ""
	if x < 0 {
		sign, x = "−", -x
	}
	whole, rest := strconv.FormatInt(x/1000, 10), x%1000
	for k := len(whole) - 3; k > 0; k -= 3 {
		whole = whole[:k] + "," + whole[k:]
	}
	return fmt.Sprintf("%s%s.%03d", sign, whole, rest)
}
