package question

import (
	"regexp"
	"slices"
	"unicode/utf8"
)

// tasks are what people ask for that is no experiment, whatever levers they name: each with its subject, see
// foreignSubjects. Those that may be asked of an experiment, too, do not count beside a change with its size, or words that suppose something.
var tasks = map[string][]struct {
	subject string
	always  bool
	words   *regexp.Regexp
}{
	"en": {
		{"code", true, regexp.MustCompile(`(?i)\b(write|code|implement|debug|fix|create|program)\b.{0,30}\b(function|script|program|macro|` +
			`regex|sql|query|class|code|app|website|spreadsheet)\b|\b(python|javascript|typescript|stack ?trace)\b`)},
		{"other", true, regexp.MustCompile(`(?i)^\W*(please |can you |could you |kindly )*(write|compose|draft|sing|tell)( me| us)? ` +
			`(a|an|some|another) ([a-z]+ )?(poem|essay|story|song|joke|speech|letter|article|limerick|haiku|tweet|blog post|email|toast)\b`)},
		{"other", false, regexp.MustCompile(`(?i)^\W*(please |can you |could you |kindly )*(` +
			`(translate|summari[sz]e|proofread|rephrase|paraphrase|rewrite|spell|define|explain|describe)\b|` +
			`(who|when|where) (first |ever )?(invented|introduced|discovered|was|were|is|did|wrote|won|founded)\b|` +
			`what (was|were)\b.*\b(1[5-9]|20)\d\d|what did [a-z]+ (say|think|write|mean|believe)|why (did|was|were)\b|how did\b|` +
			`what('s| is| are) (the )?(current|latest|actual|official|difference|differences|definition|meaning|capital)\b|` +
			`(what('s| is| are|'re)|define|explain) (an? |the )?([a-z]+('s)? ){0,3}(curve|law|equation|paradox|hypothesis|theory|theorem|` +
			`equivalence|trilemma|principle)\W*$|what does [a-z' -]{2,40} (mean|stand for)\W*$|what is meant by\b|` +
			`(what|how (high|low|big|large|much|many|fast|strong|strongly)) (was|were|did)\b.*\b((in|during|since|of) (1[5-9]|20)\d\d|last (year|month|` +
			`quarter|week|decade))\b|` +
			`(which|what) (party|candidate|politician|president|country|film|book)\b)`)},
		{"other", true, regexp.MustCompile(`(?i)\bwho (will|would|is going to) win (the|this|next|in|at)\b|` +
			`(translate|summari[sz]e|proofread|rewrite|turn|put) (this|that|the following|the) (sentence|text|paragraph|letter|line|phrase|word|[^.?!]{0,20} into)\b|` +
			`what('s| is) [\d.,]+ ?(%|percent|per cent)? ?(of|times|plus|minus|divided by) [\d.,]+|\b(sort|add up|multiply|divide) (these|those|the) numbers`)},
		// what will be, rather than what would be if
		{"forecast", false, regexp.MustCompile(`(?i)^\W*((what|where|how (high|low)) will (the )?([a-z]+ ){1,4}(be|stand|end up) (next|this|in|at|by|tomorrow)\b|` +
			`(will|is|are|when will|how often will) (the )?(fed|ecb|bank of [a-z]+|bundesbank|central bank|chancellor|government|parliament|minister) ` +
			`(going to |likely to |about to )?(raise|cut|hike|lower|change|increase)\b[^,?]{0,30}\?|` +
			`what are the (chances|odds))`)},
		{"private", true, regexp.MustCompile(`(?i)\bshould (i|my (wife|husband|son|daughter|family|mother|father|parents)) (vote|take|buy|sell|` +
			`invest|save|borrow|rent|move|quit|leave|switch|retire|work|study|marry|join|apply|accept|put|pay|sign|wait|keep|hold|refinance|go|` +
			`get|open|start|stay|ask|look|hire|fire|fix|change|cancel|use|give)\b|\bwhat (can|should|must|do) i do\b|` +
			`\bhow (do|can|could|should) i (file|claim|get|save|pay|apply|avoid|reduce my|invest|fill|sue|become|` +
			`buy|sell|earn|learn|install|protect)\b|\bhow much ([a-z]+ ){0,4}(will|do|would|can|must|should) i (get|pay|owe|need|earn|receive|` +
			`save)\b|\bcan (my|the) (boss|employer|landlord|ex|neighbou?r)\b|good time (for (me|us) )?to (buy|sell|invest|borrow|refinance|` +
			`retire|change jobs|move)\b|\bam i (allowed|entitled|liable|eligible)\b`)},
		{"firms", true, regexp.MustCompile(`(?i)\b(firms|companies|manufacturers|employers|business(es)?|shops|enterprises|producers|makers)\b` +
			`[^.?!]{0,20}\b(with|employ(ing|s)?|hav(e|ing)|of (up to|under|over|at (most|least)|(fewer|less|more) than))\b[^.?!]{0,25}\b(\d+|two|three|four|five|ten|twenty|fifty|(a )?hundred)` +
			`( (to|and|or) (\d+|[a-z]+))? (staff|people|employees|workers|heads)\b`)},
		{"place", true, regexp.MustCompile(`\b([Tt]rade|[Tt]ariffs|duties|union|exports|commerce)\b[^.?!]{0,40}\bbetween (the )?[A-Z][a-z]+ and (the )?[A-Z]|` +
			`\b[A-Z][a-z]+ and [A-Z][a-z]+\b[^.?!]{0,50}\beach other|` +
			`(?i:\b(yen|franc|rupee|peso|rou?ble|lira|kron[ae]|zloty|won|pound|dollar|euro|yuan|renminbi)\b[^.?!]{0,25}` +
			`\b(against|versus|vs) (the )?([a-z]+ )?(yen|franc|rupee|peso|rou?ble|lira|kron[ae]|zloty|won|pound|dollar|euro|yuan|renminbi)\b)`)},
		{"absent", true, regexp.MustCompile(`(?i)(^|[^a-z ] *|\b(if|to|on|of|by|that|and|or|will|does|would|make|let|tax|suppose|than) )` +
			`(amazon|google|apple|microsoft|volkswagen|vw|bmw|mercedes|siemens|toyota|facebook|nvidia|tesla|samsung|huawei|alibaba|tencent|` +
			`ikea|walmart|aldi|lidl|starbucks|uber|boeing|airbus|exxon|gazprom|nestl[eé]|novartis|openai|netflix|deutsche bank|` +
			`goldman sachs|jpmorgan|hsbc|ryanair|lufthansa)('s)?\b`)},
	},
	"zh": {
		{"code", true, regexp.MustCompile(`(?i)用(python|java|excel|r语言|matlab|stata|sql)|写(一?[个段])?.{0,14}(函数|代码|程序|脚本)`)},
		{"other", true, regexp.MustCompile(`^(请|帮我|替我|麻烦|给我|劳驾|你)*(写|编|作|讲|来|唱)(我)?一?[首篇个段封则份].{0,16}(诗|作文|议论文|范文|绝句|故事|小说|歌|笑话|演讲稿|发言稿|信|文章|段子|对联)|` +
			`翻译成|^(请|帮我)*翻译|(总结|概括)(一下|下)?(下面|以下|这段)`)},
		{"other", false, regexp.MustCompile(`(?i)是谁(发明|提出|写|创立)|谁(发明|提出)了|什么时候(开征|开始|发明|成立|出现|实行|推出)|` +
			`(1[5-9]|20)\d\d年.{0,16}(是|有|为|达|涨了?|跌了?|增长了?)(多少|几)|(去年|前年|上个?月|上季度|上个季度).{0,12}(是|有|为)(多少|几)|` +
			`^(什么叫|什么是|何谓|何为|啥叫|啥是)|(现在|目前|当前|最新|如今).{0,12}(利率|失业率|税率|汇率|gdp|通胀率)是?多少|有什么(区别|差别)|` +
			`是什么意思|^[^，,]{1,8}是(怎么回事|什么)[?？。]?$|(凯恩斯|弗里德曼|马克思|哈耶克|斯密|熊彼特|皮凯蒂)(怎么|如何)|^(请|帮我)?解释`)},
		{"other", true, regexp.MustCompile(`[\d.]+(块|元|个|万)?的[\d.]+ ?%(是|等于)(多少|几)|[\d.]+[+×*/÷乘除加减][\d.]+(等于|是|得)(多少|几)|解方程`)},
		// what will be, rather than what would be if
		{"forecast", false, regexp.MustCompile(`(美联储|央行|欧央行|欧洲央行|日本央行|政府|国家)?(下周|下个?月|明年|今年|年内|年底前?|什么时候|何时|下次)[^，。？?]{0,6}(加息|降息|加税|减税|降准)(吗|么|呢|不|几次)?[？?]?$|` +
			`^(下个?月|明年|后年|今年|未来[一二两三几]年)(的)?[^，。？?]{0,10}(会|将|能|大概)?(会)?(是|到|达到?)?(多少|几)[^，。？?]{0,3}[？?]?$`)},
		{"private", true, regexp.MustCompile(`(该不该|要不要|应不应该|应该|该)(给.{0,4})?投票|我(能|可以|该|应该)(领|拿|交|买|卖|投|选)|` +
			`(我的|我).{0,6}该怎么|我的?(个税|个人所得税|养老金|退休金|公积金)[^，。？?]{0,6}(交|领|拿)(多少|几)|(老板|公司|房东|单位)能(不能)?.{0,6}我|怎么(申报|报税|投资|避税|理财|申请)|要?交多少(个税|税|所得税)|` +
			`(该|还能|可以|适合|现在)(买|卖|抛)(吗|房|股)|(该不该|要不要|能不能|应不应该)(买|卖|抛)[^，。；？,;?]{0,4}(股|基金|房|黄金|保险)|合适买|买房(合适|划算)`)},
		{"absent", true, regexp.MustCompile(`(^|[^在从])(阿里巴巴|腾讯|华为|字节跳动|百度|京东|美团|拼多多|小米|比亚迪|茅台|特斯拉|苹果公司|谷歌|微软|` +
			`亚马逊|大众汽车|丰田|西门子|宝马|奔驰|三星|英伟达|脸书|沃尔玛|星巴克|麦当劳|中石油|中石化|恒大|碧桂园|万科)|更健康|犯罪|更幸福|幸福感|寿命|离婚率`)},
	},
}

// supposing are words that suppose something, or ask what follows from it.
var supposing = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(what (if|happens|would|will|does|do)|suppose|imagine|if|would|effects?|impact|consequences?|simulat[a-z]*|` +
		`were to)\b`),
	"zh": regexp.MustCompile(`如果|假如|要是|会怎|影响|后果|代价|结果|效果|模拟|会不会|会让|会使`),
}

// tasked adds what a question asks for that is no experiment to what is foreign in it.
func (s *sense) tasked(text string) {
	for _, t := range tasks[s.lang] {
		at := t.words.FindStringIndex(text)
		if at == nil || !t.always && (s.sized() || supposing[s.lang].MatchString(text)) {
			continue
		}
		span := Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}
		s.foreign = append(s.foreign, mark{span, strayMark, t.subject})
	}
}

// sized says whether something happens in an arm to which a size was given.
func (s *sense) sized() bool {
	return slices.ContainsFunc(s.arms, func(a arm) bool { return slices.ContainsFunc(a.happens, happening.sized) })
}
