// Package quarterly measures what quarterly statistics say of an economy: how much it fluctuates, what moves
// together, how long recessions last. Data of a country and the quarters of the model go through the same code.
package quarterly

// Variable is what a value of a quarter measures.
type Variable int

// The variables, with their units. Volumes are real, of any base; what only its growth or cycle is looked at
// may be an index.
const (
	Output              Variable = iota // gross domestic product, volume
	Consumption                         // of households, volume
	FixedInvestment                     // private, volume
	GrossInvestment                     // with the change of inventories, volume
	Government                          // purchases of goods, services and work, volume
	Exports                             // volume
	Imports                             // volume
	Hours                               // worked by employees
	Employment                          // persons
	Adults                              // persons of working age
	OutputPerHour                       // volume or index
	RealWage                            // an hour, volume or index
	Loans                               // to firms, real
	Money                               // real
	Vacancies                           // number, rate or index
	Deflator                            // price index of output
	ConsumerPrices                      // index
	Unemployment                        // share of the labour force
	PolicyRate                          // share a year
	Utilisation                         // share of capacity
	InventoryInvestment                 // share of output, at current prices
	ConsumptionShare                    // of output, at current prices
	InvestmentShare                     // fixed, of output, at current prices
	GovernmentShare                     // of output, at current prices
	ExportShare                         // of output, at current prices
	ImportShare                         // of output, at current prices
	NumVariables                        // how many there are
)

// kind is what a variable's values can be.
type kind struct {
	name      string
	symbol    string // in the names of statistics
	low, high float64
}

const volume = 1e18 // beyond any

var kinds = [NumVariables]kind{
	Output:              {"output", "Y", 0, volume},
	Consumption:         {"consumption", "C", 0, volume},
	FixedInvestment:     {"fixed_investment", "I", 0, volume},
	GrossInvestment:     {"gross_investment", "I_gross", 0, volume},
	Government:          {"government", "G", 0, volume},
	Exports:             {"exports", "X", 0, volume},
	Imports:             {"imports", "M", 0, volume},
	Hours:               {"hours", "hours", 0, volume},
	Employment:          {"employment", "emp", 0, volume},
	Adults:              {"adults", "", 0, volume},
	OutputPerHour:       {"output_per_hour", "prodh", 0, volume},
	RealWage:            {"real_wage", "wage", 0, volume},
	Loans:               {"loans", "loans", 0, volume},
	Money:               {"money", "money", 0, volume},
	Vacancies:           {"vacancies", "v", 0, volume},
	Deflator:            {"deflator", "", 0, volume},
	ConsumerPrices:      {"consumer_prices", "", 0, volume},
	Unemployment:        {"unemployment", "u", 0, .6},
	PolicyRate:          {"policy_rate", "rate", -.1, 1},
	Utilisation:         {"utilisation", "util", .2, 1.2},
	InventoryInvestment: {"inventory_investment", "invsh", -.2, .2},
	ConsumptionShare:    {"consumption_share", "C", .1, 1.2},
	InvestmentShare:     {"investment_share", "I", 0, .7},
	GovernmentShare:     {"government_share", "G", 0, .7},
	ExportShare:         {"export_share", "X", 0, 3},
	ImportShare:         {"import_share", "M", 0, 3},
}

// String is the variable's name in mappings.
func (v Variable) String() string { return kinds[v].name }

// VariableNames are the names of all variables, in their order.
func VariableNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Data are quarters of an economy in a row.
type Data struct {
	First  Quarter
	Values [NumVariables][]float64 // of as many quarters each; nil = not measured, NaN before its first or after its last value
}

// Quarters is how many quarters there are.
func (d *Data) Quarters() int {
	n := 0
	for _, x := range d.Values {
		n = max(n, len(x))
	}
	return n
}

// Between are the quarters from first to last, both included, as far as there are data.
func (d *Data) Between(first, last Quarter) *Data {
	n := d.Quarters()
	from, to := min(max(0, int(first-d.First)), n), min(max(0, int(last-d.First)+1), n)
	part := &Data{First: d.First + Quarter(from)}
	for v, x := range d.Values {
		if x != nil && from < to {
			part.Values[v] = x[from:to]
		}
	}
	return part
}
