package emulator

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Variances says how the variance of an output over replications changes with the point: its log is linear. Two or three replications
// hardly tell a variance; all points together do.
type Variances struct {
	coef []float64 // of 1 and the point; nil = no variance
}

// pull is the weight of the prior that the variance is the same everywhere, in degrees of freedom for a squared slope of 1.
const pull = 2

// FitVariances fits variances of replications at points, each with so many degrees of freedom, by the gamma likelihood that they have
// where outputs are normal, with a pull to slopes of 0 (Davidian and Carroll 1987, "Variance Function Estimation", JASA 82(400)).
func FitVariances(x [][]float64, variance []float64, freedom []float64) (*Variances, error) {
	if len(x) != len(variance) || len(x) != len(freedom) || len(x) == 0 {
		return nil, fmt.Errorf("emulator: %d points, %d variances and %d degrees of freedom do not fit together", len(x), len(variance),
			len(freedom))
	}
	sum, of := 0., 0.
	for i, v := range variance {
		sum, of = sum+freedom[i]*v, of+freedom[i]
	}
	if sum == 0 {
		return &Variances{}, nil
	}
	p := len(x[0]) + 1
	coef := make([]float64, p)
	coef[0] = math.Log(sum / of)
	for range 50 {
		information, score := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
		for i, at := range x {
			row := append([]float64{1}, at...)
			eta := 0.
			for k := range row {
				if k > 0 {
					row[k] -= .5 // so that the constant is the middle of the cube
				}
				eta += coef[k] * row[k]
			}
			ratio := variance[i] / math.Exp(eta)
			for k := range row {
				score.SetVec(k, score.AtVec(k)+freedom[i]/2*(ratio-1)*row[k])
				for l := range k + 1 {
					information.SetSym(k, l, information.At(k, l)+freedom[i]/2*row[k]*row[l])
				}
			}
		}
		for k := 1; k < p; k++ {
			score.SetVec(k, score.AtVec(k)-pull*coef[k])
			information.SetSym(k, k, information.At(k, k)+pull)
		}
		var chol mat.Cholesky
		var step mat.VecDense
		if !chol.Factorize(information) || chol.SolveVecTo(&step, score) != nil {
			return nil, errNotPositive
		}
		largest := 0.
		for k := range p {
			move := min(max(step.AtVec(k), -1), 1) // Fisher's scoring may overshoot where a variance is far off
			coef[k] += move
			largest = max(largest, math.Abs(move))
		}
		if largest < 1e-9 {
			break
		}
	}
	return &Variances{coef}, nil
}

// At is the variance of one replication at a point.
func (v *Variances) At(x []float64) float64 {
	if v.coef == nil {
		return 0
	}
	eta := v.coef[0]
	for k, a := range x {
		eta += v.coef[k+1] * (a - .5)
	}
	return math.Exp(eta)
}
