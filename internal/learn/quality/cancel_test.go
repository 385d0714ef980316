package quality

import (
	"context"
	"fmt"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func TestComparingStopsWithItsContext(t *testing.T) {
	var truth []TruthRow
	var records []curlew.Record
	var pairs []Pair
	for i := range 200 {
		fields := curlew.Values{"title": fmt.Sprintf("Concert %d", i), "venue_name": fmt.Sprintf("Hall %d", i)}
		record := curlew.Record{Schema: curlew.SchemaEvent, ExternalID: fmt.Sprint(i), Fields: fields}
		truth = append(truth, TruthRow{Schema: curlew.SchemaEvent, ExternalID: record.ExternalID, Fields: fields})
		records = append(records, record)
		pairs = append(pairs, Pair{Old: fields, New: SampleRecord{Record: record}})
	}
	for name, compare := range map[string]func(context.Context) int{
		"audit": func(ctx context.Context) int { return Audit(ctx, truth, records).Checked },
		"compare": func(ctx context.Context) (n int) {
			fields, _ := Compare(ctx, pairs, march())
			for _, f := range fields {
				n += f.Compared()
			}
			return n
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := compare(t.Context())
			if whole < 2*len(pairs) {
				t.Fatalf("%d values were compared", whole)
			}
			if n := compare(growth.Ending(t, 5)); n != 5*whole/len(pairs) {
				t.Errorf("%d of %d values were compared in 5 steps", n, whole)
			}
		})
	}
}
