package question

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// carrying are words that change what a question asks, in ways that no grammar carries through: where no
// used word covers them, they stop the reading.
var carrying = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(every (other|second|third|fourth) [a-z]+|unless\b|` +
		`(at most|no more than|up to) (once|twice|three times)|` +
		`(year|month|quarter)s? (before|after|prior to) [a-z]+ing|(each|every) (year|quarter)|` +
		`(in|during|for) the (year|month|quarter)s? (after|following|thereafter)\b|` +
		`in (good|better|normal|boom) (times|years|days)|in (booms?|upswings?)\b|year (after|by) year|` +
		`when (should|is the best|would it be best)\b|alternat(e|es|ely|ing)|how (much|far|high|low|big|large)\b.{0,60}\b(have|need|needs|has|had|must)\b( to)?|` +
		`(at|from|beyond|above|until) (what|which) [^.?!;]{1,50}\b(do|does|would|will|is|are)\b|` +
		`(leav|keep|hold)(e|es|ing|s)? [a-z ]{1,30} (untouched|unchanged|alone|as (it|they) (is|are))|` +
		`except(ed|ing)?\b|apart from\b|` +
		`(hand|giv|gave|return|refund|recycl|rebat|distribut)[a-z]* (all |out )?(the |that |this |its )?` +
		`(money|proceeds|revenues?|receipts|takings|yield|cash|it back)\b|` +
		`(whose|its|the|that|this|all) (revenues?|proceeds|yield|receipts|takings|money) (go|goes|went|going|flows?|is|are|was|were|being)\b|` +
		`(keep|kept|pocket)[a-z]* (all |half |most )?(of )?the (difference|gain|saving|windfall)s?\b|` +
		`for (people|those|anyone|anybody|everyone|everybody|workers|firms|companies|families|households) ` +
		`(who|that|which|whose|with|without|under|over|aged|below|above|between) [a-z0-9]+( [a-z0-9]+)?|` +
		`(chinese|american|japanese|german|french|british|indian|european|russian|mexican) ` +
		`(goods|products|imports|cars|steel|wares|made)\b)`),
	"zh": regexp.MustCompile(`既要.{1,12}又要|(起始月|开始月|持续|期限|时长)[=＝:：]\s*\d|永久.{1,20}(期限|为期|持续)|政策(应该|应当|该|要)(怎么|如何)|` +
		`(什么时候|何时)([^，。；？,;?]{0,8}(最好|合适|好)|(该|应该|应))|多高|多少才|(到|至)多少|按需要?[^，。]{0,4}[分发给把]|(降|减|调|下调)(到|至|为|成)零|每隔|隔年|逐年|年年([^初底末中]|$)|(逐步|逐渐|慢慢|分步)恢复|除外|轮流|交替|` +
		`只(给|发给|限于|限|针对|适用于|面向)|退给|返还给?|退还|还给|分给|转嫁|(外国|外资|国外|本国|本地)的?(企业|公司|厂家)|` +
		`(美国|中国|日本|德国|法国|英国|印度|欧洲|欧盟|俄罗斯|墨西哥)的?(货|商品|产品|车|汽车|钢)|` +
		`(取消|废除|废止|推行|实行|放开)[^，。；？,;?]{0,8}(制度|法律|法规)`),
}

// misread are words whose meaning no lever has, however well their parts fit one: part of those who pay,
// steps without an end, a change that stops, some of the payers alone, what a tax on an income is about.
var misread = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(except (for )?(the one|those|that) |` +
		`(half|a third|a quarter|two thirds|most|some|part)( of)?( the| all)? (households|families|people|taxpayers|citizens|the population)\b` +
		`[^.?!]{0,30}\b(pa(y|id|ys|ying)|tax)\b|` +
		`(collect|levi|pa)(s|ed|ing|es|id|y|ys)? only (half|a third|a quarter|part|two thirds)\b|` +
		`by [a-z0-9.]+ ?(percentage points?|points?|percent|per cent|%) (each|every|a|per) (month|quarter|year)|` +
		`stop(s|ped|ping)? (lower|cutt|rais|increas|hik|reduc|adjust|chang|mov)(ing)|` +
		`(pensions?|benefits?|allowances?|brackets?|thresholds?|minimum wage|dole)( [a-z]+)? (no longer|never|not|stop[a-z]*)( be| being)? ` +
		`(follow|track|rise|rose|grow|grew|keep|kept|move|index|link|tie|adjust|uprate)[a-z]*|` +
		`(new|young|newly founded|foreign|foreign-owned|local|start-?up) (firms|companies|businesses|enterprises|start-?ups)` +
		`( [a-z]+)? (pa(y|id|ys)|exempt|(was|were|are|be) (taxed|exempt|freed))|` +
		`(scrapped|abolished|cut|raised|increased|lowered|reduced|halved|doubled|introduced|removed|ended)( [a-z0-9%]+){0,3} ` +
		`(only )?for (the |all )?(rich|richest|wealthy|poor|poorest|better-off|well-off|high earners|top earners|low earners)\b|` +
		`tariffs?( of [0-9]+ ?%)? on (our|domestic|the country's) (exports?|goods|products|firms|exporters)|` +
		`(get|got|gets|receiv[a-z]*|giv[a-z]*|pa(id|y|ys)|hand[a-z]*)\b[^.?!]{0,40} (instead of|in place of|rather than) ` +
		`(the |their |all |any )?(unemployment benefits?|jobless benefits?|dole|benefits|pensions?|welfare|child benefits?|handouts)\b|` +
		`(pay|paid|pays|paying) (any |no )?interest on (its|their|the|public|government|state|national)( [a-z]+)? (debts?|bonds?)\b|` +
		`(tax|levy|levi|tariff|dut)[a-z]*( [a-z0-9%]+){0,3} (our|domestic|the country's) exports\b|` +
		`(stop|ban|ceas|halt|quit|forb|end)[a-z]* (all |the |any )?import(s|ing)\b|` +
		`\b(half|twice|just|only)? ?as (fast|slowly|quickly|much) as (productivity|prices|inflation|wages|output)\b|` +
		`(civil servant|public (sector )?(worker|employee|staff|servant)|state employee|official)s?\b[^.?!]{0,25}(pay|wage|salary) ` +
		`(cut|rise|freeze|increase|raise)\b|` +
		`\b(half|partly|un) ?indexed\b|twice as (hard|difficult|strict|slow|slowly)\b|` +
		`\bannounce[sd]? [^.?!]{0,15}(ahead|in advance|before|earlier)|` +
		`(people|firms|households|markets|everyone|everybody|consumers|workers|banks|companies) (expect|anticipate)(s|ed)?\b|` +
		`(loan|lending|borrowing|credit) (interest )?rates?\b[^.?!]{0,25}\b(to|at|of|is|are|were|was) [0-9a-z.]+ ?(percent\b|%|per cent)|` +
		`(bring|get|push|cut|reduce|lower|drive)[a-z]* (the |our |public )*(deficit|debt|unemployment|inflation|poverty|inequality|gini|` +
		`emissions)\b[^.?!,;]{0,40} (by|through|via) [a-z]+ing\b|` +
		`\brates? (reacts?|reacted|responds?|responded|reacting|responding)\b|` +
		`(chang|alter|soften|cushion|dampen|weaken|strengthen|amplif|moderat|blunt)[a-z]* the (effect|impact|damage|consequence|shock|` +
		`fallout|blow)s? of\b|` +
		`(percent|per cent|%),? or (is it |was it |rather |maybe )?(percentage )?points\b|` +
		`points,? or (is it |was it |rather |maybe )?(percent|per cent|%)|` +
		`(hand|giv|pa|refund|return|rebat|recycl)[a-z]* back to\b|\bor (by|because of|due to|thanks to)\b|` +
		`reserves? (ratio|requirement)|(keep|hold|kept|held) (more |higher |larger )?reserves\b|` +
		`(while|as|and|although|though) (consumer )?prices (rise|climb|increase|go up) (by )?[0-9]|` +
		`(years?|months?) ago\b|only (in|during) [a-z]+s\b|` +
		`(exporters?|importers?|exporting firms|export firms)\b.{0,30}\b(tax|subsid)|` +
		`interest in (research|science|politics|work|school|study|studying|education|their|the (job|work))\b)`),
	"zh": regexp.MustCompile(`对付(AI|人工智能|机器人|自动化)|(银行|外资|外企|小企业|新企业|房企)的?利润|(利息|分红|股息|红利|股利)[^，。；？,;?]{0,8}税|` +
		`收上来(的钱)?(再|又|都|全)?(发|分|返|退|给)|` +
		`相应[^，。；？,;?]{0,4}(降|减|升|提|调|增|加)|(总税收|总收入|财政收入)不变|准备金率|` +
		`(只有|仅有?)?(一半|三分之[一二]|四分之[一三]|[一二三四五六七八九]成)的?(家庭|居民|人|老百姓|纳税人|企业)[^，。；？,;?]{0,4}(交|缴|纳)|` +
		`(给|为)(公务员|政府雇员|公职人员|教师|医生|警察).{0,3}(涨|加|降|减|提高|上调)(工资|薪)|` +
		`(从|对|向|自|来自)(中国|美国|德国|奥地利)(来的|进口|出口|的商品|商品|产品|的产品|的货|货)|` +
		`(出口|外贸|制造|民营|新办|科技|高新技术)企业.{0,6}(税|补贴|免)|其[他余它].{0,4}(仍|还|保持|维持)[为是在]?[0-9]|` +
		`(但|不过|除|只有|唯独|唯有).{0,10}(免征|免税|豁免|不征|不收|不交)|(改变|减轻|缓冲|缓解|放大|削弱|加剧|抵消).{1,16}的(影响|冲击|后果|打击)|` +
		`(生产率|物价|通胀|工资)的?(一半|两倍)[快多]|(暂时|临时|短期)[^，。]{0,4}(和|与|还是)[^，。]{0,4}(永久|长期)|时的乘数|存款[^，。]{0,4}(没有|零|无)利息|` +
		`(^|[^正担背抱胜])负[0-9零一二三四五]|央行[^，。；？,;?]{0,10}发给|` +
		`贷款利率[^，。；？,;?]{0,8}(到|为|至|在|是)[0-9一二三四五六七八九十]|(预期|预计|以为)[^，。；？,;?]{0,6}(税|利率|工资)|提前[^，。；？,;?]{0,5}(宣布|公布)|` +
		`(政府|国家)自己多?(出|花|掏)钱|[在到为]零[一二两三四五六七八九十]{1,2}(年|个月)|第.{1,3}年(年)?[底末](前|之前|以前)?(达到|升到|降到|提到|涨到|增到)|` +
		`(反对|抵制|主张|支持|要求|呼吁).{2,20}的人|工资(跟着|随着|随|和|与|跟)(油价|股价|房价|利润)`),
}

