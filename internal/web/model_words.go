package web

// modelWords are a text in both languages.
type modelWords struct{ En, Zh string }

// modelTitlesZH are the Chinese titles of the sections of the model's description, which is written in English.
var modelTitlesZH = map[string]string{
	"1": "目的与模式", "2": "实体、状态变量与尺度", "3": "过程概览与时间安排", "4": "设计概念", "5": "初始化", "6": "输入数据",
	"7": "子模型", "8": "与来源的差异及原因", "references": "参考文献",
	"7.0": "干预", "7.1": "信心与利率", "7.2": "工资", "7.3": "生产计划与价格", "7.4": "劳动需求", "7.5": "投资", "7.6": "离职与匹配",
	"7.7": "家庭收入与支出", "7.8": "生产", "7.9": "商品市场", "7.10": "资本品", "7.11": "创新与模仿", "7.12": "企业账目、违约与进入",
	"7.13": "银行、政府与中央银行", "7.14": "统计与审计", "7.15": "典型事实的测量", "7.16": "银行", "7.17": "国外", "7.18": "自动化",
	"7.19": "行业与恩格尔曲线", "7.20": "人口", "7.21": "开放式进入与退出", "7.22": "税收与救济之外的公共部门", "7.23": "分行业的税收与冲击",
	"7.24": "可替代的生产", "7.25": "政府采购", "7.26": "家庭的异质性", "7.27": "小冲击、缓慢招聘与预防动机", "7.28": "企业的异质性",
}

// monthLanes are who acts in a phase of the month: the columns of its picture.
var monthLanes = []modelWords{
	{"Experiment", "实验"}, {"Households", "家庭"}, {"Firms", "企业"}, {"Labour market", "劳动市场"}, {"Goods and trade", "商品与贸易"},
	{"Credit and banks", "信贷与银行"}, {"Government", "政府"}, {"Central bank", "中央银行"}, {"Statistics and audit", "统计与审计"},
}

// Places among the monthLanes.
const (
	laneExperiment = iota
	laneHouseholds
	laneFirms
	laneLabour
	laneGoods
	laneBanks
	laneGovernment
	laneCentralBank
	laneStatistics
)

// monthPhase is a phase of the month for people.
type monthPhase struct {
	modelWords
	lane    int
	section string // of the description, where it is told
}

// monthPhases are those of [sim.Phases], by name.
var monthPhases = map[string]monthPhase{
	"interventions":               {modelWords{"Interventions", "干预"}, laneExperiment, "7.0"},
	"confidence":                  {modelWords{"Confidence", "信心"}, laneHouseholds, "7.1"},
	"interest rates":              {modelWords{"Interest rates", "利率"}, laneBanks, "7.1"},
	"public wages and benefits":   {modelWords{"Public wages, benefits", "公共工资与救济"}, laneGovernment, "7.1"},
	"taxes":                       {modelWords{"Tax rates", "税率"}, laneGovernment, "7.23"},
	"shocks":                      {modelWords{"Shocks", "冲击"}, laneFirms, "7.28"},
	"demography":                  {modelWords{"Demography", "人口"}, laneHouseholds, "7.20"},
	"wages":                       {modelWords{"Wages", "工资"}, laneLabour, "7.2"},
	"production plans":            {modelWords{"Production plans", "生产计划"}, laneFirms, "7.3"},
	"prices":                      {modelWords{"Prices", "价格"}, laneFirms, "7.3"},
	"labour demand":               {modelWords{"Labour demand", "劳动需求"}, laneFirms, "7.4"},
	"investment":                  {modelWords{"Investment orders", "投资订单"}, laneFirms, "7.5"},
	"separations":                 {modelWords{"Separations", "离职"}, laneLabour, "7.6"},
	"matching":                    {modelWords{"Matching", "匹配"}, laneLabour, "7.6"},
	"public employment programme": {modelWords{"Public jobs programme", "公共就业计划"}, laneGovernment, "7.22"},
	"income":                      {modelWords{"Income", "收入"}, laneHouseholds, "7.7"},
	"consumption plans":           {modelWords{"Consumption plans", "消费计划"}, laneHouseholds, "7.7"},
	"production":                  {modelWords{"Production", "生产"}, laneFirms, "7.8"},
	"foreign trade":               {modelWords{"Foreign trade", "对外贸易"}, laneGoods, "7.17"},
	"supplier search":             {modelWords{"Supplier search", "寻找供应商"}, laneGoods, "7.9"},
	"goods market, first round":   {modelWords{"Goods: first round", "商品：第一轮"}, laneGoods, "7.9"},
	"goods market, second round":  {modelWords{"Goods: second round", "商品：第二轮"}, laneGoods, "7.9"},
	"capital delivery":            {modelWords{"Capital delivery", "资本品交付"}, laneGoods, "7.10"},
	"innovation and imitation":    {modelWords{"Innovation, imitation", "创新与模仿"}, laneFirms, "7.11"},
	"automation":                  {modelWords{"Automation", "自动化"}, laneFirms, "7.18"},
	"firm accounts":               {modelWords{"Firm accounts", "企业账目"}, laneFirms, "7.12"},
	"defaults and entry":          {modelWords{"Defaults and entry", "违约与进入"}, laneFirms, "7.21"},
	"bank":                        {modelWords{"Banks' accounts", "银行账目"}, laneBanks, "7.13"},
	"government":                  {modelWords{"Deficit and debt", "赤字与债务"}, laneGovernment, "7.13"},
	"settlement between banks":    {modelWords{"Settlement between banks", "银行间结算"}, laneBanks, "7.16"},
	"statistics":                  {modelWords{"Statistics", "统计"}, laneStatistics, "7.14"},
	"averages":                    {modelWords{"Averages", "平均值"}, laneStatistics, "7.14"},
	"fiscal rules":                {modelWords{"Fiscal rules", "财政规则"}, laneGovernment, "7.13"},
	"central bank":                {modelWords{"Policy rate", "政策利率"}, laneCentralBank, "7.13"},
	"exchange rate":               {modelWords{"Exchange rate", "汇率"}, laneGoods, "7.17"},
	"conditions":                  {modelWords{"Conditions", "条件"}, laneExperiment, "7.0"},
	"audit":                       {modelWords{"Audit of the books", "账目审计"}, laneStatistics, "7.14"},
}

