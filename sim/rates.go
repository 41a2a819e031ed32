package sim

// rates are what the central bank, banks and policy set for the month: interest rates,
// shares a year, the supply of credit, and wages, benefits and taxes in money.
type rates struct {
	deposit, loan float64           // before the firm's own premium
	real          float64           // policy rate - expected inflation
	creditFactor  [MaxBanks]float64 // how much of a firm's credit line its bank grants
	minimumWage   float64           // subunits a month per worker
	allowance     float64           // untaxed wage, subunits a month
	basicIncome   int64             // subunits a month per household or adult
	pool          int64             // redistributed in the month, subunits
	minimumIncome float64           // guaranteed by means-tested benefits, subunits a month
	jobGuarantee  int64             // wage in the public employment programme, subunits a month
	incomeTax     float64           // with the factor of the debt rule and surcharges
	brackets      []Rate            // of the wage tax: thresholds in subunits, rates as incomeTax
	subsidyLimit  float64           // highest wage that is subsidised, subunits a month; 0 = none
	researchers   float64           // share of public research in public employment
	contribution  float64           // to pensions, share of the wage
	productivity  float64           // three-year growth of productivity, a year
	premium       float64           // mean premium of firms, by labour, log
	premiumStep   float64           // its change in the month at given labour
}
