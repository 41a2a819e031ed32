package question

// englishConcepts are the things of which levers are made: the ways in which a state acts on something, what
// it acts on, and states of the world. Words in their base form: inflections match.
var englishConcepts = []struct{ name, words string }{
	// what is done
	{"tax", `
		tax, taxation, levy, duty, excise, impost, surtax, charge, surcharge, fee, tax rate, tax bill, tax burden, tax load, tax cut,
		tax hike, tax rise, tax increase, tax relief, tax reduction, taxed, untaxed, state take, state keep, state collect,
		state claim, state grab, state pocket, state skim, state dock, state get, state want, state help itself to,
		take by the state, taken by the state, go to the state, goes to the state, go to the treasury, go to the tax office,
		go in tax, go on tax, lose to tax, lose to the state, hand to the state, hand over to the state, give to the state,
		pay to the state, pay in tax, pay tax, pay as tax, owe the state, treasury take, treasury keep, tax office take,
		tax collector take, tax authority take, exchequer take, revenue office take, fiscus take, state's cut, state's share,
		state's slice, state's bite, state's take, share for the state, cut for the state, deduct, deduction, withhold, withholding,
		skim, skim off, cream off, pay on top, put on top, put on top of, come on top, go on top, add on top of, add at,
		add to the price, add on, stick on, pay extra, pay more for, the one on`},
	{"taxfree", `
		tax free, free of tax, untaxed, without tax, without paying tax, before tax, before paying tax, before income tax,
		pay no tax, no tax, not tax, not taxed, exempt from tax, exempt from income tax, tax exempt, before the state take,
		before they pay tax, before tax start, before the state start to take, tax start, start to pay tax, start paying tax,
		keep untouched by tax, spare from tax, no income tax`},
	{"levypension", `
		contribution, contribute, pay in, pay into, payment, premium, deduction, paying in, put in, put into, chip in to`},
	{"benefit", `
		benefit, handout, dole, dole out, support, assistance, aid, relief, stipend, compensation, payout, pay out, welfare, check,
		payment, insurance, cash, get, receive, draw, collect, live on, safety net, replacement, entitlement, state pay, help,
		money, income, allowance, get by on, make do with, survive on, be hand, be give, transfer, sum, provision, pot,
		what they get`},
	{"subsidy", `
		subsidy, subsidize, refund, reimburse, reimbursement, pick up, chip in, contribute, contribution, shoulder, cover, bear,
		carry, help pay, help with, pay part of, pay a part of, pay a share of, pay half of, pay half the, pay some of,
		pay for part of, grant, rebate, credit, tax credit, tax break, tax relief, prop up, top up, cofinance, co finance,
		underwrite, take over, bonus, incentive, state aid, state money, pay firm, pay employer, give firm, give employer,
		hand firm, hand employer, pay the firm, pay back, give back, state pay, state support, public support, support, kick in,
		put up, meet, foot, stump up, absorb, compensate, take on, hand back, fund, finance, state help, help towards, help toward,
		help, top`},
	{"floor", `
		floor, minimum, lowest, least, lower limit, lower bound, not less than, no less than, may not fall below, can't fall below,
		may not not not bottom rate, bottom line for, at the bottom, lowest legal, lowest allow, lowest permit, at least, minimal,
		base`},
	{"topup", `
		top up, top, make up the difference, fill up, bring up, lift, raise up, guarantee, guaranteed, ensure, assure, promise,
		supplement`},
	{"limit", `
		limit, ceiling, cap, maximum, upper limit, upper bound, brake, target, threshold, highest, not more than, at most, lid`},
	{"ban", `
		ban, forbid, prohibit, outlaw, illegal, unlawful, against the law, not allow, may not, may no longer, can no longer,
		could no longer, no longer, could not, may never, can't, moratorium, not be allow, be not allow, no longer allow,
		never be allow, stop from`},
	{"cushion", `
		requirement, cushion, buffer, own money, own fund, own capital, equity, capital, skin in the game, loss absorber, set aside,
		put aside, hold, keep in reserve, reserve, put up themselves, own resource, own resources, stake, safety margin,
		thick cushion, shareholder money, owner's money, back with, put behind, hold back, hold against, keep against`},
	{"buy", `
		buy, purchase, order, procure, procurement, contract, shopping, spend on goods, spend on, demand, outlay on, commission,
		consume, acquisition, acquire, take delivery of, money on, money for`},
	{"hire", `
		hire, hiring, employ, employment, job, post, staff, payroll, headcount, recruit, take on, work for, work at, position,
		worker, employed by, workforce, personnel, people at work in, on the books of, on the books`},
	{"duration", `
		duration, length, how long, how many month, number of month, period, length of time, for how long, run for, last for,
		run out, runs out, expire, time limit, stop after, end after, be pay for, be paid for, get for, receive for, draw for,
		month of`},
	{"train", `
		train, training, retrain, retraining, reskill, teach, course, school, schooling, learn, skill up, upskill, requalify,
		apprentice, put through, coach, educate`},
	{"repay", `repay, repayment, pay back, pay off, pay down, clear, settle, amortize, redeem, return`},
	{"protect", `protect, protection, insure, insurance, guarantee, safe, safeguard, secure, cover, shield, security`},
	{"easy", `
		easy, easier, easily, simple, simpler, cheap, cheaper, quick, quicker, quickly, loosen, relax, at will, free hand, freely,
		ease`},
	{"hard", `
		hard, harder, difficult, costly, costlier, dear, dearer, expensive, slow, slower, stricter, strict, complicate, hurdle`},
	{"rescue", `rescue, bail out, save, prop up, shore up, recapitalize, nationalize, rescue from, step in for`},
	{"follow", `
		follow, track, index, indexed, tie, link, match, keep up with, keep pace with, move with, rise with, adjust to, adjust for,
		grow with, go up with, catch up with, in line with, in step with, mirror, compensate for, couple, peg, pass on, pass into,
		flow into, feed into, find its way into, build into, be passed on, bake into, make up for, make good, reflect`},
	{"charge", `charge, add, put, margin, spread, markup, surcharge, premium, interest, rate, cost, price, pay`},
	{"overrate", `
		on top of the policy rate, over the policy rate, above the policy rate, on top of the central bank rate,
		over the central bank rate, to the policy rate, on top of the key rate, over the key rate, above the key rate,
		on top of the base rate, over the base rate, above the base rate, to the base rate, to the key rate,
		above the central bank rate, on top of what they pay, on top of the interest rate, over the interest rate,
		above the interest rate, on top of the rate of the central bank`},
	{"own", `
		take, hold, buy, buy up, own, absorb, mop up, soak up, book, balance sheet, purchase, acquire, load up on, scoop up,
		pile up, keep, sit on, portfolio, holding, vault, finance, lend to`},
	{"find", `
		match, matching, bring together, place, placement, find, help into, get into, put into, mediate, pair, broker, connect`},
	{"copy", `copy, imitate, clone, use for free, reproduce, replicate, borrow, free for all, pinch, steal, knock off`},
	{"price", `price, cost, bill, cost of, charge, pay for, price of`},
	{"nobody", `
		nobody, no one, no boss, no employer, no firm, no worker, no job, may not, must not, can't, never, illegal, against the law,
		no company, no person, not a single, no business, none, not allow, not be allow, forbid, ban, prohibit`},
	{"lesspay", `
		pay less than, earn less than, make less than, take home less than, get less than, work for less than, hire for less than,
		be pay less than, pay anybody less than, pay anyone less than, pay somebody less than, pay people less than,
		pay worker less than, pay below, earn below, pay anyone below, earn under, pay under, offer less than, be paid below,
		go home with less than, pay a worker less than, wage below, wage under, wage of less than, pay of less than`},
	{"lesslive", `
		live on less than, have less than, have less to live on than, get by on less than, sink below, fall below, drop below,
		go below, slip below, income below`},
	{"household", `household, family, home, income, citizen, nobody, no one, everyone, adult`},
	{"unwanted", `
		no one else hire, nobody else hire, nobody hire, no one hire, nobody want, no one want, nobody else want, no employer want,
		no boss want, no firm want, can't find work, can't find a job, can't find one, find no work, find no job, find nothing,
		fail to find work, fail to find a job, who want one, who want to work, who want it, who want work, want to work,
		whoever want, that want one, nobody else take, no one take, look for one, ask for one, need one, turn away by employer,
		whoever ask, who be willing to work, who can work, otherwise jobless, would otherwise be jobless, unable to find`},
	{"post", `job, post, work, employment, position, hire, employ, take on, placement`},
	{"retaliate", `
		answer, respond, retaliate, hit back, strike back, pay back in kind, do the same, follow suit, return the favor,
		reciprocate, tit for tat, pay us back, in kind, counter, countermeasure, counter tariff, like for like, mirror, match,
		get even, take revenge, in return`},
	{"partner", `
		partner, trading partner, other side, foreigner, other country, they, abroad, rest of the world, world, neighbour, neighbor,
		other, foreign government, our customer`},
	{"notbuy", `
		not buy, buy nothing, buy no, not a single thing, not buy anything, stop buying, no longer buy, order nothing, not order,
		place no order, never buy, not purchase, not spend a cent on, not buy a thing, quit buying, cease to buy`},
	{"stopwork", `
		stop work, stop working, retire, leave work, quit work, draw pension, draw their pension, draw a pension,
		go into retirement, work, stay on, pension, start their pension, get their pension, collect their pension, stay in work,
		stay at work, keep working, hang up their boots, work on, retirement`},
	{"pace", `rate, pace, speed, frequency, how often, how many, tempo`},
	{"dear", `dearer, more expensive, costlier, pricier, up in price, expensive, dear`},
	{"cheap", `cheaper, less expensive, down in price, cheap`},
	{"grant", `grant, give out, hand out, extend, approve, lend out, issue, serve, agree to, pay out, write, hand over`},
	{"bear", `
		lose, pay, bleed, take the hit, foot the bill, chip in, carry the loss, share the loss, bear the loss, bear, shoulder,
		be first in line, forfeit, go first, suffer`},
	{"bankfail", `
		bank go bust, bank fail, bank go under, bank collapse, bank be in trouble, failing bank, failed bank, bust bank,
		bank go broke, bank go belly up, bank rescue, bank topple, broken bank, ailing bank, bank crash`},
	{"pricerise", `
		raise price, raise their price, change price, change their price, put up price, put up their price, price rise,
		price increase, hike price, hike their price, touch their price, charge more, mark up their goods, adjust their price,
		move their price, alter price, alter their price`},
	{"lostpay", `
		lost wage, lost pay, lost earnings, lost income, wage they lose, pay they lose, missing wage, wage loss, loss of pay,
		pay lost, wage lost, loss of wage`},
	{"shorthours", `
		short hours, short time, short time work, shorter hours, reduced hours, furlough, kurzarbeit, work less, cut hours,
		on half time`},
	{"shut", `shut, shut down, close, closed, lock down, lockdown, shuttered, run, operate, work`},
	{"capacityword", `capacity, table, seat, bed, room, usual output, normal output`},
	{"later", `later, longer, after, beyond, older, more`},
	{"sooner", `earlier, sooner, younger`},
	{"pool", `
		collect, pool, skim, gather, take, raise, levy, set aside, pot, fund, pull in, siphon off, cream off, lump together,
		put together, kitty, draw off`},
	{"share", `
		hand it out, hand it back, hand back, hand money back, give back, return, hand the money back, share it out, share out,
		hand out, give it back, split, split it, distribute, distribute it, divide, pay it out, pay out, hand it, give it,
		pay it back, redistribute, dish out, spread it, pass it on, pay it, send it, return it, send it back, parcel out, dole out,
		shared, shared out, divided, hand the same sum`},
	{"alike", `
		equally, in equal slice, in equal part, in equal share, equal, alike, evenly, in equal measure, every home,
		to every household, to each household, to all household, to all, to everyone, to everybody, to every family,
		to every citizen, same amount, same for all, per head, the same to all, among all`},
	{"topoor", `
		the poor, the poorest, the poor only, those below the poverty line, below the poverty line, those in poverty,
		poor household, poor family, the needy, the worst off, the have nots, people in poverty, household in poverty,
		under the poverty line, poor people, those who have least, those with the least`},
	{"collapse", `destroy, wipe out, wreck, flatten, lose, ruin, smash, burn, sink, write off, demolish, knock out`},
	{"aim", `aim, target, goal, objective, aim at, aim for, shoot for, strive for`},
	{"put", `
		spend, put, invest, devote, plough, plow, pour, sink, pump, channel, allocate, earmark, budget, money`},
	// what it is done to
	{"shopping", `
		what people buy, buy, purchase, shopping, shop, consumption, at the till, till, checkout, cash register, cash desk, counter,
		consumer, consumer goods, retail, retail sale, sale, bill in the shop, basket, shopping basket, shopping cart,
		shopping trip, store, in store, supermarket, everyday goods, receipt, spend, price tag, every price, household spend,
		goods and services, thing people buy, goods people buy, thing we buy, product people buy, goods, what household buy,
		at the counter, price in shop, shelf price, high street`},
	{"wage", `
		wage round, wage settlement, pay round, pay deal, pay talk, wage talk, wage deal, pay settlement, wage, pay, pay packet,
		paycheck, pay check, earnings, what people earn, worker earn, worker make, what worker make, income, labor, work, earn,
		wage packet, wage slip, pay slip, payslip, take home, take home pay, gross pay, remuneration, income from work,
		labor income, people earn, people make, what people make, what people bring home, bring home, wage income, worker`},
	{"profit", `
		profit, surplus, bottom line, firm earn, firm make, firm earnings, corporate earnings, corporate profit, what firm earn,
		what firm make, gain of firm, corporate gain, owner earn, shareholder, corporation, corporate income, corporate,
		firm profit, earnings of firm, what a firm earn, what a firm make, return on capital, firm gain, company earnings,
		firm's earnings, black ink, firm, business gain, what be left after cost, what employer earn`},
	{"rich", `
		rich, wealthy, high earner, top earner, big earner, best paid, millionaire, billionaire, well off, better off, affluent,
		top income, high income, highest income, highest earner, highest-earning, very highest earner, top wage, highest wage, big income, fat cat, upper income, top of the scale,
		top of the ladder, wealthiest, richest, high wage, top bracket, highest bracket, top pay, highest paid, highly paid,
		very top, big salary, big wage, executive`},
	{"emission", `
		emission, carbon, co2, carbon dioxide, greenhouse gas, pollution, pollute, polluter, polluting, smoke, soot, exhaust, fume,
		dirty, dirty firm, dirty production, dirty industry, smokestack, chimney, fossil fuel, fossil, coal, climate gas,
		dirty energy, climate damage, climate, blow into the air, blow into the sky, put into the air, put into the atmosphere,
		atmosphere, environmental damage, filth, heavy polluter`},
	{"machine", `
		robot, ai, artificial intelligence, automation, machine, algorithm, chatbot, bot, software, smart machine, thinking machine,
		clever machine, smart software, ai license, ai tool, language model, computer, self learning, llm, license fee, licence fee`},
	{"import", `
		import, imported, imported goods, foreign goods, goods from abroad, foreign product, product from abroad, from abroad,
		foreign made, made abroad, produce abroad, come from abroad, over the border, across the border, at the border, border,
		cross the border, come in from, foreign, abroad, buy abroad, foreign supplier, foreigner, ship in, brought in from,
		rest of the world, other country`},
	{"jobless", `
		unemployed, jobless, out of work, out of a job, without work, without a job, no job, lose their job, lose a job,
		lose your job, lose his job, lose her job, have lost their job, lose work, lose their work, lay off, laid off,
		made redundant, between job, looking for work, look for work, look for a job, job seeker, on the dole, sign on, idle worker,
		idle, sack worker, person who be sack, people who be sack, get the sack, get sack, get fire, be fire, have no work,
		have no job, workless, dismissed worker, who be lay off, become redundant, fire worker, find themselves without work`},
	{"dole", `unemployment benefit, dole, jobless benefit, unemployment insurance, unemployment pay, benefit`},
	{"longterm", `
		long term, for long, after a year, more than a year, over a year, longer than a year, after the first year, for years,
		for a long time, after twelve month, once the benefit run out, when the benefit run out, long-term, chronically, permanently`},
	{"retired", `
		pensioner, retired, retiree, the old, old people, elderly, the elderly, old age, in old age, retirement, in retirement,
		grandparent, senior, old person, senior citizen, pension, oldest, old folk, people who have stop working, stop working,
		stop work, granny, grandma, grandpa, grandmother, grandfather, over 65, over sixty five, golden year, after work life`},
	{"pensionpot", `
		pension, pension pot, pension fund, pension system, pension scheme, pension insurance, old age, old age insurance,
		retirement, retirement fund, social security, social insurance, national insurance, retirement pot, old age provision,
		pension saving`},
	{"child", `
		child, children, kid, family, family with child, parent, mother, household with child, baby, son and daughter, little one,
		large family, big family, toddler, youngster, offspring`},
	{"poor", `
		poor, poorest, poverty, low income, those who have little, have too little, have little, needy, in need, hard up, worst off,
		struggling, destitute, low-income, least well off, bottom of society, below the poverty line, breadline, those with little,
		poor household, poor family, badly off, with the least`},
	{"lowpaid", `
		low paid, low wage, poorly paid, badly paid, low earner, cheap labor, cheapest worker, cheap worker, lowest paid, unskilled,
		low skilled, low skill, small wage, small pay packet, least paid, worst paid, low pay, low-paid, low-wage,
		low income worker, simple job`},
	{"employer", `
		employer, firm, firm that hire, firm that take on, employer who hire, who hire, that hire, hire, hiring, new job, payroll,
		create job, job creation, take on worker, take on people, take somebody on, labor cost, wage cost, wage bill, wage`},
	{"research", `
		research, r&d, r and d, lab, laboratory, innovation, inventor, inventing, invent, invention, develop, development,
		researcher, scientist, boffin, engineer, new product, product development, research and development, new idea, tinkerer,
		innovate, r&d department, research department, development department, innovator`},
	{"science", `
		university, basic research, fundamental research, basic science, science, public research, public lab, public laboratory,
		academia, academic, professor, research council, research institute, blue sky research, public science, institute,
		university lab, state lab`},
	{"state", `
		state, ministry, public, treasury, town hall, public sector, authorities, authority, army, public body, public bodies,
		agency, public agency, public hand, exchequer, council, municipal, civil service, public service, public office,
		state itself, minister, administration, department, ministries, federal`},
	{"goods", `
		goods, from firm, from industry, from business, from private firm, goods and services, product, thing, works, supply,
		equipment, road, bridge, school building, railway, hospital, infrastructure, private sector, machinery, material, building,
		weapon, arms`},
	{"bank", `bank, banking, banker, lending institution, credit institution, financial institution, savings bank`},
	{"loan", `loan, lending, credit, lend, borrow, borrowing, what they lend, advance, lend out, borrower`},
	{"keyrate", `
		rate, interest, interest rate, key rate, base rate, policy rate, price of money, cost of money, price of borrowing,
		lead rate`},
	{"centralbank", `
		central bank, fed, ecb, bank of england, monetary authority, federal reserve, central banker, money guardian,
		guardian of money`},
	{"saver", `
		saver, saving, savings, deposit, depositor, account, bank account, people's money, savings account, account holder,
		money in the bank`},
	{"firing", `
		lay people off, lay worker off, lay somebody off, lay anyone off, lay them off, fire, firing, sack, sacking, dismiss,
		dismissal, lay off, layoff, laying off, get rid of worker, get rid of staff, redundancy, make redundant, let go,
		shed worker, throw out worker, kick out, show the door, axe worker, cut job, job cut, hire and fire, part with worker,
		get rid of people, send worker away, notice`},
	{"vacancy", `vacancy, opening, job, open position, open post, work, employer, firm, position, vacant post`},
	{"inflation", `inflation, price stability, price growth, price rise, price increase`},
	{"prices", `price, inflation, cost of living, price level, cost of life, price index, cpi, dearness`},
	{"productivity", `productivity, output per worker, efficiency, output per hour, what worker produce`},
	{"publicdebt", `
		public debt, state debt, debt of the state, national debt, sovereign debt, debt, state owe, mountain of debt, debt ratio,
		debt pile`},
	{"deficit", `
		deficit, shortfall, budget gap, borrowing, new debt, new borrowing, annual borrowing, overspend, red ink, budget hole,
		net borrowing`},
	{"firmlab", `firm, revenue, turnover, sale, private, corporate, industry, business, in house, their own, own`},
	{"capital", `
		factory, plant, machine, machinery, building, capital stock, capital, equipment, production facility, works,
		productive capacity, warehouse, physical capital, stock of capital`},
	{"idea", `
		invention, idea, patent, innovation, discovery, rival, competitor, new product, technology, know how, design,
		recipe of rival`},
	{"orders", `order, buy, demand, purchase, want, appetite, take, customer, sale`},
	{"ours", `from us, our goods, our export, our product, our ware, what we make, what we sell, made here, our firm, export`},
	{"world", `
		abroad, foreigner, foreign, foreign customer, rest of the world, world, trading partner, other country, neighbour, neighbor,
		foreign buyer, neighbouring country, customer abroad, overseas, the world, export market, export customer, export`},
	{"shopmargin", `
		margin, mark up, markup, on top of cost, over cost, above cost, add to cost, on top of their cost, cut, profit margin,
		take on each sale`},
	{"seller", `
		firm, shop, seller, retailer, shopkeeper, company, producer, manufacturer, store, supplier, merchant, trader, supermarket`},
	{"newfirm", `start up, found, set up, founder, founding, founded, get off the ground`},
	{"bizness", `firm, business, shop, company, start up, enterprise, workshop`},
	{"come", `
		come, arrive, move in, move here, settle, immigrate, let in, move to, flow in, stream in, enter, let into, admit, take in`},
	{"newcomer", `
		foreigner, immigrant, migrant, newcomer, refugee, worker from abroad, people from abroad, foreign worker,
		people from elsewhere, from abroad, people from other country, skilled worker from abroad`},
}

