package grpc

import (
	"context"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc/kindv1"
)

// kinds is the KindService of one process.
type kinds struct{ *service }

type kindAnswer = *connect.Response[kindv1.Kind]

// kind runs a use case that gives a kind.
func (s kinds) kind(ctx context.Context, do func(context.Context, auth.Identity) (curlew.Schema, error)) (kindAnswer, error) {
	return answer(ctx, s.service, func(ctx context.Context, who auth.Identity) (*kindv1.Kind, error) {
		k, err := do(ctx, who)
		if err != nil {
			return nil, err
		}
		return kindMessage(k), nil
	})
}

// ListKinds lists the kinds.
func (s kinds) ListKinds(
	ctx context.Context, _ *connect.Request[kindv1.ListKindsRequest],
) (*connect.Response[kindv1.ListKindsResponse], error) {
	return answer(ctx, s.service, func(ctx context.Context, who auth.Identity) (*kindv1.ListKindsResponse, error) {
		all, err := s.App.Kinds(ctx, who)
		m := &kindv1.ListKindsResponse{}
		for _, k := range all {
			m.Kinds = append(m.Kinds, kindMessage(k))
		}
		return m, err
	})
}

// GetKind gives one kind.
func (s kinds) GetKind(ctx context.Context, r *connect.Request[kindv1.GetKindRequest]) (kindAnswer, error) {
	return s.kind(ctx, func(ctx context.Context, who auth.Identity) (curlew.Schema, error) {
		return s.App.Kind(ctx, who, curlew.SchemaName(r.Msg.GetName()))
	})
}

// ProposeKind proposes the fields of a kind.
func (s kinds) ProposeKind(ctx context.Context, r *connect.Request[kindv1.ProposeKindRequest]) (kindAnswer, error) {
	return s.kind(ctx, func(ctx context.Context, who auth.Identity) (curlew.Schema, error) {
		f, err := s.App.ProposeKind(ctx, who, curlew.WatchID(r.Msg.GetWatchId()))
		return curlew.Schema{Title: f.Title, Identity: f.Identity, Fields: f.Fields}, err
	})
}

// AddKind makes a kind.
func (s kinds) AddKind(ctx context.Context, r *connect.Request[kindv1.Kind]) (kindAnswer, error) {
	return s.kind(ctx, func(ctx context.Context, who auth.Identity) (curlew.Schema, error) {
		return s.App.AddKind(ctx, who, app.AddKind{Name: curlew.SchemaName(r.Msg.GetName()), KindFields: app.KindFields{
			Title: r.Msg.GetTitle(), Identity: toSets(r.Msg.GetIdentity()), Fields: toFields(r.Msg.GetFields())}})
	})
}

// EditKind changes a kind.
func (s kinds) EditKind(ctx context.Context, r *connect.Request[kindv1.EditKindRequest]) (kindAnswer, error) {
	return s.kind(ctx, func(ctx context.Context, who auth.Identity) (curlew.Schema, error) {
		return s.App.EditKind(ctx, who, app.EditKind{Name: curlew.SchemaName(r.Msg.GetName()), Title: r.Msg.GetTitle(),
			Identity: toSets(r.Msg.GetIdentity()), Fields: toFields(r.Msg.GetFields()), Rename: r.Msg.GetRename(), Remove: r.Msg.GetRemove()})
	})
}

// DeleteKind deletes a kind.
func (s kinds) DeleteKind(
	ctx context.Context, r *connect.Request[kindv1.DeleteKindRequest],
) (*connect.Response[kindv1.DeleteKindResponse], error) {
	return answer(ctx, s.service, func(ctx context.Context, who auth.Identity) (*kindv1.DeleteKindResponse, error) {
		return &kindv1.DeleteKindResponse{}, s.App.DeleteKind(ctx, who, curlew.SchemaName(r.Msg.GetName()))
	})
}

func kindMessage(k curlew.Schema) *kindv1.Kind {
	m := &kindv1.Kind{Name: string(k.Name), Title: k.Title}
	for _, set := range k.Identity {
		m.Identity = append(m.Identity, &kindv1.FieldSet{Fields: set})
	}
	for _, f := range k.Fields {
		m.Fields = append(m.Fields, &kindv1.Field{Name: f.Name, Type: string(f.Type), Required: f.Required, Choices: f.Choices,
			Of: string(f.Of), Labels: f.Labels})
	}
	return m
}

func toSets(all []*kindv1.FieldSet) [][]string {
	var sets [][]string
	for _, set := range all {
		sets = append(sets, set.GetFields())
	}
	return sets
}

func toFields(all []*kindv1.Field) []curlew.Field {
	var fields []curlew.Field
	for _, f := range all {
		fields = append(fields, curlew.Field{Name: f.GetName(), Type: curlew.FieldType(f.GetType()), Required: f.GetRequired(),
			Choices: f.GetChoices(), Of: curlew.FieldType(f.GetOf()), Labels: f.GetLabels()})
	}
	return fields
}
