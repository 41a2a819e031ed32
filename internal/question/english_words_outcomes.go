package question

import "econ-mcp/sim"

// englishOutcomes are words for what a question may ask about.
var englishOutcomes = []struct {
	indicator sim.Indicator
	words     string
}{
	{sim.RealGDP, `
		richer, poorer, make us richer, make us poorer, better off as a country, gdp, real gdp, output, economy, national income,
		economic output, domestic product, gross domestic product, gdp level, production, what the country produce, total output,
		economic activity, prosperity, national product, recession, slump, downturn, economic performance, living standard,
		standard of living, business cycle, welfare of the country, wealth of the nation, overall economy, whole economy, multiplier,
		fiscal multiplier, output loss, growth effect, national output, aggregate output, industrial output, industry output, boom,
		real output, activity, our country, our industry, pay for itself, gdp per head, gdp per capita, what we make, what we produce,
		size of the cake, how much the country make, how much we produce, how much we make, everything we make, the size of the economy,
		size of the economy, the country produce, output come back, income of the nation, the nation produce, how rich we be,
		how well off we be, national cake, national pie, the economy as a whole, wealth of the country, output be back, do we produce less,
		do we produce more, what the country make, value added, the economy get smaller, output of the country, what the nation make,
		what the nation produce, do the economy shrink, will the economy shrink, would the economy shrink`},
	{realIncome, `
		income, disposable income, household income, net income, family income, real disposable income, money to live on,
		real household income, real net income, household budget, family budget`},
	{sim.GDPGrowth, `
		growth, growth rate, economic growth, gdp growth, growth of the economy, grow, economic upswing, upswing, recovery, expansion,
		rate of growth, growth of gdp, rate of economic growth`},
	{sim.NominalGDP, `nominal gdp, gdp in money`},
	{sim.Inflation, `
		inflation, inflation rate, price spiral, wage price spiral, deflation, price growth, pace of price rise, price pressure, price rise,
		price increase, rate of inflation, price stability, inflationary, inflationary pressure, deflationary, rise in price, price hike,
		pace of price, speed of price, speed at which price rise, how fast price rise, price go up, price climb, price run away,
		runaway price, thing get dearer, thing get more expensive, everything get dearer, everything get more expensive`},
	{sim.CPI, `
		price, consumer price, cost of living, price level, what thing cost, shop price, food price, price at the till, cpi, price index,
		living cost, everyday price, household bill, supermarket price, retail price, consumer price index, the weekly shop, shopping basket,
		cost of food, price at home, what the weekly shop cost, what a loaf cost, price of bread, price we pay, price people pay,
		what we pay in the shop, what everything cost, what life cost, how dear thing be, how dear life be, how expensive life be,
		how expensive thing be, what people pay, till price, price on the shelf, life get dearer, life become dearer, life get more expensive,
		thing get dearer, get dearer in the shop, dearer life`},
	{sim.GDPDeflator, `deflator, gdp deflator`},
	{sim.UnemploymentRate, `
		unemployment, unemployment rate, job loss, jobless, joblessness, jobless rate, out of work, unemployed, number of unemployed,
		unemployed person, unemployed people, jobless people, the unemployed, jobless person, people out of work, without a job, without work,
		lose job, mass unemployment, on the street, dole queue, number of jobless, jobless figure, jobless number, worklessness,
		jobless total, unemployment figure, lose work, jobless queue, be redundant, labor market slack, stay jobless, find no work,
		people on the dole, dole figure, be laid off, get laid off, lay off people, get the sack, get the boot, be sack, out on the street,
		end up on the street, be on the dole, on the dole, thrown out of work, without employment, how many be out of work,
		how many people be out of work, how many jobless, sit at home without work, idle hand, look for a job in vain, line at the job center,
		jobless count, number of jobless people, count of the jobless`},
	{sim.EmploymentRate, `
		employment, job, employment rate, number of job, work, labor market, people in work, job market, in work, employment level, hiring,
		labor demand, people at work, demand for labor, number of people in work, work force in employment, job creation, number of worker,
		people with a job, employed, level of employment, headcount, total employment, hire, create job, office worker, worker find work,
		labor, save work, save job, jobs cost, cost us job, cost job, how many job, how many work, fewer job, more job, job go, job be lost,
		job vanish, job disappear, job be create, new job, people work, people have work, people have a job, have work, have a job,
		find employer, paid work, payroll, number of people who work, have a job to go to`},
	{sim.ParticipationRate, `
		labor force participation, participation rate, labor supply, participation, labor force, workforce, activity rate,
		willingness to work, incentive to work, size of the workforce, supply of labor, participate in the labor market, work incentive,
		people look for work, fewer people look for work, more people look for work`},
	{sim.VacancyRate, `
		vacancy, vacancy rate, open position, unfilled job, unfilled post, job opening, labor shortage, vacant post, shortage of worker,
		worker shortage, shortage of labor, skill shortage, open job, unfilled position, vacant job, job vacancy, job ad, number of job ad,
		job advert`},
	{sim.JobFindingRate, `
		job finding, job finding rate, find work, find job, find a new job, time to find work, get back into work, get back to work,
		search time, return to work, back into work, back to work, chance of finding work, chance of finding a job, take to find work,
		find new work, spell of unemployment, unemployment spell, duration of unemployment, unemployment duration, find another job,
		how long people search, how fast people find work, how quickly people find work, how long it take to find work,
		how long it take to find a job, people find work sooner, find work sooner, find work faster, find a job faster, quickly back in work,
		how fast do the unemployed find work, how long people stay jobless, how long the jobless stay jobless, length of unemployment,
		time out of work, how long people be out of work, unemployed find work, jobless find work`},
	{sim.SeparationRateObserved, `
		separation rate, job separation, separation, job destruction, turnover of job, lose one's job, risk of losing job, dismissal, layoff,
		redundancy, number of redundancy, number of dismissal, people get sacked, get sacked, get fired, people get fired, sacking`},
	{sim.NominalWageMean, `nominal wage, money wage, nominal pay, wage bill, wage growth, paycheck`},
	{sim.RealWageMean, `
		real income, wage, real wage, pay, earning, salary, purchasing power, real pay, average wage, mean wage, take home pay, average pay,
		real earnings, earnings, people's purchasing power, worker's pay, wage level, purchasing power of wage, average earnings,
		what people earn, buying power, income of worker, real purchasing power, average real wage, real average wage, mean real wage,
		labor income, what be left in the pocket, left in the pocket, what people have in their pocket, money in people's pocket,
		money in the pocket, pay after price, what wage buy, what pay buy, what a paycheck buy, what a month of pay buy, how far pay go,
		how far wage go, take home, worker's purse, worker's pocket, living of worker, pay packet, pay slip, payslip, paypacket,
		do workers earn, worker earn less, worker earn more, living standard of worker, worker be worse off, worker be better off,
		spending power, what people can afford, what worker can afford, worth of wage, worker worse off, worker better off`},
	{sim.RealWageMedian, `
		median wage, median real wage, real median wage, typical wage, median pay, typical worker's pay, wage of the typical worker,
		typical worker, ordinary worker, median earnings, wage in the middle, middle class income, what the middle earner make, middle earner,
		pay of the middle, wage of the middle`},
	{sim.LabourShare, `
		labor share, wage share, labor's share, share of labor, labor's slice of the cake, labor's slice, workers' share,
		worker's share of income, labor share of income, share of income that go to labor, share of wage, slice of the cake, slice of the pie,
		labor's part, share of income that go to worker, labor income share, worker's share, share of wage in gdp, capital share,
		profit share, worker's slice, share of national income that go to wage, share of wage in national income, slice of income go to labor,
		slice of income that go to labor, slice that go to labor, slice that go to wage, slice of income for worker, slice that worker get,
		worker's cut, cut that worker get, how much of the cake go to worker, part of income that go to worker,
		part of income that go to labor, share that go to worker, share that go to labor, share going to worker, share going to labor,
		how income be split between labor and capital, split between labor and capital, split between wage and profit, share of profit`},
	{sim.RealConsumption, `
		people tighten their belt, people tighten belt, household tighten their belt, consumer tighten their belt, consumption,
		consumer spending, household spending, private consumption, household consumption, real consumption, what people can buy,
		what people buy, what household consume, spending of household, consumer demand, what people consume, people spend, shopping, retail,
		private spending, household demand, consume, what household can buy, spend more, consumer spend, consumer come back, spending in shop,
		shop till, shop sale, till ring, people buy, what shop sell, sales in shop, trade in shop, shop takings, takings, consumer buy,
		people buy more, people buy less, how much people buy, how much less people buy, high street, high street sale`},
	{sim.RealInvestment, `
		investment, invest, capital spending, business investment, real investment, private investment, capital formation,
		capital accumulation, spending on machine, new machine, capital expenditure, investment by firm, capex, corporate investment,
		firms' investment, capital investment, investment activity, invest more, firm invest, buy machine, machine order, buy new machine,
		new plant, firm build, building of plant, firm put money into machine, order for machine, buying of machine, put money into machine,
		new factory, build new plant`},
	{sim.SavingRate, `
		saving, saving rate, household saving, savings, saving of household, personal saving, thrift, savings rate, save, saving ratio,
		nest egg, put aside, put by, put money aside, money put aside, set aside, put away, rainy day money, how much people put aside,
		how much household put aside, people save more, people save less, household save more, what people put aside`},
	{sim.IncomeGini, `
		inequality, income inequality, income gap, gini, gap between rich and poor, rich and poor, income distribution,
		distribution of income, unequal, equality, gini coefficient, income gini, distribution, more equal, less equal, income spread,
		fairness, rich get richer, inequality of income, social divide, gap between top and bottom, disparity, inequality index,
		redistributive effect, egalitarian, fair distribution, equal, income disparity, gap, rich, who win, who lose, who gain,
		winner and loser, winner, gap between haves and have nots, have and have nots, gap between high and low income,
		distance between rich and poor, rich and poor drift apart, rich and poor move closer, who lose out, who come out ahead,
		who come out on top, who be the winner, who be the loser, who pay for it, social gap, social balance, income divide, evenly spread,
		evenness of income`},
	{sim.WealthGini, `
		wealth inequality, wealth gap, wealth distribution, distribution of wealth, inequality of wealth, wealth gini,
		concentration of wealth, wealth concentration, gap in wealth, distribution of asset, fortune of the rich, how unequal wealth be,
		who own what, distribution of fortune`},
	{sim.PovertyRate, `
		poverty, poverty rate, the poor, poor household, poor family, number of poor, people in poverty, fewer poor person, fewer poor,
		child poverty, below the poverty line, poverty line, destitution, poverty risk, risk of poverty, at risk of poverty, working poor,
		hardship, poor, poorest, deprivation, poverty headcount, low income household, low income family, poor person, number of poor people,
		share of poor, needy, households in poverty, household below the poverty line, in need, make ends meet, scrape by, live in poverty,
		on the breadline, breadline, worst off, the worst off, have-nots, lives of the poor, bottom of society, those at the bottom,
		number in poverty, people who be poor`},
	{sim.TaxRevenue, `
		revenue, tax revenue, public revenue, tax take, tax receipt, state revenue, government revenue, treasury, tax income of the state,
		receipt, fiscal revenue, money the state take in, state coffer, coffer, public purse, receipts of the state, exchequer,
		total tax revenue, what the state take in, state income, tax base, revenue of the state, what come into the state's coffer,
		money come in, the state's take, state's income, state take in, come into the coffer, money for the state,
		money in the state's coffer, yield, bring in for the state, tax yield, tax haul, haul, how much money do it raise, money do it raise,
		how much do it raise, how much would it raise, how much it raise, yield of the tax`},
	{sim.TaxIncome, `
		income tax revenue, income tax receipt, receipt from income tax, revenue from income tax, revenue of the income tax, income tax take`},
	{sim.TaxVAT, `vat revenue, vat receipt, revenue from vat, receipt from vat, vat take, sales tax revenue`},
	{sim.TaxCorporate, `
		corporate tax revenue, corporate tax receipt, revenue from corporate tax, receipt from corporate tax, corporate tax take`},
	{sim.TaxTariff, `
		trade tax revenue, border tax revenue, revenue from trade tax, tariff take, duty revenue, revenue from duty, tariff income,
		tariff revenue, customs revenue, revenue from tariff, tariff receipt, customs receipt`},
	{sim.TaxLevy, `
		levy revenue, carbon tax revenue, carbon revenue, revenue from the levy, revenue of the levy, revenue from the carbon tax`},
	{sim.TaxRobot, `robot tax revenue, revenue from the robot tax, revenue of the robot tax`},
	{sim.GovernmentSpending, `
		government spending, public spending, public expenditure, state spending, government outlay, cost to the state, cost to the taxpayer,
		public cost, bill for the state, cost for the state, fiscal cost, what it cost the state, what it cost the taxpayer,
		cost of the program, total cost, government expenditure, cost the state, cost the taxpayer, cost the government, cost the treasury,
		pension bill, welfare bill, benefit bill, cost to the government, cost to the treasury, public outlay, what the state spend,
		what the government spend, state outlay`},
	{sim.DeficitToGDP, `
		deficit, budget deficit, public deficit, government deficit, fiscal deficit, hole in the budget, budget, budget balance,
		fiscal balance, public finance, state finance, budget hole, public finances, state budget, government budget, fiscal position,
		government finance, balance the budget, budget gap, red ink, primary balance, shortfall, budget surplus, budget shortfall,
		balance of the budget, state's finance, government's finance, budget of the state, finances of the state, government borrowing,
		public borrowing, in the red, gap in the budget, hole in public finance, hole in the state's purse, state overdraft,
		state spend more than it take in, the books balance, balance the book, state's book, state purse, state's purse,
		budget hole get deeper, public purse gap, new borrowing, new debt, afford it, can we afford it, kind to the budget, affordable,
		public purse, bill for the state, burden on the budget, net cost to the state`},
	{sim.DebtToGDP, `
		bankrupt the state, bankrupt the country, bankrupt the government, bankrupt the treasury, state bankruptcy, debt, public debt,
		government debt, national debt, debt ratio, debt to gdp, debt to gdp ratio, state debt, sovereign debt, debt level, indebtedness,
		debt burden, debt of the state, debt pile, debt mountain, government's debt, debt of the government, state's debt, country's debt,
		nation's debt, debt in relation to gdp, debt path, debt in relation to what we make, debt relative to what we make,
		what the state owe, state owe, how much the state owe, how deep the state be in debt, public iou, pile of debt, mountain of debt,
		debt relative to gdp, debt relative to output, debt compared with gdp, stand in debt, red figure, debt clock`},
	{sim.MoneyStock, `
		money supply, money stock, quantity of money, amount of money, money in circulation, stock of money, bank deposit, deposit`},
	{sim.CreditStock, `
		credit, lending, bank lending, credit stock, loan, credit volume, loan volume, borrowing, credit to firm, lending to firm,
		amount of credit, bank credit, volume of credit, credit supply, lend, loan to firm, business lending, stock of credit, stock of loan,
		corporate debt, firm debt, business loan, volume of lending, outstanding loan, outstanding credit, credit growth, loan book,
		how much bank lend, bank lend to firm, lend to firm, credit for firm, loan to business, credit flow, flow of credit, bank loan,
		bank lend less, bank lend more, debt of firm`},
	{sim.PolicyRate, `
		policy rate, interest rate, key rate, central bank rate, rate of the central bank, rate, central bank react, central bank, base rate,
		monetary policy, central bank do, central bank's reaction, reaction of the central bank, answer of the central bank,
		response of the central bank, central bank raise rate, central bank cut rate`},
	{sim.LoanRate, `
		loan rate, lending rate, borrowing cost, cost of credit, interest on loan, cost of borrowing, cost of loan, rate on loan,
		price of credit, loan interest rate, interest rate on loan, financing cost, what firm pay for loan, what firm pay for credit,
		price of loan, interest on credit`},
	{sim.Bankruptcies, `
		bankruptcy, bankrupt, insolvency, firm fail, firm failure, go bust, go under, business failure, company failure, firm go bust,
		go bankrupt, insolvent, default, corporate default, firm go under, company go bust, go to the wall, business fail, company fail,
		failed firm, failing firm, firm collapse, corporate bankruptcy, company go under, firm bankruptcy, go belly up, wave of bankruptcy,
		more firm go bust, more firm go under, fewer firm go bust, firms' failure, bankruptcies of firm, firm go to the wall, firm fold,
		firm close, firm shut, firm shut down, shop close, shop close down, shop shut, fail, shut their door, firm die, firm death,
		how many firm go, firm that fail, firm that go under, corporate failure, shutter, how many firm close, how many firm fail,
		how many firm go bust, how many firm go under, how many firm die, how many firm fold`},
	{sim.FirmEntries, `
		new firm, firm entry, start up, startup, founding, business creation, new business, new company, entry of firm, founding of firm,
		entrepreneurship, business formation, entrepreneur, number of start up, number of new firm`},
	{sim.FirmExits, `
		firm exit, closure, business closure, firm closure, exit of firm, shutdown of firm, shop closure, company closure, firms that close,
		close their door, close down, firm close, more firm close, shop close`},
	{sim.FirmCount, `
		number of firm, number of company, number of business, how many firm, how many company, number of enterprise, business number,
		how many firm be left`},
	{sim.HHI, `
		concentration, market concentration, hhi, industry concentration, herfindahl, herfindahl index, market share of the largest firm,
		monopolization, market structure, big firm, superstar firm, monopoly, number of competitor`},
	{sim.MarkUp, `
		profit margin, profit, margin, mark up, markup, corporate profit, market power, firm's profit, profitability, firms' margin,
		price over cost, business profit, bottom line, monopoly power, profits, what firm earn, firm's earnings, owner's take, what firm make,
		what owner make, earnings of firm, price margin, return on capital, owner gain, firm earn less, firm earn more, shareholder gain`},
	{sim.CapacityUtilisation, `
		capacity utilization, utilization, use of capacity, idle capacity, spare capacity, utilization of capacity, capacity use,
		idle machine, slack, factories run, utilization rate, how busy factory be, factory be busy, idle factory, factories stand idle,
		machine stand idle, idle plant`},
	{sim.LabourProductivity, `
		productivity, labor productivity, productivity growth, output per worker, efficiency, output per hour, productive,
		productivity of worker, output per head, productivity of labor, efficiency of production, what one worker make,
		how much one worker make, how much more one worker make, output of a worker, what a worker produce, what a worker turn out,
		how much a worker produce, how much each worker produce, how much each worker make, what each worker produce, more productive`},
	{sim.InnovationEvents, `
		innovation, invention, new product, technical progress, number of innovation, innovate, innovative, innovative activity, breakthrough,
		technological progress, new idea, pace of innovation, innovation activity, rate of innovation, number of invention, technology,
		innovativeness`},
	{sim.Exports, `
		export, exporter, export volume, sell abroad, sale abroad, export industry, foreign sale, export sector, export business, export sale,
		our export, competitiveness, competitive, goods we sell abroad, what we sell abroad, sell to the world, sell to foreigner,
		our goods abroad`},
	{sim.Imports, `
		import, importer, import volume, purchase from abroad, foreign goods, buy from abroad, imported goods, import bill, imports of goods,
		what we buy abroad, what we bring in, goods we buy abroad, goods from abroad, bring in from abroad`},
	{sim.CurrentAccount, `
		current account, trade balance, trade deficit, trade surplus, external balance, balance of trade, balance of payments,
		current account balance, current account deficit, current account surplus, net export, foreign balance, trade gap, external deficit,
		current account to gdp`},
	{sim.NetForeignPosition, `
		net foreign position, foreign debt, external debt, foreign asset, net foreign asset, debt abroad, external position,
		net external position`},
	{sim.ExchangeRate, `
		exchange rate, currency, value of the currency, value of money abroad, currency value, external value, depreciation, devaluation,
		depreciate, appreciate, appreciation, strength of the currency`},
	{sim.ImportPriceIndex, `import price, price of import, price of imported goods, import cost, price of foreign goods`},
	{sim.AIAdoptionShare, `
		ai adoption, adoption, spread of ai, use of ai, adoption of ai, ai use, ai spread, uptake of ai, spread of the technology,
		share of firm that use ai, slow it, slow ai, ai, automation, diffusion of ai, adoption of artificial intelligence,
		number of firm that use ai`},
	{sim.JobGuaranteeEmployment, `
		how many would take it, how many will take it, how many take it, how many take it up, how many would sign up, how many sign up,
		how many would join, take up of the guarantee, people in the program, people in the public program, job guarantee employment,
		size of the program, enroll`},
	{sim.Emissions, `
		emission, co2, climate, pollution, carbon emission, greenhouse gas, greenhouse gas emission, environment, carbon footprint,
		co2 emission, carbon, decarbonization, emission of greenhouse gas, air quality, dirty production, planet, smoke, exhaust,
		dirt in the air, dirty air, clean air, cleaner air, the air, air, muck in the air`},
	{sim.BankFailures, `
		bank failure, bank fail, failed bank, bank run, failing bank, bank go bust, bank go under, financial stability, bank collapse,
		bank insolvency, banking crisis, fewer bank fail, bank bankruptcy, stability of bank, stability of the banking system, bank crash,
		failure of bank, banks in trouble, financial crisis, how safe be bank, safe, safer, bank be safer, bank go down, bank topple,
		bank topple over, bank be in danger, bank survive, bank hold up`},
	{sim.BankEquity, `
		bank equity, bank capital, equity of bank, bank profit, bank's balance sheet, bank balance sheet, capital of bank, banks' equity,
		profit of bank, banks' profit, health of bank`},
	{sim.Population, `
		population, number of inhabitant, number of household, population size, headcount of the country, size of the population,
		how many people live here, number of people in the country`},
}

