package sim

import (
	"reflect"
	"runtime"
	"slices"
)

// column is one array of the economy: its name in snapshots, the address of its slice, and
// what it is for. The table of all columns drives their allocation, the estimate of memory,
// snapshots and the hash of the state.
type column struct {
	name string
	at   any // *[]T
	rows int
	kind columnKind
}

type columnKind uint8

const (
	stateColumn   columnKind = iota // handed to the next month: in snapshots and in the hash of the state
	scratchColumn                   // of the month, made with the economy
	laterColumn                     // of the month, made when it is first needed
	optionColumn                    // as those of the state, where it has rows: an option that is off leaves states as they were
)

// bytes of the column.
func (c column) bytes() int64 {
	return int64(c.rows) * int64(reflect.TypeOf(c.at).Elem().Elem().Size())
}

// allocate makes the slice; a column without rows stays nil.
func (c column) allocate() {
	if v := reflect.ValueOf(c.at).Elem(); c.rows > 0 {
		v.Set(reflect.MakeSlice(v.Type(), c.rows, c.rows))
	}
}

// columns lists all columns, those of the state in the order of snapshots.
func (e *Economy) columns() []column {
	h, f := &e.h, &e.f
	n, firms := e.householdRows, e.firmRows
	employers := firms + 2 // the government and the public employment programme
	links := n * len(e.shares) * e.linksPerIndustry
	ages, abilities := 0, 0
	if e.p.EnableDemography {
		ages = n
	}
	if e.p.SkillLoss > 0 {
		abilities = n
	}
	overtime := 0
	if e.p.OvertimeLimit > 0 {
		overtime = firms
	}
	edges, tastes, leaning, premiums, quits := 0, 0, 0, 0, 0
	if e.p.FirmProductivityDispersion > 0 {
		edges = firms
	}
	if e.p.FirmDemandDispersion > 0 {
		tastes = firms
		if e.linksPerIndustry == 1 {
			leaning = n
		}
	}
	if e.sharesRents() {
		premiums = firms
	}
	if e.p.QuitMemoryMonths > 0 {
		quits = firms
	}
	threads := len(e.baskets)
	list := []column{
		{"households.deposits", &h.deposits, n, stateColumn},
		{"households.employer", &h.employer, n, stateColumn},
		{"households.skill", &h.skill, n, stateColumn},
		{"households.permanent", &h.permanent, n, stateColumn},
		{"households.lastWage", &h.lastWage, n, stateColumn},
		{"households.equity", &h.equity, n, stateColumn},
		{"households.idle", &h.idle, n, stateColumn},
		{"households.traits", &h.traits, n, stateColumn},
		{"households.age", &h.age, ages, stateColumn},
		{"households.exposure", &h.exposure, n, stateColumn},
		{"households.suppliers", &h.suppliers, links, stateColumn},
		{"households.spending", &h.spending, n, stateColumn},
		{"households.planned", &h.planned, n, stateColumn},
		{"households.ability", &h.ability, abilities, optionColumn},
		{"households.income", &h.income, n, scratchColumn},
		{"households.budget", &h.budget, n, scratchColumn},
		{"households.class", &h.class, n, scratchColumn},
		{"households.second", &h.second, n, scratchColumn},
		{"households.lean", &h.lean, leaning, scratchColumn},
		{"households.leanVAT", &h.leanVAT, leaning, scratchColumn},
		{standingColumn, &h.standing, n, laterColumn},

		{"firms.deposits", &f.deposits, firms, stateColumn},
		{"firms.loans", &f.loans, firms, stateColumn},
		{"firms.productivity", &f.productivity, firms, stateColumn},
		{"firms.quality", &f.quality, firms, stateColumn},
		{"firms.automated", &f.automated, firms, stateColumn},
		{"firms.wage", &f.wage, employers, stateColumn},
		{"firms.sinceRound", &f.sinceRound, firms, stateColumn},
		{"firms.wagePremium", &f.wagePremium, firms, stateColumn},
		{"firms.price", &f.price, firms, stateColumn},
		{"firms.markUp", &f.markUp, firms, stateColumn},
		{"firms.inventory", &f.inventory, firms, stateColumn},
		{"firms.sales", &f.sales, firms, stateColumn},
		{"firms.capital", &f.capital, firms, stateColumn},
		{"firms.revenueTrend", &f.revenueTrend, firms, stateColumn},
		{"firms.earnings", &f.earnings, firms, stateColumn},
		{"firms.prospect", &f.prospect, firms, stateColumn},
		{"firms.labour", &f.labour, employers, stateColumn},
		{"firms.heads", &f.heads, employers, stateColumn},
		{"firms.posted", &f.posted, employers, stateColumn},
		{"firms.open", &f.open, employers, stateColumn},
		{"firms.customers", &f.customers, firms, stateColumn},
		{"firms.order", &f.order, firms, stateColumn},
		{"firms.supplier", &f.supplier, firms, stateColumn},
		{"firms.backlog", &f.backlog, firms, stateColumn},
		{"firms.age", &f.age, firms, stateColumn},
		{"firms.novelty", &f.novelty, firms, stateColumn},
		{"firms.edge", &f.edge, edges, optionColumn},
		{"firms.taste", &f.taste, tastes, optionColumn},
		{"firms.tasteTarget", &f.tasteTarget, tastes, optionColumn},
		{"firms.premium", &f.premium, premiums, optionColumn},
		{"firms.quits", &f.quits, quits, optionColumn},
		{"firms.pull", &f.pull, tastes, scratchColumn},
		{"firms.left", &f.left, quits, scratchColumn},
		{"firms.productivityBefore", &f.productivityBefore, firms, scratchColumn},
		{"firms.qualityBefore", &f.qualityBefore, firms, scratchColumn},
		{"firms.intensity", &f.intensity, firms, scratchColumn},
		{"firms.event", &f.event, firms, scratchColumn},
		{"firms.eventBefore", &f.eventBefore, firms, scratchColumn},
		{"firms.eventAfter", &f.eventAfter, firms, scratchColumn},
		{"firms.demand", &f.demand, firms, scratchColumn},
		{"firms.plan", &f.plan, firms, scratchColumn},
		{"firms.output", &f.output, firms, scratchColumn},
		{"firms.licence", &f.licence, firms, scratchColumn},
		{"firms.research", &f.research, firms, scratchColumn},
		{"firms.wanted", &f.wanted, overtime, scratchColumn},
		{"firms.layoff", &f.layoff, employers, scratchColumn},
		{"firms.short", &f.short, firms, scratchColumn},
		{"firms.subsidy", &f.subsidy, firms, scratchColumn},
		{"firms.levy", &f.levy, firms, scratchColumn},
		{"firms.wageBill", &f.wageBill, employers, scratchColumn},
		{"firms.revenue", &f.revenue, firms, scratchColumn},
		{"firms.public", &f.public, firms, scratchColumn},
		{"firms.exported", &f.exported, firms, scratchColumn},
		{"firms.postedPrice", &f.postedPrice, firms, scratchColumn},
		{"firms.ratio", &f.ratio, firms, scratchColumn},
		{"firms.welcoming", &f.welcoming, firms, scratchColumn},
		{"firms.appeal", &f.appeal, firms, scratchColumn},
		{"firms.fill", &f.fill, firms, scratchColumn},
		{"firms.fill2", &f.fill2, firms, scratchColumn},
		{"firms.rationed", &f.rationed, firms/64 + 1, scratchColumn},
		{"firms.orders", &f.orders, firms, scratchColumn},
		{"firms.newOrders", &f.newOrders, firms, scratchColumn},
		{"firms.moved", &f.moved, firms, scratchColumn},
		{"firms.delivered", &f.delivered, firms, scratchColumn},

		{"urn.cum", &e.urn.cum, employers, scratchColumn},
		{"urn.guide", &e.urn.guide, employers, scratchColumn},
		{"launched", &e.launched, firms, scratchColumn},
		{"sums", &e.sums, blocksOf(&e.layout), scratchColumn},
		{"spreads", &e.spreads, threads, scratchColumn},
		{"ledgers", &e.ledgers, threads, scratchColumn},
	}
	if e.p.hasShocks() {
		list = append(list, column{"shocks", &e.shocks, int(numShocks), stateColumn})
	}
	for w := range threads {
		list = append(list, column{"baskets", &e.baskets[w], firms, scratchColumn},
			column{"secondBaskets", &e.secondBaskets[w], firms, scratchColumn})
	}
	return list
}

