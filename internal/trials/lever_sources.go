package trials

// leverReferences are the works that the sources of expectations name.
const leverReferences = `
## References

Acemoglu and Restrepo (2018), *AER* 108(6); (2020), *JPE* 128(6). Aghion and Howitt (1992),
*Econometrica* 60(2). Amiti, Redding and Weinstein (2019), *Journal of Economic Perspectives*
33(4). Andersson (2019), *AEJ: Economic Policy* 11(4). Atkinson, Piketty and Saez (2011), *JEL*
49(1). Autor, Manning and Smith (2016), *AEJ: Applied Economics* 8(1). Barsky and Sims (2012),
*AER* 102(4). Basu, Fernald and Kimball (2006), *AER* 96(5). Benedek, de Mooij, Keen and Wingender
(2020), *International Tax and Public Finance* 27. Blanchard and Perotti (2002), *QJE* 117(4).
Blanchflower and Oswald (1994), *The Wage Curve*. Bloom, Guvenen, Smith, Song and von Wachter
(2018), *AEA Papers and Proceedings* 108. Bloom, Van Reenen and Williams (2019), *Journal of
Economic Perspectives* 33(3). Burdett and Judd (1983), *Econometrica* 51(4). Burnside, Eichenbaum
and Rebelo (1993), *JPE* 101(2). Carroll (1997), *QJE* 112(1). Cashin and Unayama (2016), *Review
of Economics and Statistics* 98(2). Chetty (2008), *JPE* 116(2). Chodorow-Reich (2014), *QJE*
129(1). Christiano, Eichenbaum and Evans (1999), *Handbook of Macroeconomics* 1A; (2005), *JPE*
113(1). De Loecker, Eeckhout and Unger (2020), *QJE* 135(2). Dixit and Stiglitz (1977), *AER*
67(3). Djankov, Ganser, McLiesh, Ramalho and Shleifer (2010), *AEJ: Macroeconomics* 2(3). Dosi,
Fagiolo and Roventini (2010), *JEDC* 34(9). Eichenbaum and Evans (1995), *QJE* 110(4). Fajgelbaum,
Goldberg, Kennedy and Khandelwal (2020), *QJE* 135(1). Galí (1999), *AER* 89(1). Gilchrist and
Zakrajšek (2012), *AER* 102(4). Giupponi and Landais (2023), *Review of Economic Studies* 90(4).
Gropp, Mosk, Ongena and Wix (2019), *Review of Financial Studies* 32(1). Guajardo, Leigh and
Pescatori (2014), *Journal of the European Economic Association* 12(4). Katz (1998), in Freeman
and Gottschalk (eds), *Generating Jobs*. Katz and Meyer (1990), *Journal of Public Economics*
41(1). Kiyotaki and Moore (1997), *JPE* 105(2). Kroft, Lange, Notowidigdo and Katz (2016),
*Journal of Labor Economics* 34(S1). Lian and Ma (2021), *QJE* 136(1). Ljungqvist and Sargent
(1998), *JPE* 106(3). McCall (1970), *QJE* 84(1). Petrongolo and Pissarides (2001), *JEL* 39(2).
Pissarides (2000), *Equilibrium Unemployment Theory*. Ramey (2019), *Journal of Economic
Perspectives* 33(2). Romer and Romer (2010), *AER* 100(3). Taylor (1993), *Carnegie-Rochester
Conference Series* 39.
`