// englishPlaces are words for presets that a question is set in; after "in", "during", "while" and the
// like, or where something else happens. Those whose levers are named are what happens where nothing else does.
var englishPlaces = []struct{ place, levers, words string }{
	{"de_like", "", `germany, german, german economy, federal republic, germans`},
	{"us_like", "", `
		usa style economy, usa style, america, the us, usa, united states, american, american economy, us economy, the states,
		united states of america, americans, u.s.`},
	{"at_like", "", `austria, austrian, austrian economy, austrians`},
	{"cn_like", "", `china, chinese, chinese economy, people's republic, people republic of china`},
	{"baseline", "", `
		baseline economy, the baseline, baseline scenario, standard economy, default economy, calibrated economy, reference economy,
		base case, baseline preset, standard scenario, baseline`},
	{"demand_slump", "", `
		recession, slump, downturn, deep recession, economic downturn, economic slump, hard times, bad times, demand slump,
		slack economy, economy in recession, slowdown, economic slowdown, economy shrink, deep downturn, severe recession,
		lean times, bust, economy slump, depression, economic trouble, demand slump preset, sharp recession, mild recession,
		economic contraction, weak economy, slump in demand`},
	{"crisis", "", `
		crisis, crisis preset, financial crisis, banking crisis, economic crisis, crisis scenario, great recession, deep crisis,
		big crisis, financial crash, crash, financial meltdown, meltdown`},
	{"credit_crunch", "", `credit crunch, credit squeeze, credit crunch preset, credit crisis, credit freeze`},
	{"pandemic", "", `
		pandemic, epidemic, covid, lockdown, corona, virus, covid 19, shutdown, plague, pandemic preset, contagion,
		disease outbreak, covid pandemic, outbreak`},
	{"oil_shock", "", `oil shock, oil shock preset, oil crisis, energy crisis, oil price shock, energy price shock`},
	{"trade_war", "", `trade war, tariff war, trade war preset, trade conflict, trade dispute`},
	{"ai_wave", "", `
		artificial intelligence be spread, ai be spread, artificial intelligence spread from firm to firm,
		ai spread from firm to firm, artificial intelligence be spread from firm to firm, ai be spread from firm to firm, ai wave,
		wave of ai, ai spread, spread of ai, ai wave preset, wave of automation, automation wave, rise of ai, ai boom,
		ai revolution, ai advance, ai wave roll over us, wave of artificial intelligence, artificial intelligence spread,
		ai take hold, rise of artificial intelligence, ai roll out, ai transition, wave of robot, robot spread,
		robot spread through the economy, automation spread, ai age, age of ai, ai transform, ai era, age of robot, ai take over,
		robots take over, spread of artificial intelligence, ai spread through the economy, age of automation`},
	{"ai_adoption", "", `
		ai adoption preset, ai everywhere at once, ai everywhere, economy where ai be everywhere, world where ai be everywhere`},
	{"green_transition", "", `
		green transition, energy transition, climate package, green deal, green new deal, green transition preset,
		climate transition`},
	{"high_tax", "", `
		high tax preset, high tax country, high tax economy, high tax scenario, high tax, country with high tax,
		economy with high tax`},
	{"low_tax", "", `
		low tax preset, low tax country, low tax economy, low tax scenario, low tax, country with low tax, economy with low tax`},
	{"austerity", "", `austerity preset, age of austerity, years of austerity, austerity scenario, time of austerity`},
	{"ubi", "", `ubi preset, basic income preset, economy with a basic income`},
}

