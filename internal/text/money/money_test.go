package money

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/text/wordlist"
	"pgregory.net/rapid"
)

// written are prices as people write them, and what they mean.
var written = []struct{ text, hint, amount, currency string }{
	{"1.234,56 €", "", "1234.56", "EUR"},
	{"$1,299", "", "1299", ""},
	{"$1,299", "USD", "1299", "USD"},
	{"$1,299", "CAD", "1299", "CAD"},
	{"€5", "USD", "5", "EUR"}, // what is written beats the hint
	{"1 299 zł", "", "1299", "PLN"},
	{"1 299,00 zł", "", "1299.00", "PLN"},
	{"1'299.–", "CHF", "1299", "CHF"},
	{"1’299.50", "CHF", "1299.50", "CHF"},
	{"CHF 12.-", "", "12", "CHF"},
	{"€ 12,-", "", "12", "EUR"},
	{"12,-- €", "", "12", "EUR"},
	{"Rs. 1,23,456.00", "", "123456.00", ""},
	{"₹1,23,45,678", "", "12345678", "INR"},
	{"kr 99", "", "99", ""},
	{"99 kr", "NOK", "99", "NOK"},
	{"99:-", "SEK", "99", "SEK"},
	{"R$ 10,50", "", "10.50", "BRL"},
	{"¥1,200", "JPY", "1200", "JPY"},
	{"12 EUR", "", "12", "EUR"},
	{"USD12.5", "", "12.5", "USD"},
	{"ab 12 €", "", "12", "EUR"},
	{"from $5", "", "5", ""},
	{"US$ 5", "", "5", "USD"},
	{"NZD $100.70", "", "100.70", "NZD"},
	{"$1,190.00 AUD", "", "1190.00", "AUD"},
	{"22,90 €", "", "22.90", "EUR"},
	{"22 900", "", "22900", ""},
	{"1.299", "", "1299", ""},
	{"1.299", "KWD", "1.299", "KWD"},
	{"1.299 KWD", "", "1.299", "KWD"},
	{"12,500 DT", "", "12.500", "TND"},
	{"0.125", "", "0.125", ""},
	{"1,299,00 €", "", "1299.00", "EUR"},
	{"1.299.000 ₫", "", "1299000", "VND"},
	{"１，２００円", "", "1200", "JPY"},
	{"١٬٢٣٤٫٥٠ ر.س", "", "1234.50", "SAR"},
	{"۲۵۰٬۰۰۰ ریال", "", "250000", "IRR"},
	{"19⁹⁹ €", "", "19.99", "EUR"},
	{"$19⁹⁹", "", "19.99", ""},
	{"$19 99", "", "19.99", ""},
	{"35€ 99", "", "35.99", "EUR"},
	{"35€99", "", "35.99", "EUR"},
	{"10 € 20 €", "", "10", "EUR"},
	{".75 €", "", "0.75", "EUR"},
	{"-5,00 €", "", "-5.00", "EUR"},
	{"−$5", "", "-5", ""},
	{"99p", "", "0.99", "GBP"},
	{"$120k", "", "120000", ""},
	{"1,2 Mio. €", "", "1200000", "EUR"},
	{"₹1.25 Cr", "", "12500000", "INR"}, {"₹72 Lac", "", "7200000", "INR"}, {"₹45 Lakh", "", "4500000", "INR"}, {"₹45 L", "", "4500000", "INR"},
	{"₹1.25 Cr.", "", "12500000", "INR"}, {"£5m²", "", "5", "GBP"}, {"1.5 MIO. CHF", "", "1500000", "CHF"},
	{"5万円", "", "50000", "JPY"},
	{"(-38%) 429,00 EUR", "", "429.00", "EUR"},
	{"2 for £5", "", "5", "GBP"},
	{"12\u00a0000\u202f€", "", "12000", "EUR"},
	{"0,00 €", "", "0.00", "EUR"},
	{"Free", "", "0", ""}, {"Eintritt frei", "EUR", "0", "EUR"}, {"wstęp wolny", "", "0", ""}, {"無料", "", "0", ""},
	{"Free – $20", "", "0", ""},
	{"2026 €5.00", "", "5.00", "EUR"}, {"35 €99", "", "35.99", "EUR"},
}

func TestParseReadsPricesAsPeopleWriteThem(t *testing.T) {
	for _, c := range written {
		t.Run(c.text, func(t *testing.T) {
			p, ok := Parse(c.text, c.hint)
			if !ok || p.Amount != c.amount || p.Currency != c.currency {
				t.Errorf("%q with %q: %+v, want %s %s", c.text, c.hint, p, c.amount, c.currency)
			}
		})
	}
}

func TestParseFindsNoPriceWhereThereIsNone(t *testing.T) {
	for _, text := range []string{"", "Call us", "15.08.2017", "50 %", "%50", "-20%", "20:00", "1.2.3.4", "Free shipping on orders over $49", "freedom", "sugar-free", "No. #5", "18ct gold",
		strings.Repeat("9", 200)} {
		t.Run(text, func(t *testing.T) {
			if p, ok := Parse(text, "EUR"); ok {
				t.Errorf("%q gave %+v", text, p)
			}
		})
	}
}

