package match

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
)

// Decision says whether the two records of a pair are one thing, how likely, and by what.
type Decision struct {
	Same  bool     `json:"same"`
	Score float64  `json:"score"`
	Why   []string `json:"why"`
}

// Weights say how much each sign of Table counts; one is that of a pair without any.
type Weights struct {
	One   float64
	Signs [signCount]float64
}

//go:embed weights.json
var weightsFile []byte

var shipped = func() Weights {
	var named map[string]float64
	if err := json.Unmarshal(weightsFile, &named); err != nil {
		panic("weights.json: " + err.Error())
	}
	w := Weights{One: named["one"]}
	for i, sign := range Table {
		w.Signs[i] = named[sign.Name]
	}
	return w
}()

// Judge judges every pair by the weights that ship with the product. What else is in the input
// counts: words that many of its records have say little, and where one of the two records fits
// another one better, this pair is less likely.
func Judge(pairs []Pair) []Decision {
	compared := Compare(pairs)
	shipped.FindBetter(compared)
	verdicts := make([]Decision, len(compared))
	for i, c := range compared {
		likely := 1 / (1 + math.Exp(-shipped.Sum(c.Values)))
		verdicts[i] = Decision{Same: likely >= 0.5, Score: math.Round(likely*1000) / 1000, Why: c.why()}
	}
	return verdicts
}

// Sum is the logarithm of the odds that two records with these signs are one thing.
func (w Weights) Sum(signs [signCount]float64) float64 {
	sum := w.One
	for i, value := range signs {
		sum += w.Signs[i] * value
	}
	return sum
}

// Compared is a pair with its signs; A and B number the records, the same for equal ones.
type Compared struct {
	Signs
	A, B int
}

// Compare compares every pair; how rare a word is, is counted over the records of all of them.
func Compare(pairs []Pair) []Compared {
	known := map[string]int{}
	var all []*prepared
	get := func(r Fields) int {
		p := prepare(r)
		if was, ok := known[p.key]; ok {
			return was
		}
		known[p.key] = len(all)
		all = append(all, p)
		return len(all) - 1
	}
	compared := make([]Compared, len(pairs))
	for i, pair := range pairs {
		compared[i].A, compared[i].B = get(pair.A), get(pair.B)
	}
	r, count := rarityOf(all), distinct(all)
	for _, p := range all {
		p.weigh(r)
		p.findName(count)
	}
	for i, c := range compared {
		compared[i].Signs = signsOf(all[c.A], all[c.B], r)
	}
	return compared
}

// clearly is by how much the logarithm of the odds of another pair is higher where there is no
// doubt that it fits better.
const clearly = 5

// FindBetter marks the pairs one of whose records fits another one better: within a source a
// thing is rarely listed twice.
func (w Weights) FindBetter(compared []Compared) {
	best, sums := map[int]float64{}, make([]float64, len(compared))
	for i, c := range compared {
		c.Values[betterPair] = 0
		sums[i] = w.Sum(c.Values)
		for _, record := range []int{c.A, c.B} {
			if was, known := best[record]; !known || sums[i] > was {
				best[record] = sums[i]
			}
		}
	}
	for i, c := range compared {
		better := max(best[c.A], best[c.B]) - sums[i]
		compared[i].Values[betterPair] = min(1, better/clearly)
	}
}

// why names what was compared; what was not there to compare is not named.
func (c Compared) why() []string {
	why := []string{}
	for _, n := range c.notes {
		why = append(why, n.String())
	}
	if c.Values[betterPair] >= 0.2 {
		why = append(why, "another record of the input fits better")
	}
	if len(why) == 0 {
		why = append(why, "nothing to compare")
	}
	return why
}

func two(share float64) string { return fmt.Sprintf("%.2f", share) }
