package design

// industries are words for the industries of the economy, by the code of their COICOP
// division.
var industries = []struct {
	code  string
	words []string
}{
	{"01", []string{"food", "grocery", "bread", "食品", "粮食", "农产品", "食物"}},
	{"02", []string{"alcohol", "tobacco", "cigarette", "beer", "wine", "烟酒", "烟草", "酒类", "香烟"}},
	{"03", []string{"clothing", "clothes", "textile", "fashion", "服装", "纺织", "衣服"}},
	{"04", []string{"housing", "rent", "electricity", "heating", "住房", "房租", "电力", "水电", "供暖"}},
	{"05", []string{"furniture", "appliance", "household appliance", "家具", "家电"}},
	{"06", []string{"health care", "healthcare", "medicine", "health", "医疗", "药品", "医药"}},
	{"07", []string{"transport", "car", "fuel", "petrol", "gasoline", "air travel", "airline", "交通", "汽车", "燃油", "汽油", "航空"}},
	{"08", []string{"telecom", "communication", "internet service", "通信", "电信"}},
	{"09", []string{"culture", "recreation", "book", "cinema", "entertainment", "文娱", "文化", "娱乐", "书籍", "图书"}},
	{"10", []string{"education", "school fee", "tuition", "教育", "学费"}},
	{"11", []string{"restaurant", "hotel", "tourism", "hospitality", "餐饮", "旅游", "酒店", "餐馆", "旅游业", "餐饮业"}},
}

// industryOf is the code of the industry that stands in the clause of a lever, with the
// item that names it.
func (r *reading) industryOf(it *item) (code string, named *item) {
	for i := range r.items {
		other := &r.items[i]
		if other.is(industryMeaning) && !other.effect && other.phrase == it.phrase && other.clause == it.clause {
			return other.entry.text, other
		}
	}
	return "", nil
}

// narrowed turns a lever that holds for all industries into that of the one which the
// question names, and says where there is none.
func (r *reading) narrowed(it *item, l *Lever) {
	code, named := r.industryOf(it)
	if code == "" {
		return
	}
	x, number := toFloat(l.Value)
	switch {
	case l.Parameter == "vat_rate" && number:
		l.Parameter, l.Direction, l.Unit = "vat_rates_by_industry", Set, "COICOP division: share of the net price"
		before, err := r.plan.base.Params.Get(l.Parameter)
		if err != nil {
			panic(err) // the catalogue has it
		}
		l.From, l.Value = before, code+": "+short(x)
	case l.Kind == KindShock && l.Parameter == "demand":
		l.Parameter, l.Industry = "industry_demand", code
	default:
		r.unmapped(
			r.text(named.start, named.end),
			l.Parameter+" holds for all industries; single ones have vat_rates_by_industry, green_levy_by_industry, shocks to "+
				"industry_demand and industry_supply, and money for industry:"+code,
			l.Parameter+" 适用于所有行业；针对单个行业可用 vat_rates_by_industry、green_levy_by_industry、冲击 industry_demand 与 industry_supply，或向 "+
				"industry:"+code+" 发放资金",
		)
	}
}
