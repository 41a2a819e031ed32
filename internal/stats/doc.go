// Package stats computes the statistics of experiments and their validation. Of control and
// treatment, with one number for each replication in a and b:
//
//	                pairs that share their draws          independent replications
//	mean            PairedTTest                           WelchTTest
//	ranks           WilcoxonSignedRank                    BrunnerMunzel
//	rearrangement   SignFlip                              Permutation
//	effect size     HedgesGZ                              HedgesG, VarghaDelaneyA
//	equivalence     PairedTOST                            WelchTOST
//	interval        PairedInterval,                       WelchTTest,
//	                PairedBootstrapInterval               IndependentBootstrapInterval
//	many outcomes   PairedRomanoWolf                      WelchRomanoWolf, BrunnerMunzelRomanoWolf
//	paths           PairedBand                            WelchBand
//	power           PairedPower, PairedReplications       WelchPower, WelchReplications
//
// Holm and BenjaminiHochberg adjust the p-values of any of them; SignedRanks bring the ranks
// to Romano and Wolf. SmallestPairedP and SmallestIndependentP say what rearrangements of few
// replications can find at all. VarianceReduction says what
// pairs have gained, MoreReplications when to stop. Replications are independent and the
// months of one are not: what speaks of a single long series is MSER5, ADF, KPSS and
// the tests after Grazzini.
//
// Numbers go in and numbers come out; the package knows no economics, keeps no
// state and never changes its arguments. All tests are two-sided but where they say
// otherwise, and all differences are b less a. What draws at random takes the source as its
// argument: the same source gives the same result. A source may be nil where a docstring
// says that the result is exact.
//
// A result that the data do not define is NaN and never a panic: too few observations, no
// variation where some is divided by, or an option outside its range. Only the statistic of
// a difference without any scatter is infinite. Observations must be finite; a NaN or an
// infinity among them makes the result NaN. The only panics are for arguments that must
// match in length and do not, and for a missing source, which are mistakes in the calling code.
package stats
