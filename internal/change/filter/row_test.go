package filter

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestARowIsACondition(t *testing.T) {
	for _, x := range []struct {
		field   string
		test    Test
		written string
		want    string
	}{
		{"city", Equals, "Kraków", `city = "Kraków"`},
		{"title", Contains, `jazz or "blues"`, `title contains "jazz or \"blues\""`},
		{"price", Below, "100 EUR", "price < 100 EUR"},
		{"price", Decreased, "5%", "price decreased by 5%"},
		{"price", Decreased, "", "price decreased"},
		{"price", Equals, "20", "price = 20"},
		{"availability", Became, "in_stock", `availability became "in_stock"`},
		{"city", In, "Kraków, Gdańsk", `city in ("Kraków", "Gdańsk")`},
		{"city", In, `"Kraków, PL", "Gdańsk"`, `city in ("Kraków, PL", "Gdańsk")`},
		{"starts_at", Within, "7d", "starts_at within 7d"},
		{"starts_at", Equals, "2026-04-18", `starts_at = "2026-04-18"`},
		{"remote", Equals, "true", "remote = true"},
		{"sku", Equals, "0042", `sku = "0042"`},
		{"kind", Equals, "entity_appeared", `kind = "entity_appeared"`},
		{"slots.colour", Equals, "red", `slots.colour = "red"`},
		{"rating", IsMissing, "ignored", "rating is missing"},
	} {
		t.Run(x.field, func(t *testing.T) {
			got, err := Row(x.field, x.test, x.written, curlew.Schemas()...)
			if err != nil || got.String() != x.want {
				t.Errorf("%s %s %q: %q, %v, want %q", x.field, x.test, x.written, got, err, x.want)
				return
			}
			again, err := Row(x.field, x.test, got.Written(curlew.Schemas()...), curlew.Schemas()...)
			if err != nil || again.String() != x.want {
				t.Errorf("%s comes back from %q as %q, %v", x.want, got.Written(curlew.Schemas()...), again, err)
			}
		})
	}
}

func TestWhatWasWrittenByHandSurvivesTheRow(t *testing.T) {
	for _, text := range []string{`sku = "42"`, `title contains "true"`, `city in ("a,b", c)`, `brand = " spaced "`, `price falls below 20.50 EUR`,
		`city in ("1", 2)`, `title contains "say \"so\""`, `starts_at < 2026-06-01`, `published_at within last 12h`, "price decreased by 10 EUR"} {
		t.Run(text, func(t *testing.T) {
			f, err := Compile(text, curlew.Schemas()...)
			if err != nil {
				t.Fatal(err)
			}
			x := f.expr
			again, err := Row(x.Field, x.Test, x.Written(curlew.Schemas()...), curlew.Schemas()...)
			if err != nil || again.String() != f.String() {
				t.Errorf("%s becomes %q by %q, %v", f, again, x.Written(curlew.Schemas()...), err)
			}
		})
	}
}

func TestAValueCannotBringOtherConditionsAlong(t *testing.T) {
	for _, x := range []struct {
		field, written string
		test           Test
		says           string
	}{
		{"price", "5 or price > 3", Below, "one value"},
		{"price", "cheap", Below, "number"},
		{"price", "", Below, "missing"},
		{"pirce", "5", Below, "unknown field"},
		{"title", "5", Below, "no number"},
		{"price", "5", "sings", "choose an action"},
		{"a` = 1 or `b", "5", Equals, "choose a field"},
		{"city", `"x" or city = "y"`, Equals, "one value"},
		{"availability", "sold", Equals, "never"},
	} {
		t.Run(x.field, func(t *testing.T) {
			_, err := Row(x.field, x.test, x.written, curlew.Schemas()...)
			if err == nil || !strings.Contains(err.Error(), x.says) || strings.Contains(err.Error(), "^") {
				t.Errorf("%s %s %q: %v", x.field, x.test, x.written, err)
			}
		})
	}
}

func TestOnlyTestsThatFitAreOffered(t *testing.T) {
	price, title, starts := curlew.Field{Name: "price", Type: curlew.TypeMoney}, curlew.Field{Name: "title", Type: curlew.TypeText}, curlew.Field{Name: "starts_at", Type: curlew.TypeTime}
	if Contains.Fits(price) || !Contains.Fits(title) || Within.Fits(title) || !Within.Fits(starts) || !Changed.Fits(price) || Decreased.Fits(title) {
		t.Error("a test fits what it cannot ask, or does not fit what it can")
	}
	if len(Tests()) != len(tests) {
		t.Errorf("%d of %d tests are offered", len(Tests()), len(tests))
	}
}

// A number that is compared with a text comes back from its row in quotes, and means the same.
func TestANumberComparedWithTextMeansTheSameInQuotes(t *testing.T) {
	bare, err := Compile(`sku = 42`, curlew.Schemas()...)
	if err != nil {
		t.Fatal(err)
	}
	x := bare.expr
	row, err := Row(x.Field, x.Test, x.Written(curlew.Schemas()...), curlew.Schemas()...)
	if err != nil || row.String() != `sku = "42"` {
		t.Fatalf("the row is %s (%v)", row, err)
	}
	quoted, err := CompileExpr(row, curlew.Schemas()...)
	if err != nil {
		t.Fatal(err)
	}
	for sku, want := range map[string]bool{"42": true, "042": false, "42.0": false, "4": false, "a 42": false} {
		t.Run(sku, func(t *testing.T) {
			c := product(t, `, "sku": "`+sku+`"`, "")
			one, _ := bare.Matches(c)
			if other, _ := quoted.Matches(c); one != other || one != want {
				t.Errorf("of %q one says %v, the other %v", sku, one, other)
			}
		})
	}
}