// source says where money comes from.
var source = regexp.MustCompile(`钱(从|由|靠|让|向|找)[^，。；？,;?]{1,8}(来|出|掏|付|收|拿)`)

// advised asks what somebody should do.
var advised = regexp.MustCompile(`(?i)\bshould (the )?(central bank|fed|ecb|bank of|government|state|we)\b|央行.{0,2}(要不要|该不该|应不应该|是否应|应该)`)

// jobless is a time of somebody's unemployment, which is no month of an experiment.
var jobless = regexp.MustCompile(`(?i)after [a-z0-9]+ (months?|years?) (of (unemployment|joblessness|not working)|` +
	`without (a job|work)|out of (a job|work)|on the dole)|` +
	`失业(满|超过|达到?|了)?[一二三四五六七八九十两半\d]+个?[月年](之后|以后|后)`)

// everyYear is a step that comes again, unless the lever is a rate a year.
var everyYear = regexp.MustCompile(`(?i)^by .*(each|every|a|per) year$`)

// pastYear is when something was, other than "the deficit of the last year".
var pastYear = regexp.MustCompile(`(?i)(\bthe )?\blast (year|month)\b`)

// percents are sizes in percent or points, which are hardly ever colour.
var percents = regexp.MustCompile(`(?i)(\d[\d.]*|` +
	`\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|[a-z]+ty))\s*(%|percent|per cent|percentage points?|points?\b|个百分点)`)