// englishGroups are words for parts of the population: what money can be paid to, and the group of outcomes.
var englishGroups = []struct{ payee, outcome, words string }{
	{"all", "", `
		everyone, everybody, every household, each household, all household, every citizen, each citizen, all citizen, every person,
		each person, every adult, every grown-up, each grown-up, each adult, all adult, every family, each family, all family,
		the whole population, all of us, every inhabitant, each inhabitant, all inhabitant, citizen, household, the population,
		everyone in the country, every single household, every resident, each resident, all resident, people,
		everybody in the country, the public, all people, each of us, every one of us, anyone, household of the country,
		rich and poor alike, family, helicopter money, stimulus check, consumption voucher, cash handout, stimulus payment,
		shopping voucher`},
	{"bottom_decile", "bottom_tenth", `
		poorest tenth, bottom tenth, poorest 10 percent, bottom 10 percent, poorest ten percent, bottom ten percent, lowest tenth,
		bottom decile, lowest decile, poorest decile, poorest 10%, bottom 10%, poorest 10 % of household,
		poorest tenth of household, poorest tenth of the population, bottom tenth of household, lowest tenth of household,
		poorest tenth of people, poorest tenth of family, bottom decile of household, bottom tenth of the population,
		lowest income decile, bottom income decile, lowest income tenth, tenth with the lowest income,
		household in the bottom tenth, household in the bottom decile, household in the lowest tenth,
		household in the poorest tenth, lowest earning tenth, poorest tenth of the country`},
	{"", "bottom_fifth", `
		poorest fifth, bottom fifth, lowest fifth, poorest 20 percent, bottom 20 percent, bottom quintile, lowest quintile,
		poorest quintile, poorest fifth of household, poorest fifth of the population, bottom 20%, poorest 20%,
		bottom fifth of household, household in the bottom fifth, fifth with the lowest income`},
	{"", "top_tenth", `
		the rich, rich, wealthy, the wealthy, well off, the well off, high earner, rich people, rich household, millionaire,
		richest tenth, top tenth, top 10 percent, richest 10 percent, top decile, highest tenth, richest decile, top 10%,
		richest 10%, richest tenth of household, wealthiest tenth, top ten percent, richest ten percent`},
	{"", "top_fifth", `
		richest fifth, top fifth, top 20 percent, richest 20 percent, top quintile, highest fifth, highest quintile, top 20%,
		richest 20%, wealthiest fifth`},
	{"unemployed", "unemployed", `
		the unemployed, unemployed person, unemployed people, jobless people, the jobless, everyone out of work, people out of work,
		everybody out of work, those out of work, each person without work, people without work, every unemployed person,
		each unemployed person, all unemployed, every jobless person, each jobless person, those without work, those without a job,
		anyone out of work, person without work, person out of work, unemployed household, jobless household, job seeker,
		everyone without a job, everyone who be out of work, everyone who have no job, jobless worker, unemployed worker,
		unemployed, jobless, everybody without work, everyone without work, everyone who lose their job, every unemployed,
		each unemployed, anyone without a job, whoever be out of work, those who have lost their job,
		people who have lost their job, people with no job, those with no job, people without a job, anyone who be out of work,
		person without a job, everyone who be unemployed, household out of work, anyone unemployed, everyone unemployed,
		those who be out of work`},
	{"retired", "retired", `
		pensioner, the retired, retiree, the elderly, retired people, retired person, retired household, old people, senior,
		senior citizen, those in retirement, old age pensioner, every pensioner, each pensioner, all pensioner, every retiree,
		elderly people, the old, people in retirement, every retired person, each retired person, everyone in retirement,
		every retired household, each retired household, elderly person, grandparent, everyone over 65, everybody over 65,
		people over 65, those over 65, anyone over 65, all over 65`},
	{"banks", "", `the banks, bank, every bank, each bank, banking sector`},
	{"", "employed", `the employed, people with a job, people in work, working people, worker with a job`},
	{"", "low_skill", `
		low skilled, low skilled worker, unskilled worker, low skill worker, the unskilled, low skill, less skilled worker,
		low paid, the low paid, low paid worker, low wage worker, low earner, low income`},
	{"", "high_skill", `
		high skilled, high skilled worker, skilled worker, high skill worker, highly skilled, high skill, highly skilled worker`},
	{"", "young", `
		young people, the young, young worker, young adult, youth, young household, younger worker, younger people, the under 30`},
	{"", "middle_fifth", `middle class, the middle, middle fifth, middle income household, middle income, the middle class`},
}