func TestFindIsPreciseInRunningText(t *testing.T) {
	cases := []struct{ text, want string }{
		{"£5–£12", "5 GBP|12 GBP"},
		{"Tickets 5–12 €", "5 EUR|12 EUR"},
		{"€5–12 at the door", "5 EUR|12 EUR"},
		{"Eintritt 10/8 €", "10 EUR|8 EUR"},
		{"Adults 10 EUR, kids 5 EUR.", "10 EUR|5 EUR"},
		{"between 20 and 30 zł", "30 PLN"},
		{"On 18.04.2026 at 20:00 in room 12, entry 15 zł", "15 PLN"},
		{"In 2026 we sold 1,500 books, 20 % more", ""},
		{"ALL 50 states, TRY 10 times, TOP 10", ""},
		{"TRY 10.50", "10.50 TRY"},
		{"only 99p today", "0.99 GBP"},
		{"MX924 IX", ""},
		{"R8,499 or R 12", "8499 ZAR|12 ZAR"},
		{"12 km, 5 L, 3 Kz", "3 AOA"},
		{"Sale: $24.99 (was $49.99)", "24.99 |49.99 "},
		{"12,000원입니다", "12000 KRW"},
		{"Salary €45,000 - €60,000 p.a.", "45000 EUR|60000 EUR"},
		{"pay 3 rounds of 5 USD each", "5 USD"},
		{"Requisition R-20801", ""}, {"R-20801", ""}, {"order EUR-4410", ""}, {"EUR -5.00", "5.00 EUR"}, {"CHF -.50", "0.50 CHF"},
		{"E2022-01642-CCA-R3-CD", ""}, {"R5-R10", "5 ZAR|10 ZAR"}, {"from $5-a-day", "5 "},
		{"1 Ks 8 Js 1902/26", ""}, {"Rolex in 18ct gold, 1972", ""}, {"ring, 9 ct white gold", ""}, {"nur 99 ct pro Stück", "0.99 "},
		{"DA 450/2026", ""}, {"Ref: R20801", ""}, {"Application no. RM 4500", ""}, {"RM 1500/2000", "1500 MYR|2000 MYR"}, {"Reference: $5", "5 "},
		{"for R20801", "20801 ZAR"},
		{"DA0002/2020", ""}, {"DA1402/2020", ""}, {"RM0451", ""}, {"DA 450", "450 DZD"}, {"RM5/RM8", "5 MYR|8 MYR"},
		{"3 December 2026 €5.00", "5.00 EUR"},
		{"Room 12 £7.50, from 20 £30.00", "7.50 GBP|30.00 GBP"},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			var got []string
			for _, p := range Find(c.text) {
				got = append(got, p.Amount+" "+p.Currency)
				if !strings.Contains(c.text[p.Begin:p.End], p.Amount[:1]) && p.Amount[0] != '0' {
					t.Errorf("%q: the span of %+v is %q", c.text, p, c.text[p.Begin:p.End])
				}
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("%q: %q, want %q", c.text, strings.Join(got, "|"), c.want)
			}
		})
	}
}

func TestMinorCountsExactly(t *testing.T) {
	cases := []struct {
		amount, currency string
		units            int64
		ok               bool
	}{
		{"12.34", "EUR", 1234, true}, {"12.3", "", 1230, true}, {"1200", "JPY", 1200, true}, {"1200.5", "JPY", 1201, true},
		{"1.2345", "KWD", 1235, true}, {"0.005", "EUR", 1, true}, {"-0.005", "EUR", -1, true}, {"0.0049", "EUR", 0, true},
		{"92233720368547758.07", "EUR", 0, false}, {"9223372036854775", "EUR", 922337203685477500, true},
		{"", "EUR", 0, false}, {"1e5", "EUR", 0, false}, {"1,5", "EUR", 0, false}, {"1.5.5", "EUR", 0, false}, {"12", "XYZ", 1200, true},
	}
	for _, c := range cases {
		t.Run(c.amount, func(t *testing.T) {
			if units, ok := Minor(c.amount, c.currency); units != c.units || ok != c.ok {
				t.Errorf("%s %s: %d %v", c.amount, c.currency, units, ok)
			}
		})
	}
}

func TestCurrencyIsDecidedByTheRegionWhereASignIsShared(t *testing.T) {
	cases := []struct{ text, region, want string }{
		{"$", "", ""}, {"$", "US", "USD"}, {"$", "en-CA", "CAD"}, {"$", "en", ""}, {"$", "es_MX", "MXN"},
		{"kr", "", ""}, {"kr", "sv", "SEK"}, {"Kr.", "DK", "DKK"}, {"kr", "nb-NO", "NOK"}, {"¥", "", ""}, {"¥", "ja", "JPY"},
		{"€", "US", "EUR"}, {"eur", "", "EUR"}, {"try", "", "TRY"}, {"Euro", "", "EUR"}, {"£", "", "GBP"}, {"£", "EG", "EGP"},
		{"zł", "", "PLN"}, {"LEI", "", "RON"}, {"lei", "ro-MD", "MDL"}, {"Rs", "IN", "INR"}, {"bananas", "US", ""}, {"", "US", ""},
		{"DEM", "", "DEM"}, {"DM", "", "DEM"}, {"grn", "", ""}, {"грн.", "", "UAH"}, {"Fr.", "de-CH", "CHF"},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			if got := Currency(c.text, c.region); got != c.want {
				t.Errorf("%q in %q: %q, want %q", c.text, c.region, got, c.want)
			}
		})
	}
}

func TestMinorAndMajorAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.Int64Range(-1<<56, 1<<56).Draw(t, "units")
		code := rapid.SampledFrom([]string{"EUR", "JPY", "KWD", "", "CLF"}).Draw(t, "currency")
		if back, ok := Minor(Major(units, code), code); !ok || back != units {
			t.Fatalf("%d %s came back as %d", units, code, back)
		}
	})
}

func TestWhatParseReadsMinorCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.Int64Range(0, 1<<50).Draw(t, "units")
		amount := Major(units, "EUR")
		p, ok := Parse("€ "+amount, "")
		if !ok || p.Amount != amount {
			t.Fatalf("%s was read as %+v", amount, p)
		}
	})
}

func FuzzPrices(f *testing.F) {
	for _, seed := range []string{"1.234,56 €", "$19 99", "£5–£12", "12,-", "٬٫", "US $", "\xff1\xfe", "1’", "free", "-$-5", "5k€", "€€€5€5€5"} {
		f.Add(seed, "EUR")
	}
	f.Fuzz(func(t *testing.T, text, hint string) {
		found := Find(text)
		if p, ok := Parse(text, hint); ok {
			found = append(found, p)
		}
		for _, p := range found {
			if p.Begin < 0 || p.Begin > p.End || p.End > len(text) {
				t.Fatalf("%q: the span of %+v is outside", text, p)
			}
			if _, ok := Minor(p.Amount, p.Currency); !ok && len(p.Amount) < 15 {
				t.Fatalf("%q: %+v is no amount", text, p)
			}
		}
	})
}

func BenchmarkFind100KB(b *testing.B) {
	text := strings.Repeat("On 18 April 2026 the choir sings for 12,50 € or 8 € in room 5; call 22 33 44 55. ", 1250)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Find(text)
	}
}

// TestSignsFile: every line of the signs is well formed, no sign stands twice, and what a
// line gives as currency is a code or a shared sign.
func TestSignsFile(t *testing.T) {
	table, err := readSigns(signsFile)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range table.signs {
		_, isShared := table.shared[s.codes]
		if seen[s.text] || strings.TrimSpace(s.text) != s.text || s.text == "" {
			t.Errorf("%q is empty, has spaces around it or stands twice", s.text)
		}
		if s.codes != "" && !isShared && !known(s.codes) {
			t.Errorf("%q stands for %q, which is no currency", s.text, s.codes)
		}
		seen[s.text] = true
	}
	for sign, places := range table.shared {
		for place, code := range places {
			if !known(code) {
				t.Errorf("%q is %q in %s, which is no currency", sign, code, place)
			}
		}
	}
	for _, line := range []string{"anywhere: €", "somewhere EUR: €", "shared $: US USD", "shared $: USD", "anywhere EUR €"} {
		t.Run(line, func(t *testing.T) {
			if _, err := readSigns(line); err == nil {
				t.Errorf("%q is read", line)
			}
		})
	}
}

func TestWordsFile(t *testing.T) {
	if _, err := wordlist.Parse(wordsFile); err != nil {
		t.Error(err)
	}
}

// TestNumbersWithTooManyDigits: what is longer than any price is none, whatever follows.
func TestNumbersWithTooManyDigits(t *testing.T) {
	long := "$" + strings.Repeat("1", maxDigits+1)
	for _, text := range []string{long, long + ".123", long + ",50", long + ".123,45"} {
		t.Run(text, func(t *testing.T) {
			if found := Find(text); len(found) > 0 {
				t.Errorf("%q has prices: %v", text, found)
			}
		})
	}
}

func TestNumbersOfThingsAreNoPrices(t *testing.T) {
	for text, want := range map[string]string{
		"DA0002/2020": "", "RM0451": "", "R-20801": "", "DA 450/2026": "", "DA\u00a0450/2026": "", "DA-0450": "", "2026-DA0002": "2026 ", "1 x": "1 ",
		"R20801": "20801 ZAR", "RM 4500": "4500 MYR", "R0.50": "0.50 ZAR", "RM 450/500": "450 MYR", "RM 1500/2000": "1500 MYR",
		"EUR-5.00": "5.00 ", "R 450/2": "450 ZAR", "€450/2026": "450 EUR", "RM0451 RM 12": "12 MYR",
	} {
		t.Run(text, func(t *testing.T) {
			got := ""
			if p, ok := Parse(text, ""); ok {
				got = p.Amount + " " + p.Currency
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