// modelCategoryNames are the categories of the catalogue for people.
var modelCategoryNames = map[string]modelWords{
	"system_scale": {"Size of the economy", "经济规模"}, "tax_policy": {"Taxes", "税收"}, "fiscal": {"Public spending and transfers", "公共支出与转移"},
	"subsidies": {"Subsidies", "补贴"}, "shocks": {"Shocks", "冲击"}, "labor_market": {"Labour market", "劳动市场"},
	"market":      {"Goods market", "商品市场"},
	"consumption": {"Consumption", "消费"}, "confidence": {"Confidence", "信心"}, "production": {"Production", "生产"},
	"investment": {"Investment", "投资"},
	"innovation": {"Innovation", "创新"}, "automation": {"Automation", "自动化"}, "monetary": {"Monetary policy", "货币政策"},
	"credit": {"Credit and banks", "信贷与银行"}, "monitoring": {"Monitoring (technical)", "监测（技术）"},
	"performance": {"Performance (technical)", "性能（技术）"},
	"demography":  {"Demography", "人口"}, "trade": {"Foreign trade", "对外贸易"}, "entry": {"Entry of firms", "企业进入"},
}

// bookSectors are the columns of the books.
var bookSectors = map[string]modelWords{
	"households": {"Households", "家庭"}, "firms": {"Firms", "企业"}, "banks": {"Banks", "银行"}, "government": {"Government", "政府"},
	"central_bank": {"Central bank", "中央银行"}, "rest_of_the_world": {"Rest of the world", "国外"},
	"dividends_under_way": {"Dividends under way", "在途股息"},
}

// bookEntries are the rows of the books.
var bookEntries = map[string]modelWords{
	"capital_goods": {"Capital goods, at the mean price", "资本品（按平均价格）"}, "inventories": {"Stocks of goods, at unit cost", "存货（按单位成本）"},

	"deposits": {"Deposits", "存款"}, "undistributed_dividends": {"Dividends not yet paid out", "尚未发放的股息"},
	"foreign_account": {"Account of the rest of the world", "国外账户"}, "loans": {"Loans", "贷款"}, "bonds": {"Government bonds", "政府债券"},
	"reserves": {"Reserves", "准备金"}, "advances": {"Advances of the central bank", "央行垫款"},

	"consumption": {"Consumption of domestic goods", "国内商品消费"}, "purchases": {"Public purchases", "政府购买"},
	"investment": {"Capital goods", "资本品"}, "exports": {"Exports", "出口"}, "imports": {"Imports", "进口"}, "wages": {"Wages", "工资"},
	"licences": {"Licence fees for AI", "AI许可费"}, "income_tax": {"Income tax and pension contributions", "所得税与养老金缴费"},
	"vat": {"VAT", "增值税"}, "tariff": {"Tariff", "关税"}, "corporate_tax": {"Corporate tax", "企业税"}, "green_levy": {"Green levy", "绿色税费"},
	"robot_tax": {"Robot tax", "机器人税"}, "unemployment_benefits": {"Unemployment benefits and short-time pay", "失业救济与短时工作津贴"},
	"pensions": {"Pensions", "养老金"}, "basic_income": {"Basic income", "基本收入"}, "minimum_income": {"Minimum income", "最低收入"},
	"redistribution": {"Redistribution", "再分配"}, "retraining": {"Retraining allowances", "再培训津贴"},
	"injections_households": {"Injections to households", "对家庭的注资"}, "subsidies": {"Subsidies", "补贴"},
	"injections_firms": {"Injections to firms", "对企业的注资"}, "bank_capital": {"Capital for banks", "银行注资"},
	"deposit_interest": {"Interest on deposits", "存款利息"}, "loan_interest": {"Interest on loans", "贷款利息"},
	"bond_interest": {"Interest on bonds", "债券利息"}, "reserve_interest": {"Interest on reserves", "准备金利息"},
	"advance_interest": {"Interest on advances", "垫款利息"}, "central_bank_profit": {"Profit of the central bank", "央行利润"},
	"dividends_declared": {"Dividends declared", "宣布的股息"}, "estates": {"Deposits of households that left", "离开的家庭的存款"},
	"dividends_paid_out": {"Dividends paid out", "发放的股息"},

	"founding": {"Capital of new firms", "新企业资本"}, "written_off": {"Loans written off", "核销的贷款"},
	"bail_in": {"Deposits written down", "存款减记"},
}
