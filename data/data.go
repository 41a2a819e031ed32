// Package data holds series of real economies, each with the mapping by which they are read and a text that
// says where they are from and on which terms.
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