// englishIndustries are words for the industries of the economy.
var englishIndustries = []struct{ code, words string }{
	{"01", `
		food, grocery, bread, food industry, foodstuff, what people eat, milk, vegetable, meat, groceries, food producer,
		food sector, fruit, food maker, food and drink, basic food, staple food, staple`},
	{"02", `
		alcohol, tobacco, cigarette, beer, wine, alcohol and tobacco, tobacco and alcohol, liquor, drink and tobacco, brewery,
		spirits, smoking`},
	{"03", `
		clothing, clothes, textile, fashion, garment, shoe, clothes and shoe, clothing and shoe, footwear, clothing industry,
		textile industry, clothing and footwear`},
	{"04", `
		housing, rent, electricity, heating, housing and energy, water and electricity, housing and electricity,
		housing and heating, rent and heating, rent and electricity, utility, housing sector, power supply, home heating,
		power station, power plant`},
	{"05", `
		furniture, appliance, household appliance, furniture and appliance, furnishing, white goods, furniture maker,
		furniture industry`},
	{"06", `
		health care, healthcare, medicine, health, health sector, hospital, doctor, pharmacy, drug, health service, medical care,
		medical service, pharmaceutical`},
	{"07", `
		transport, car, air travel, airline, transport sector, public transport, car industry, transport industry, car maker,
		railway, train, bus, taxi, motor industry, flight, aviation, vehicle, car sector, bus and train, transportation`},
	{"08", `
		telecom, communication, internet service, telecommunication, phone, mobile phone, telephone, communications sector,
		telecom sector, telecom industry, phone and internet`},
	{"09", `
		culture, recreation, book, cinema, entertainment, culture and recreation, recreation and culture, leisure, theater, theatre,
		sport and culture, concert, music, game, newspaper, museum, cinema and theater, leisure industry`},
	{"10", `education, school fee, tuition, schooling, private school, tuition fee, education sector, private education`},
	{"11", `
		restaurant, hotel, tourism, hospitality, restaurant and hotel, hotel and restaurant, bar and restaurant, catering, pub,
		hospitality sector, hospitality industry, pub and restaurant, café, cafe, restaurant meal, eating out, tourist trade,
		hotel industry, restaurants and bar, bar, hospitality trade, tourism industry, tourism sector, hotel trade, inn`},
	{"12", `insurance, hairdresser, personal care, other services, personal service`},
}
