package extract

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// refereeWeights says how much each sign counts.
type refereeWeights map[string]float64

//go:embed weights.json
var weightsFile []byte

var weights = func() refereeWeights {
	var w refereeWeights
	if err := json.Unmarshal(weightsFile, &w); err != nil {
		panic("weights.json: " + err.Error())
	}
	return w
}()

// probability is how likely a reading with these signs is the right one.
func (w refereeWeights) probability(s Features) float64 {
	sum := 0.0
	for _, name := range slices.Sorted(maps.Keys(s)) { // sums of fractions depend on their order
		sum += w[name] * s[name]
	}
	return 1 / (1 + math.Exp(-sum))
}
