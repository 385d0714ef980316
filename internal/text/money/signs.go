package money

import (
	_ "embed"
	"fmt"
	"strings"
)

// sign is a way in which people write a currency.
type sign struct {
	text  string
	codes string // the currencies that share it, by country; see shared
	use   use
}

// use says where a sign may stand for it to be believed.
type use int

const (
	anywhere use = iota
	prefix       // only before the amount
	suffix       // only behind it
	alone        // means other things in running text: only where the text is a price and little else
	cents        // a hundredth of the currency, behind the amount
)

//go:embed signs.txt
var signsFile string

// uses are the names of uses in signs.txt.
var uses = map[string]use{"anywhere": anywhere, "prefix": prefix, "suffix": suffix, "alone": alone, "cents": cents}

// signTable is what signs.txt says; its head tells how.
type signTable struct {
	signs  []sign
	shared map[string]map[string]string // the codes of a shared sign by country and language
}

// readSigns reads a table of signs line by line.
func readSigns(file string) (signTable, error) {
	t := signTable{shared: map[string]map[string]string{}}
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, list, listed := strings.Cut(line, ": ")
		kind, name, named := strings.Cut(head, " ")
		use, known := uses[kind]
		if !listed || !named || !known && kind != "shared" {
			return t, fmt.Errorf("money: %q is no line of signs", line)
		}
		for item := range strings.SplitSeq(list, ", ") {
			if known {
				t.signs = append(t.signs, sign{item, strings.TrimSuffix(name, "-"), use})
			} else if err := t.share(name, item); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// share adds a currency of a shared sign: its code and its places.
func (t signTable) share(name, item string) error {
	fields := strings.Fields(item)
	if len(fields) < 2 || len(fields[0]) != 3 {
		return fmt.Errorf("money: %q is no currency of %s with its places", item, name)
	}
	if t.shared[name] == nil {
		t.shared[name] = map[string]string{}
	}
	for _, place := range fields[1:] {
		t.shared[name][place] = fields[0]
	}
	return nil
}

// former are codes that are no longer in use but still on pages, with their digits.
var former = map[string]int{
	"BGN": 2, "HRK": 2, "DEM": 2, "FRF": 2, "ITL": 0, "ESP": 0, "PTE": 0, "ATS": 2, "BEF": 0, "LUF": 0, "NLG": 2, "FIM": 2,
	"GRD": 0, "IEP": 2, "LTL": 2, "LVL": 2, "EEK": 2, "SKK": 2, "SIT": 2, "MTL": 2, "CYP": 2, "CUC": 2, "ANG": 2, "SLL": 2,
	"ZWL": 2, "MRO": 2, "STD": 2, "VEF": 2, "BYR": 0, "TRL": 0, "ROL": 2, "RUR": 2, "ZMK": 2, "GHC": 2, "AZM": 2, "MZM": 2,
	"TMM": 2,
}
