package extract

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAFilePartedBySemicolonsHasCommasBeforeDecimals(t *testing.T) {
	file := "Nr;Station;Super;Diesel\n0417;The Station at the North Gate;1,709;1,629\n0418;The Harbour Station;1,739;1,689\n0419;The Station on the Hill;1,749;1,699\n0420;The Old Mill Station;1,679;1,619\n"
	kind := curlew.Schema{Name: "station", Title: "station", Fields: []curlew.Field{{Name: "station", Type: curlew.TypeText, Required: true},
		{Name: "super", Type: curlew.TypeNumber}, {Name: "diesel", Type: curlew.TypeNumber}}}
	e := Extract(t.Context(), Material{Body: []byte(file), Charset: "utf-8", ContentType: "text/csv", URL: "https://a.example/x.csv", Now: time.Now()},
		ExtractOptions{Schema: kind.Name, Own: &kind, Asserted: true})
	if len(e.Readings) != 4 || e.Readings[0].Record.Fields["super"] != 1.709 || e.Readings[3].Record.Fields["diesel"] != 1.619 {
		t.Errorf("%+v", e.Readings)
	}
}