// latin are words of another script in a Chinese question, such as names of scenarios.
var latin = regexp.MustCompile(`[A-Za-z_]{3,}`)

// enduring are words for how long a background lasts, which no preset takes, whatever took them.
var enduring = regexp.MustCompile(`(?i)\b(recession|slump|crisis|downturn|pandemic)` +
	`( that| which)? (lasting|lasts|of) [a-z0-9]+ (months?|years?)`)

// structural are words that say when, against what or to what something happens: they must have become
// something, or be told.
var structural = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b((rather than|instead of|as opposed to) (right away|at once|immediately|now|today|later|gradually|` +
		`straight away|all at once|slowly|overnight|[0-9]+)|` +
		`((one|two|three|five|ten|[0-9]+|first|second|third|next|following) (month|year|quarter)|a (year|quarter))s?|` +
		`(double|halve|triple|scrap|abolish|raise|lower|increase|reduce|cut|keep) (it|them|all of it|half of it))\b`),
}

// aboveAverage are the bounds of a tax on a part of an income: only a progressive tax has them.
var aboveAverage = regexp.MustCompile(`(?i)\b(on|of) [a-z ]{0,20}(above|over|beyond|exceeding) ` +
	`(twice|double|[a-z]+ times|[0-9]+ times) (the |an )?(average|mean|median|typical)`)

// adults are words that have a basic income go to adults, rather than to households.
var adults = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(every|each|per|all|any) (single )?(adults?|grown[- ]?ups?)\b`),
	"zh": regexp.MustCompile(`(每|所有|全体|按)[个位名]?(成年人|成人|大人)`),
}

