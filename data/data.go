// Package data holds what is known of real economies: series, each with the mapping by which they are read and a
// text that says where they are from and on which terms, and tables of facts with their sources.
package data

import _ "embed"

// USQuarterly are quarters of the United States, 1959 to 2014, from FRED-QD (McCracken and Ng 2020); see
// us_quarterly_to_2014Q4.md.
var (
	//go:embed us_quarterly_to_2014Q4.csv
	USQuarterly []byte
	//go:embed us_quarterly_to_2014Q4.yaml
	USQuarterlyMapping []byte
)

// Facts with their bands and sources.
var (
	//go:embed micro.yaml
	Micro []byte // of firms and households
	//go:embed responses.yaml
	Responses []byte // to policy and shocks
)