// sized returns an economy without columns, with the sizes that parameters and threads give.
func sized(p Params, threads int) *Economy {
	return &Economy{
		p: p, base: p, seed: uint64(p.RandomState), layout: layoutOf(p),
		baskets: make([][]int64, threads), secondBaskets: make([][]int64, threads),
	}
}

// EstimateMemory returns the bytes that an economy with these parameters needs
// on the threads that max_concurrent_tasks allows.
func EstimateMemory(p Params) int64 {
	threads := p.MaxConcurrentTasks
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	total := int64(1 << 17) // all that does not grow
	for _, c := range sized(p, threads).columns() {
		total += c.bytes()
	}
	return total
}

// snapshotMemory is what the compressor of a snapshot works with: window, tables and blocks. A small
// state fills less of it: half of what the economy takes was measured.
const snapshotMemory = 5 << 19

// WorkingMemory returns the bytes that one thread needs, beside an economy with these parameters,
// while it writes a snapshot of it or begins its experiment, which ranks the households.
func WorkingMemory(p Params) int64 {
	rows := layoutOf(p).householdRows
	return max(min(snapshotMemory, EstimateMemory(p)/2), int64(rows)*int64(reflect.TypeFor[ranking]().Size()))
}

// allocate makes an economy with its columns.
func allocate(p Params, threads int) *Economy {
	pool := newWorkers(threads)
	e := sized(p, pool.threads)
	e.workers = pool
	e.everyFirm = []int32{0, int32(e.firmRows + 2)}
	e.launchedStart, e.living = make([]int32, len(e.shopStart)), slices.Clone(e.founders)
	for _, c := range e.columns() {
		if c.kind != laterColumn {
			c.allocate()
		}
	}
	e.launched = e.launched[:0]
	for r, n := range e.founders {
		for i := e.shopStart[r] + n; i < e.shopStart[r+1]; i++ {
			e.f.age[i] = dormantAge
		}
	}
	for i := range e.f.intensity {
		e.f.intensity[i] = 1
	}
	return e
}

// section is a part of the state: a name and a slice of integers or float64.
type section struct {
	name string
	data any
}

// sections lists what a month hands to the next, beside the macro state.
func (e *Economy) sections() (list []section) {
	for _, c := range e.columns() {
		if c.kind == stateColumn || c.kind == optionColumn && c.rows > 0 {
			list = append(list, section{c.name, reflect.ValueOf(c.at).Elem().Interface()})
		}
	}
	return list
}
