package stats_test

import (
	"math"
	"testing"
)

// Data sets that come with R, so that anyone can repeat the reference values.
var (
	// R 4.2.2: cat(Nile), the flow at Aswan, 1871-1970
	nile = []float64{
		1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180,
		799, 958, 1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833,
		701, 916, 692, 1020, 1050, 969, 831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845,
		864, 862, 698, 845, 744, 796, 1040, 759, 781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649,
		846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749, 838, 1050, 918, 986, 797, 923, 975, 815,
		1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740,
	}
	// R 4.2.2: cat(islands), the areas of the world's major landmasses
	islands = []float64{
		11506, 5500, 16988, 2968, 16, 184, 23, 280, 84, 73, 25, 43, 21, 82, 3745, 840, 13, 30, 30, 89,
		40, 33, 49, 14, 42, 227, 16, 36, 29, 15, 306, 44, 58, 43, 9390, 32, 13, 29, 6795, 16, 15, 183,
		14, 26, 19, 13, 12, 82,
	}
	// R 4.2.2: cat(sleep$extra), hours gained by ten patients with two drugs
	// (the example of Student, 1908)
	drug1 = []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	drug2 = []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	// R 4.2.2: cat(women$height); cat(women$weight)
	height = []float64{58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72}
	weight = []float64{115, 117, 120, 123, 126, 129, 132, 135, 139, 142, 146, 150, 154, 159, 164}
	// R 4.2.2: with(PlantGrowth, tapply(weight, group, cat)), dried weights of plants
	plants1 = []float64{4.17, 5.58, 5.18, 6.11, 4.5, 4.61, 5.17, 4.53, 5.33, 5.14}
	plants2 = []float64{4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69}
	plants3 = []float64{6.31, 5.12, 5.54, 5.5, 5.37, 5.29, 4.92, 6.15, 5.8, 5.26}
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
	// Three times 0.1 does not add up to 0.3: the mean of equal values rounds.
	equal = []float64{0.1, 0.1, 0.1}
)

// checkNear accepts a relative error of 1e-10, an absolute one near zero, and
// NaN where NaN is wanted.
func checkNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(want) {
		if !math.IsNaN(got) {
			t.Errorf("%s = %v, want NaN", what, got)
		}
		return
	}
	if got != want && !(math.Abs(got-want) <= 1e-10*max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}
