package normalise

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestTheCityStandsAtTheEndOfAnAddress(t *testing.T) {
	for address, city := range map[string]string{
		"Kirkegata 85, 5430 Ålesund":             "Ålesund",
		"ul. Kasprzaka 22, 01-211 Warszawa":      "Warszawa",
		"12 Rue de la Paix, 75002 Paris, France": "Paris",
		"100 Congress St, Portland, ME 04101":    "Portland",
		"Hauptstraße 5, D-10115 Berlin":          "Berlin",
		"Keizersgracht 1, 1015 CJ Amsterdam":     "Amsterdam",
		"Old Mint":                               "",
		"Room 1204, Building 5":                  "",
		"12 High Street, Leeds":                  "",
	} {
		t.Run(address, func(t *testing.T) {
			record, _ := Record(curlew.Draft{Schema: curlew.SchemaOrganization, Fields: curlew.Values{"name": "X", "address": address}}, Context{})
			got, _ := record.Fields["city"].(string)
			if got != city {
				t.Errorf("city %q, want %q", got, city)
			}
		})
	}
}

func TestATelephoneLinkIsANumber(t *testing.T) {
	record, _ := Record(curlew.Draft{Schema: curlew.SchemaOrganization, Fields: curlew.Values{"name": "X", "phone": "tel:+47%2022%2022%2055%2055"}}, Context{})
	if record.Fields["phone"] != "+4722225555" {
		t.Errorf("phone %v", record.Fields["phone"])
	}
}

func TestMarkupThatThePageShowsIsText(t *testing.T) {
	draft := curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": "Tom &amp; <b>Jerry</b>"}}
	title := func(c Context) any { r, _ := Record(draft, c); return r.Fields["title"] }
	if got := title(Context{}); got != "Tom & Jerry" {
		t.Errorf("without a page: %q", got)
	}
	draft.Fields["title"] = "Tom & <b>Jerry</b>"
	shown := Context{Shown: func(text string) bool { return text == "Tom & <b>Jerry</b>" }}
	if got := title(shown); got != "Tom & <b>Jerry</b>" {
		t.Errorf("shown on the page: %q", got)
	}
}

func TestWhatHTMLWouldHaveEscapedIsText(t *testing.T) {
	for in, want := range map[string]string{
		"\"Tom & Jerry\" <b>Live</b>":                           "\"Tom & Jerry\" <b>Live</b>",
		"Day &#038; night: &lt;script&gt;x&lt;/script&gt; jazz": "Day & night: <script>x</script> jazz",
		"<b>Tom & Jerry</b>":                                    "Tom & Jerry",
		"Tom &amp; <b>Jerry</b>":                                "Tom & Jerry",
		"&amp;lt;b&amp;gt;Tom&lt;/b&gt;":                        "Tom",
		"Rock <br> Pop":                                         "Rock Pop",
	} {
		t.Run(in, func(t *testing.T) {
			r, _ := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": in}}, Context{})
			if got := r.Fields["title"]; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestTrackingMakesNoOtherThing(t *testing.T) {
	record, _ := Record(curlew.Draft{Schema: curlew.SchemaProduct, ExternalID: "https://shop.example/p/1?utm_source=grid&utm_campaign=ab12",
		Fields: curlew.Values{"name": "Lamp"}}, Context{})
	if record.ExternalID != "https://shop.example/p/1" {
		t.Errorf("external id %q", record.ExternalID)
	}
}
