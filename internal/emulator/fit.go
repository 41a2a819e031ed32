package emulator

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Settings say how a process is fitted; the zero value is Matérn 5/2 with a linear trend.
type Settings struct {
	Kernel Kernel
	Trend  Trend
	Starts int     // of the search for the parameters of the kernel; 0 = 4
	Loose  float64 // by which the penalty of these parameters is divided; 0 = 1
	Seed   uint64  // of the random starts
}

// The penalty is a normal prior of the log of each parameter, of outputs that are scaled to a variance of 1: lengths of about the
// diagonal of the cube, within a factor of 20 or so, a variance of 1, a nugget of a hundredth of it. Where points are few, the
// likelihood alone lets lengths run away (Andrianakis and Challenor 2012, Computational Statistics & Data Analysis 56(12)).
const (
	lengthSpread   = 1.5
	varianceSpread = 2
	usualNugget    = 1e-2
	nuggetSpread   = 2
)

// searchIterations bounds a search; it is at its end long before.
const searchIterations = 100

// leastPoints is how many points a fit needs beyond the coefficients of its trend.
const leastPoints = 4

// Fit finds the parameters of the kernel by penalised restricted likelihood, from several starts, and conditions on the data. Points are
// of the unit cube. The same arguments give the same process.
func Fit(data Data, s Settings) (*GP, error) {
	n := len(data.X)
	if n == 0 || len(data.Y) != n || data.Noise != nil && len(data.Noise) != n {
		return nil, fmt.Errorf("emulator: %d points, %d outputs and %d variances do not fit together", n, len(data.Y), len(data.Noise))
	}
	d := len(data.X[0])
	if need := len(s.Trend.row(data.X[0])) + leastPoints; n < need {
		return nil, fmt.Errorf("emulator: %d points are too few, %d are needed", n, need)
	}
	mean, scale := meanSD(data.Y)
	if s.Trend == None {
		mean = 0
	}
	if scale == 0 {
		scale = 1 // the output is the same everywhere: any process says so
	}
	scaled := Data{X: data.X, Y: make([]float64, n), Noise: make([]float64, n)}
	for i := range n {
		scaled.Y[i] = (data.Y[i] - mean) / scale
		if data.Noise != nil {
			scaled.Noise[i] = data.Noise[i] / (scale * scale)
		}
	}
	f := &fit{data: scaled, Settings: s, loose: s.Loose, usual: make([]float64, d+2), spread: make([]float64, d+2)}
	if f.loose == 0 {
		f.loose = 1
	}
	for k := range d {
		f.usual[k], f.spread[k] = math.Log(math.Sqrt(float64(d))), lengthSpread
	}
	f.usual[d], f.spread[d] = 0, varianceSpread
	f.usual[d+1], f.spread[d+1] = math.Log(usualNugget), nuggetSpread
	at, err := f.search()
	if err != nil {
		return nil, err
	}
	p := f.parameters(at)
	p.Variance, p.Nugget = p.Variance*scale*scale, p.Nugget*scale*scale
	return Given(data, s.Kernel, s.Trend, p)
}

// fit is a search for parameters of a kernel, in logs: lengths, variance, nugget.
type fit struct {
	Settings
	data          Data
	loose         float64
	usual, spread []float64
}

func (f *fit) parameters(at []float64) Parameters {
	d := len(at) - 2
	p := Parameters{Lengths: make([]float64, d), Variance: math.Exp(at[d]), Nugget: math.Exp(at[d+1])}
	for k := range d {
		p.Lengths[k] = math.Exp(at[k])
	}
	return p
}

// beyond is where a search has left what numbers can tell.
const beyond = 20

// value is minus the penalised likelihood, with its gradient where one is wanted.
func (f *fit) value(at, gradient []float64) float64 {
	penalty := 0.
	for k, a := range at {
		if math.Abs(a-f.usual[k]) > beyond || math.IsNaN(a) {
			return math.Inf(1)
		}
		z := (a - f.usual[k]) / f.spread[k]
		penalty += z * z / 2 / f.loose
	}
	p := f.parameters(at)
	g, err := Given(f.data, f.Kernel, f.Trend, p)
	if err != nil {
		return math.Inf(1)
	}
	if gradient != nil {
		f.gradient(g, p, gradient)
		for k, a := range at {
			gradient[k] += (a - f.usual[k]) / (f.spread[k] * f.spread[k]) / f.loose
		}
	}
	return penalty - g.LogLikelihood
}

// gradient is that of minus the likelihood: half of tr(Q dK) - (Qy)ᵀ dK (Qy), as of Rasmussen and Williams (2006), equation 5.9,
// with Q in the place of K⁻¹.
func (f *fit) gradient(g *GP, p Parameters, into []float64) {
	n, d := len(f.data.X), len(p.Lengths)
	for k := range into {
		into[k] = 0
	}
	q := g.q.RawMatrix()
	for i := range n {
		own := (q.Data[i*q.Stride+i] - g.qy[i]*g.qy[i]) / 2
		into[d] += own * p.Variance * (1 + leastNoise)
		into[d+1] += own * p.Nugget
		for j := range i {
			both := q.Data[i*q.Stride+j] - g.qy[i]*g.qy[j] // twice a half
			c, slope := f.Kernel.at(g.squared(f.data.X[i], f.data.X[j]))
			into[d] += both * p.Variance * c
			slope *= both * p.Variance
			for k, l := range p.Lengths {
				part := (f.data.X[i][k] - f.data.X[j][k]) / l
				into[k] += slope * part * part
			}
		}
	}
}

// search begins at the usual parameters and at random ones.
func (f *fit) search() (best []float64, err error) {
	starts, random := f.Starts, rand.New(rand.NewPCG(f.Seed, 0x656d756c61746f72))
	if starts == 0 {
		starts = 4
	}
	lowest := math.Inf(1)
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return f.value(x, nil) },
		Grad: func(grad, x []float64) { f.value(x, grad) },
	}
	for start := range starts {
		at := make([]float64, len(f.usual))
		for k := range at {
			at[k] = f.usual[k]
			if start > 0 {
				at[k] += f.spread[k] * (2*random.Float64() - 1)
			}
		}
		if math.IsInf(f.value(at, nil), 1) {
			continue
		}
		// A search that its line search gave up is at a place as good as it found: the result counts, not why it ended.
		r, _ := optimize.Minimize(problem, at, &optimize.Settings{MajorIterations: searchIterations, GradientThreshold: 1e-5}, &optimize.BFGS{})
		if r != nil && r.F < lowest {
			lowest, best = r.F, r.X
		}
	}
	if best == nil {
		return nil, errNotPositive
	}
	return best, nil
}

func meanSD(x []float64) (mean, sd float64) {
	v := mat.NewVecDense(len(x), x)
	mean = mat.Sum(v) / float64(len(x))
	for _, a := range x {
		sd += (a - mean) * (a - mean)
	}
	return mean, math.Sqrt(sd / float64(len(x)))
}
