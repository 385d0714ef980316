package store_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func ownKinds(t *testing.T, b *bench) {
	ctx := t.Context()
	home := curlew.Schema{Name: "home", Fields: []curlew.Field{{Name: "address", Type: curlew.TypeText, Required: true}}}.Completed()
	b.write(t, acme, func(s store.WriteScope) error { return s.Kinds().Add(ctx, home) })
	wantFault(t, b.store.Write(ctx, acme, func(s store.WriteScope) error { return s.Kinds().Add(ctx, home) }), "exists_already")
	home.Fields = append(home.Fields, curlew.Field{Name: "rooms", Type: curlew.TypeInteger})
	b.write(t, acme, func(s store.WriteScope) error { return s.Kinds().Set(ctx, home) })
	all, err := b.store.Org(acme).Kinds().All(ctx)
	if must(t, err); len(all) != len(curlew.Schemas())+1 || len(all.Kind("home").Fields) != 2 {
		t.Errorf("the org has %+v", all)
	}
	used, err := b.store.Org(acme).Kinds().Used(ctx, "home")
	if must(t, err); used {
		t.Error("it was never used")
	}
	watches, err := b.store.Org(acme).Kinds().Watches(ctx, "home")
	if must(t, err); len(watches) > 0 {
		t.Errorf("these watches read by it: %+v", watches)
	}
	_, err = b.store.Org(birch).Kinds().Get(ctx, "home")
	wantFault(t, err, "not_found")
	wantFault(t, b.store.Write(ctx, birch, func(s store.WriteScope) error { return s.Kinds().Set(ctx, home) }), "not_found")
	wantFault(t, b.store.Write(ctx, birch, func(s store.WriteScope) error { return s.Kinds().Remove(ctx, "home") }), "not_found")
	b.write(t, acme, func(s store.WriteScope) error { return s.Kinds().Remove(ctx, "home") })
	_, err = b.store.Org(acme).Kinds().Get(ctx, "home")
	wantFault(t, err, "not_found")
}
