package stats_test

import (
	"context"
	"testing"

	"econ-mcp/internal/stats"
)

// columns of numbers, one of each replication: outcomes, or months.
func columns(list ...[]float64) [][]float64 { return list }

// heads are the first numbers of columns.
func heads(list [][]float64, n int) (out [][]float64) {
	for _, x := range list {
		out = append(out, x[:n])
	}
	return out
}

func TestPairedRomanoWolf(t *testing.T) {
	// numpy 1.24.2 and scipy 1.10.1, with the data of data_test.go as columns of A and B:
	//	def step(obs, re):
	//	    order, p, m = np.argsort(-obs), np.zeros(len(obs)), 0
	//	    for i, k in enumerate(order):
	//	        m = max(m, (re[:, order[i:]].max(1) >= obs[k] * (1 - 1e-9)).mean()); p[k] = m
	//	    return p
	//	d = B - A; t = lambda d: abs(stats.ttest_1samp(d, 0).statistic)
	//	step(t(d), np.array([t(d * np.c_[list(s)]) for s in itertools.product([1, -1], repeat=10)]))
	a, b := columns(plants1, drug1, plants2, plants3), columns(plants2, drug2, plants3, plants1)
	got := stats.PairedRomanoWolf(context.Background(), a, b, nil)
	checkSeries(t, got, []float64{0.3515625, 0.01171875, 0.05078125, 0.197265625})

	// An outcome that does not count leaves the others as they are.
	none := make([]float64, 10)
	gap := append([]float64{nan}, plants1[1:]...)
	got = stats.PairedRomanoWolf(context.Background(),
		columns(none, plants1, drug1, plants2, gap, plants3),
		columns(none, plants2, drug2, plants3, plants2, plants1),
		nil,
	)
	checkSeries(t, got, []float64{nan, 0.3515625, 0.01171875, 0.05078125, nan, 0.197265625})

	// An outcome that is another one in other clothes costs nothing; Holm would double it.
	alone := stats.SignFlip(context.Background(), plants1, plants3, nil).P
	twice := make([]float64, 10)
	for i, v := range plants1 {
		twice[i] = 3*v - 2*plants3[i]
	}
	got = stats.PairedRomanoWolf(context.Background(), columns(plants1, twice), columns(plants3, plants3), nil)
	checkSeries(t, got, []float64{alone, alone})

	checkSeries(t, stats.PairedRomanoWolf(context.Background(), nil, nil, nil), nil)
}

func TestWelchRomanoWolf(t *testing.T) {
	// As above: X = np.r_[A[:6], B[:7]]
	//	w = lambda i: abs(stats.ttest_ind(np.delete(X, i, 0), X[list(i)], equal_var=False).statistic)
	//	step(w(range(6)), np.array([w(i) for i in itertools.combinations(range(13), 6)]))
	a, b := columns(plants1, drug1, plants2, plants3), columns(plants2, drug2, plants3, plants1)
	got := stats.WelchRomanoWolf(context.Background(), heads(a, 6), heads(b, 7), nil)
	checkSeries(t, got, []float64{0.4586247086247086, 0.34207459207459207, 0.09906759906759907, 0.34207459207459207})

	one := stats.WelchRomanoWolf(context.Background(), columns(plants1), columns(plants3), draws(1))
	near(t, "p of one outcome by draws", one[0], stats.Permutation(context.Background(), plants1, plants3, nil).P, .01)
	checkSeries(t, stats.WelchRomanoWolf(context.Background(), heads(a, 1), b, nil), []float64{nan, nan, nan, nan})
	checkSeries(t, stats.WelchRomanoWolf(context.Background(), nil, nil, nil), nil)
}

func TestBrunnerMunzelRomanoWolf(t *testing.T) {
	// R 4.2.2, with bm as in TestBrunnerMunzel, over all ways to choose 6 of 11
	scores1, scores2 := []float64{1, 2, 1, 1, 2, 1}, []float64{2, 4, 3, 3, 2}
	a, b := columns(plants1[:6], drug1[:6], scores1), columns(plants3[:5], drug2[:5], scores2)
	checkSeries(t, stats.BrunnerMunzelRomanoWolf(context.Background(), a, b, nil), []float64{0.32467532468, 0.32467532468, 0.04112554113})

	one := stats.BrunnerMunzelRomanoWolf(context.Background(), columns(scores1), columns(scores2), nil)
	checkNear(t, "p of one outcome", one[0], stats.BrunnerMunzel(context.Background(), scores1, scores2, nil).P)
	none := stats.BrunnerMunzelRomanoWolf(context.Background(), columns([]float64{1, 1, 1}), columns([]float64{1, 1}), nil)
	checkSeries(t, none, []float64{nan})
}