// englishCompositions are the levers that concepts make together, in any order. A lever that more
// of the concepts of a sentence make wins over one that fewer do; two that as many do are both meant. Marks before
// the levers are those of leverWords.
var englishCompositions = []struct{ lever, concepts string }{
	{"income_tax_rate", "tax wage"},
	{"vat_rate", "tax shopping"},
	{"corporate_tax_rate", "tax profit"},
	{"progressive_tax", "tax rich"},
	{"progressive_tax", "tax rich wage"},
	{"green_levy_rate", "tax emission"},
	{"robot_tax_rate", "tax machine"},
	{"tariff_rate", "tax import"},
	{"tariff_rate", "tax import goods"},
	{"tariff_rate", "tax import shopping"},
	{"tax_allowance", "taxfree wage"},
	{"pension_contribution_rate", "levypension pensionpot"},
	{"pension_contribution_rate", "levypension pensionpot wage"},
	{"pension_contribution_rate", "tax pensionpot wage"},
	{"inherent_market_consumption_rate", "state buy goods"},
	{"unemployment_benefit_rate", "benefit jobless"},
	{"benefit_months", "duration benefit jobless"},
	{"benefit_months", "duration dole"},
	{"long_term_benefit_factor", "benefit jobless longterm"},
	{"long_term_benefit_factor", "dole jobless longterm"},
	{"minimum_income", "topup poor"},
	{"redistribution_families", "benefit child"},
	{"pension_replacement_rate", "benefit retired"},
	{"minimum_wage", "floor wage"},
	{"minimum_wage", "floor lowpaid"},
	{"wage_subsidy_rate", "subsidy lowpaid"},
	{"wage_subsidy_rate", "subsidy lowpaid wage"},
	{"wage_subsidy_rate", "subsidy lowpaid wage employer"},
	{"wage_subsidy_rate", "subsidy wage employer"},
	{"research_subsidy_rate", "subsidy research"},
	{"research_subsidy_rate", "subsidy research firmlab"},
	{"public_research_share", "put science"},
	{"public_research_share", "state put science"},
	{"public_research_share", "subsidy science"},
	{"innovation_research_share", "put research firmlab"},
	{"retraining_rate", "train jobless"},
	{"+dismissal_rate", "easy firing"},
	{"-dismissal_rate", "hard firing"},
	{"!dismissal_rate", "protect firing"},
	{"0enable_dismissal", "ban firing"},
	{"matching_efficiency", "find jobless vacancy"},
	{"capital_requirement", "cushion bank"},
	{"capital_requirement", "cushion bank loan"},
	{"amortisation_rate", "repay loan"},
	{"loan_spread", "charge loan bank"},
	{"loan_spread", "charge overrate"},
	{"loan_spread", "charge overrate bank"},
	{"loan_spread", "charge overrate bank loan"},
	{"+central_bank_bond_share", "centralbank own publicdebt"},
	{"deposit_insurance", "protect saver"},
	{"deposit_insurance", "protect saver bank"},
	{"+wage_inflation_indexation", "follow wage prices"},
	{"wage_productivity_indexation", "follow wage productivity"},
	{"inflation_target", "aim inflation"},
	{"fixed_policy_rate", "centralbank keyrate"},
	{"debt_target", "limit publicdebt"},
	{"austerity_deficit_limit", "limit deficit"},
	{"imitation_probability", "copy idea"},
	{"import_price_factor", "price import"},
	{"import_price_factor", "price import goods"},
	{"import_price_factor", "price import shopping"},
	{"world_demand_factor", "orders ours world"},
	{"disaster", "collapse capital"},
	{"consumption_mark_up", "shopmargin seller"},
	{"+migration_rate", "come newcomer"},
	{"+bailout", "rescue bank"},
	{"minimum_wage", "nobody lesspay"},
	{"minimum_income", "nobody lesslive household"},
	{"minimum_income", "topup household"},
	{"+import_price_factor", "import dear"},
	{"-import_price_factor", "import cheap"},
	{"credit_supply_factor", "grant loan"},
	{"credit_supply_factor", "bank grant loan"},
	{"+bail_in", "saver bear bankfail"},
	{"dismissal_rate", "pace firing"},
	{"0enable_price_adjustment", "ban pricerise"},
	{"job_retention_benefit_rate", "lostpay shorthours"},
	{"industry_supply", "shut capacityword"},
	{"entry_rate", "newfirm bizness"},
	{"job_guarantee", "post unwanted"},
	{"job_guarantee", "hire jobless state"},
	{"retaliation_share", "retaliate partner"},
	{"retaliation_share", "retaliate partner tax import"},
	{"0inherent_market_consumption_rate", "state notbuy goods"},
	{"0inherent_market_consumption_rate", "state notbuy"},
	{"+retirement_age_shift", "stopwork later"},
	{"-retirement_age_shift", "stopwork sooner"},
	{"redistribution_equal", "pool share alike"},
	{"redistribution_poor", "pool share topoor"},
	{"redistribution_equal", "share alike"},
	{"redistribution_poor", "share topoor"},
	{"research_subsidy_rate", "subsidy put research"},
	{"research_subsidy_rate", "subsidy put research firmlab"},
}