// namedOnly are words that nothing but some levers may have become.
var namedOnly = []struct {
	words  *regexp.Regexp
	levers []string
}{
	{
		regexp.MustCompile(`(?i)\b(fully|not|only) ?indexed\b|\bindexation\b`),
		[]string{"wage_inflation_indexation", "wage_productivity_indexation"},
	},
	{regexp.MustCompile(`(?i)\b(buy|bought|purchas)[a-z]*\b[^.?!]{0,30}\bbonds\b`), []string{"central_bank_bond_share"}},
	{
		regexp.MustCompile(`(?i)\bpa(y|id|ys|ying) an? (new |extra |special )?(levy|charge|fee|surcharge|contribution)\b`),
		[]string{"green_levy_rate", "robot_tax_rate", "tariff_rate", "pension_contribution_rate", "ai_licence_fee"},
	},
	{
		regexp.MustCompile(`交[0-9一二三四五六七八九十百]+[块元]?[^，。；？,;?]{0,2}税`), // 每付100块就得交50块税
		[]string{"vat_rate", "income_tax_rate", "corporate_tax_rate", "robot_tax_rate", "green_levy_rate", "tariff_rate", "progressive_tax"},
	},
	{
		regexp.MustCompile(`(人家|对方|别国|外国|他国|对手)[^，。；？,;?]{0,4}(原样|照样|同样|一样|对等)[^，。；？,;?]{0,14}(税|收|征|还)`),
		[]string{"retaliation_share"},
	},
	{regexp.MustCompile(`(?i)\bloan guarantees?\b|\bguarantees? [a-z ]{0,12}loans\b`), []string{"credit_supply_factor"}},
}

// onset are words for when a background begins, which it does at once.
var onset = regexp.MustCompile(`(?i)\b(wave|recession|slump|crisis|pandemic|war|crunch)( that| which)?,? (only )?` +
	`(start|begin|hit|strik|com)[a-z]* ` +
	`(only )?(in|from|after) (month|year|the)\b|(战|衰退|危机|疫情|浪潮)[^，。]{0,2}(打到|到了|进入|进行到|持续到|开始于)第`)

