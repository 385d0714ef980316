package money

import (
	"bufio"
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// priceRow is one text with the price that people see in it.
type priceRow struct {
	List     string       `json:"list"`
	Hint     *string      `json:"currency_raw"`
	Text     *string      `json:"price_raw"`
	Currency *string      `json:"currency"`
	Amount   *json.Number `json:"amount"`
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func sameAmount(got string, want *json.Number) bool {
	if want == nil || got == "" {
		return want == nil && got == ""
	}
	a, _ := new(big.Rat).SetString(got)
	b, _ := new(big.Rat).SetString(want.String())
	return a.Cmp(b) == 0
}

func TestCorpusPrices(t *testing.T) {
	file, err := os.Open(corpus.Path(t, "prices", "price-parser.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows, right, signs, hard, hardRight, hardSigns int
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row priceRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		p, _ := Parse(orEmpty(row.Text), orEmpty(row.Hint))
		amount := sameAmount(p.Amount, row.Amount)
		want := orEmpty(row.Currency)
		sign := p.Amount == "" || strings.EqualFold(strings.Trim(p.Sign, "."), strings.Trim(want, ".")) || Currency(p.Sign, "") != "" && Currency(p.Sign, "") == Currency(want, "")
		if strings.Contains(row.List, "XFAIL") {
			hard, hardRight, hardSigns = hard+1, hardRight+count(amount), hardSigns+count(sign)
		} else {
			rows, right, signs = rows+1, right+count(amount), signs+count(sign)
		}
		if testing.Verbose() && (!amount || !sign) {
			t.Logf("%s: %q with %q: got %+v", row.List, orEmpty(row.Text), orEmpty(row.Hint), p)
		}
	}
	t.Logf("prices: %d/%d amounts", right, rows)
	t.Logf("prices currency: %d/%d signs", signs, rows)
	t.Logf("prices beyond: %d/%d amounts and %d signs that the reference fails", hardRight, hard, hardSigns)
	if right*1000 < rows*990 || signs*1000 < rows*970 {
		t.Errorf("of %d rows %d amounts and %d currencies are right", rows, right, signs)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