// wearing is a word for what becomes of capital, and of a currency.
var (
	wearing      = regexp.MustCompile(`(?i)\bdepreciation\b`)
	foreignMoney = regexp.MustCompile(`(?i)currenc|exchange|money|peg|import|export|trade|devalu|abroad|dollar|euro`)
)

// choosing are words that ask for one of several things.
var choosing = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\bwhich (would|one|of|does|do|policy|option)\b|(^|[^,] )which is\b|\b(better|worse|cheaper) than\b|` +
		`\b(beats?|outperforms?|outdoes?|trumps?)\b|` +
		`\b(compared? (with|to)|differs? from|versus|vs|as opposed to)\b|than (one|those|with|under|if|when|through|via)\b|` +
		`\bshould [^.?!;]{3,90} or (cut|raise|lower|increase|reduce|abolish|introduce|give|pay|send|let|spend|buy|hire|tax|rather|better)\b`),
	"zh": regexp.MustCompile(`哪[个种一]([^月年季天行群人类]|$)|孰|另一[种个](情况|是|做法|方案|办法)|两种(情况|做法|方案|办法)|比[^，。；？,;?]{2,14}(更|还要)`),
}

// nothing are words for the control, which every arm is compared with.
var nothing = regexp.MustCompile(`(?i)比(现在|目前|以前|原来|今天|不|什么|当前|如今|过去)|\b(do(ing)? nothing|leav(e|ing) (things|everything) (as|be|alone)|` +
	`status quo|not doing (it|so|anything)|(compared (with|to)|versus|than (with|under|if|when)) ((just|simply) )?` +
	`(today|now|what|no|not|nothing|` +
	`none|control|leaving|without|before|an economy|(the|our) (control|present|current|baseline|base|situation|world|usual|old|status))\b)`)

// sized are numbers that some change must have taken: no preset does.
var sized = regexp.MustCompile(`(?i)\d\s*(%|percent|per cent|points?\b|元|块)|\b\d{3,}\b|\d{3,}`)

// fuels are goods that an import price stands for by many others; allImports says that all are meant.
var (
	fuels = regexp.MustCompile(`(?i)\b(petrol|gasoline|diesel|petroleum|natural gas|imported (oil|gas|fuel)|` +
		`(oil|gas|fuel|energy) (from|imports))\b`)
	allImports = regexp.MustCompile(`(?i)\b(all imports|imports get|imported goods|goods from abroad|everything|imports become|oil shock)\b`)
)

// guard doubts a reading whose words say more than it holds.
func (r *resolver) guard(marks []mark) {
	text := string(r.text)
	if pattern := carrying[r.s.lang]; pattern != nil {
		for _, at := range pattern.FindAllStringIndex(text, -1) {
			span := Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}
			held := slices.ContainsFunc(r.s.held, func(m mention) bool { return m.span.From < span.To && span.From < m.span.To })
			if !held && !carried(marks, span) && !tells(text[:at[0]], text[at[0]:at[1]]) {
				r.doubting("the time", "What is meant by “%s”? Did you mean this?", "“%s”是什么意思？是否指以下内容？", text[at[0]:at[1]])
			}
		}
	}
	if pattern := structural[r.s.lang]; pattern != nil {
		for _, at := range pattern.FindAllStringIndex(text, -1) {
			if span := (Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}); passedOver(marks, span) {
				r.doubting("the time", "What is meant by “%s”? Did you mean this?", "“%s”是什么意思？是否指以下内容？", text[at[0]:at[1]])
			}
		}
	}
	if pattern := misread[r.s.lang]; pattern != nil {
		if at := pattern.FindString(text); at != "" && !(everyYear.MatchString(at) && r.yearly()) {
			r.doubting("the words", "No lever is quite “%s”. Did you mean this?", "没有任何手段正好是“%s”。是否指以下内容？", at)
		}
	}
	if at := pastYear.FindString(text); at != "" && !strings.HasSuffix(strings.ToLower(at), "the last year") {
		r.doubting("the words", "“%s” has been. Did you mean this?", "“%s”已经过去。是否指以下内容？", strings.TrimSpace(at))
	}
	if r.s.lang == inquiry.Chinese {
		for _, at := range latin.FindAllStringIndex(text, -1) {
			span := Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}
			if leftOver(marks, span) && !slices.Contains([]string{"GDP", "CPI", "GNP", "PPI", "UBI", "VAT"}, strings.ToUpper(text[at[0]:at[1]])) {
				r.doubting("the words", "What is “%s”? Did you mean this?", "“%s”是什么？是否指以下内容？", text[at[0]:at[1]])
			}
		}
	}
	for _, at := range percents.FindAllStringIndex(text, -1) {
		span := Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}
		if leftOver(marks, span) && !r.told(marks, span) {
			r.doubting("a number", "No change takes “%s”. Did you mean this?", "没有任何改变采用“%s”。是否指以下内容？", text[at[0]:at[1]])
		}
	}
	if r.placesAlone() { // then whatever else happens in the question was not understood
		for _, m := range marks {
			if m.kind == colourMark {
				r.doubting("the words", "What is meant by “%s”? Did you mean this?", "“%s”是什么意思？是否指以下内容？", r.quote(m.span))
				break
			}
		}
	}
	if at := source.FindString(text); at != "" && !r.financing() {
		r.doubting("the size of what pays", "What pays is not understood: “%s”. Did you mean this?", "“%s”：未能理解由什么来付。是否指以下内容？", at)
	}
	ofRate := func(w wish) bool { return w.indicator == sim.PolicyRate }
	if at := advised.FindString(text); at != "" && slices.ContainsFunc(r.s.outcomes, ofRate) {
		r.doubting("a policy", "Is a change of the policy rate asked about by “%s”? Did you mean this?", "“%s”是问要不要调整利率吗？是否指以下内容？", at)
	}
	if at := jobless.FindString(text); at != "" && r.delayed() {
		r.doubting("the time", "Is “%s” a time of each spell without work? A benefit after some months of it is that of the long-term unemployed.",
			"“%s”是指每次失业满此时间之后吗？失业一段时间后的救济是长期失业者的救济。", at)
	}
	if at := aboveAverage.FindString(text); at != "" && !slices.Contains(r.used, "progressive_tax") {
		r.doubting("a policy", "What is meant by “%s”? Did you mean this?", "“%s”是什么意思？是否指以下内容？", at)
	}
	if r.changed("job_retention_benefit_rate") && r.base.JobRetentionShare == 0 && !r.changed("job_retention_share") &&
		r.s.place != "pandemic" { // where it is part of the background
		r.doubting("a policy", "No worker is on short time unless job_retention_share is set. Is it meant without?",
			"未设定 job_retention_share 时无人缩短工时。是指这样吗？")
	}
	if at := onset.FindString(text); at != "" && r.s.place != "" {
		r.doubting("the time", "When the background begins cannot be said: is “%s” meant?", "背景何时开始无法设定：是指“%s”吗？", at)
	}
	for _, row := range namedOnly {
		used := slices.ContainsFunc(row.levers, func(id string) bool { return slices.Contains(r.used, id) })
		if at := row.words.FindString(text); at != "" && !used {
			r.doubting("a policy", "What is meant by “%s”? Did you mean this?", "“%s”是什么意思？是否指以下内容？", at)
		}
	}
	if slices.Contains(r.used, "fixed_exchange_rate") && wearing.MatchString(text) && !foreignMoney.MatchString(text) {
		r.doubting("a policy", "Is the depreciation of the currency meant, or that of capital?", "指货币贬值，还是资本折旧？")
	}
	if at := enduring.FindString(text); at != "" {
		r.doubting("the time", "How long the background lasts cannot be said: is “%s” meant for the background alone?",
			"背景持续多久无法设定：“%s”只针对背景吗？", at)
	}
	places := !slices.ContainsFunc(r.q.Arms, func(a inquiry.Arm) bool {
		return len(a.Set)+len(a.Events)+len(a.Rules) > 0 ||
			a.Doses != nil
	})
	if at := sized.FindString(text); at != "" && places {
		r.doubting("a number", "No change takes “%s”. Is the scenario alone meant?", "没有任何改变采用“%s”。只是指该情景吗？", at)
	}
	if at := fuels.FindString(text); at != "" && slices.Contains(r.used, "import_price_factor") && !allImports.MatchString(text) {
		r.doubting("the words", "Import prices are those of all goods from abroad, of which “%s” is a part. Did you mean this?",
			"进口价格指全部进口商品，“%s”只是其中一部分。是否指以下内容？", at)
	}
	if r.strangePlaces() {
		r.doubting("the background", "A country and a state of the world are different things: is it meant to compare them?",
			"国家与情景不是一回事：是要比较它们吗？")
	}
	if pattern := choosing[r.s.lang]; pattern != nil && max(len(r.q.Arms), len(r.s.arms)) < 2 &&
		pattern.MatchString(text) && !nothing.MatchString(text) {
		r.doubting("the alternatives", "The question compares, but only one change was understood. Is that enough?",
			"问题在比较，但只理解了其中一项。这样可以吗？")
	}
}

// yearly says whether all that changes is a rate a year: "the population shrinks by 1 % a year".
func (r *resolver) yearly() bool {
	return len(r.used) > 0 && !slices.ContainsFunc(r.used, func(id string) bool {
		l, _ := leverOf(id)
		return l.unit != yearlyUnit
	})
}

// financing says whether something pays for what happens, or changes beside it.
func (r *resolver) financing() bool {
	return slices.ContainsFunc(r.s.arms, func(a arm) bool {
		return len(a.happens) > 1 || slices.ContainsFunc(a.happens, func(h happening) bool { return h.pays != "" })
	})
}

// delayed says whether a benefit of the unemployed changes from a later month on.
func (r *resolver) delayed() bool {
	return slices.ContainsFunc(r.s.arms, func(a arm) bool {
		return slices.ContainsFunc(a.happens, func(h happening) bool {
			return h.begin > 1 && slices.Contains(h.levers, "unemployment_benefit_rate")
		})
	})
}

// placesAlone says whether the question names economies or episodes, and nothing that happens in them.
func (r *resolver) placesAlone() bool {
	return len(r.s.everywhere) == 0 && !slices.ContainsFunc(r.s.arms, func(a arm) bool { return len(a.happens) > 0 })
}

// strangePlaces says whether a country is compared with what may befall any: "Germany or Austria in a recession".
func (r *resolver) strangePlaces() bool {
	countries, others := 0, 0
	if strings.HasSuffix(r.q.Background.Base, "_like") {
		countries++
	}
	for _, a := range r.q.Arms {
		switch {
		case strings.HasSuffix(a.Base, "_like"):
			countries++
		case a.Base != "" && a.Base != "baseline":
			others++
		}
	}
	return countries > 0 && others > 0
}

// tells says whether words such as 到多少 ask how far an outcome goes: 失业率会升到多少.
func tells(before, words string) bool {
	if !strings.HasSuffix(words, "多少") {
		return false
	}
	runes := []rune(before)
	near := string(runes[max(0, len(runes)-4):])
	return strings.ContainsAny(near, "会能将可")
}

// passedOver says whether words say nothing, as their marks have it.
func passedOver(marks []mark, span Span) bool {
	return !slices.ContainsFunc(marks, func(m mark) bool {
		return m.span.From < span.To && span.From < m.span.To && m.kind != fillerMark
	})
}

// leftOver says whether some of the words became nothing.
func leftOver(marks []mark, span Span) bool {
	return slices.ContainsFunc(marks, func(m mark) bool {
		return m.span.From < span.To && span.From < m.span.To &&
			(m.kind == colourMark || m.kind == fillerMark)
	})
}

// carried says whether words that became something cover a span whole, but for its blanks.
func carried(marks []mark, span Span) bool {
	for at := span.From; at < span.To; at++ {
		for _, m := range marks {
			if m.span.From <= at && at < m.span.To && m.kind != usedMark {
				return false
			}
		}
	}
	return true
}
