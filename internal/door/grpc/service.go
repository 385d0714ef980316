package grpc

import (
	"cmp"
	"context"
	"fmt"

	"connectrpc.com/connect"

	"curlew/internal/curlew"
	"curlew/internal/door/grpc/blueprintv1"
)

// answer works on a call with the backend of the caller's org, until it is done or its
// time is over, and writes down that it was done. The thing is what the record names.
func answer[A any](ctx context.Context, s *service, operation, thing string, do func(context.Context, Backend) (*A, error)) (*connect.Response[A], error) {
	c, _ := ctx.Value(callKey{}).(call) // always there behind the gate; without it there is no org
	ctx, cancel := context.WithTimeout(ctx, s.Most)
	defer cancel()
	leave, err := s.seats.take(c.Org)
	if err != nil {
		return nil, s.failure(ctx, c, err)
	}
	type outcome struct {
		message *A
		err     error
	}
	done := make(chan outcome, 1)
	go func() { // learning does not look at the clock: the caller is answered in time, and the seat is left when it is done
		defer leave()
		var o outcome
		defer func() {
			if failure := recover(); failure != nil {
				o = outcome{err: fmt.Errorf("a call panicked: %v", failure)}
			}
			done <- o
		}()
		o.message, o.err = do(ctx, s.House.Open(c.Caller))
	}()
	select {
	case <-ctx.Done():
		return nil, s.failure(ctx, c, ctx.Err())
	case o := <-done:
		if o.err != nil {
			return nil, s.failure(ctx, c, o.err)
		}
		s.record(ctx, c, operation, thing)
		return connect.NewResponse(o.message), nil
	}
}

// record writes down who did what. What was done is not undone when that fails.
func (s *service) record(ctx context.Context, c call, operation, thing string) {
	if c.Record == nil {
		return
	}
	if err := c.Record(context.WithoutCancel(ctx), operation, text(thing, 300)); err != nil {
		s.Log.Error("the audit log was not written", "org", c.Org, "operation", operation, "thing", thing, "error", err)
	}
}

// FetchHTML asks for a page.
func (s *service) FetchHTML(ctx context.Context, r *connect.Request[blueprintv1.FetchHTMLRequest]) (*connect.Response[blueprintv1.FetchHTMLResponse], error) {
	return answer(ctx, s, "fetchHTML", r.Msg.GetUrl(), func(ctx context.Context, b Backend) (*blueprintv1.FetchHTMLResponse, error) {
		if err := checkURL("/url", r.Msg.GetUrl()); err != nil {
			return nil, err
		}
		result, err := b.Fetch(ctx, r.Msg.GetUrl(), r.Msg.GetRender())
		if err != nil {
			return nil, err
		}
		return fetched(result), nil
	})
}

// GenerateBlueprint learns how to read a page.
func (s *service) GenerateBlueprint(ctx context.Context, r *connect.Request[blueprintv1.GenerateBlueprintRequest]) (*connect.Response[blueprintv1.GenerateBlueprintResponse], error) {
	return answer(ctx, s, "generateBlueprint", r.Msg.GetPage().GetUrl(), func(ctx context.Context, b Backend) (*blueprintv1.GenerateBlueprintResponse, error) {
		task, err := checkGenerate(r.Msg)
		if err != nil {
			return nil, err
		}
		g, err := b.Generate(ctx, task)
		if err != nil {
			return nil, err
		}
		return generated(g)
	})
}

// TestBlueprint reads a page by a blueprint.
func (s *service) TestBlueprint(ctx context.Context, r *connect.Request[blueprintv1.TestBlueprintRequest]) (*connect.Response[blueprintv1.TestBlueprintResponse], error) {
	thing := cmp.Or(r.Msg.GetBlueprintId(), r.Msg.GetPage().GetUrl())
	return answer(ctx, s, "testBlueprint", thing, func(ctx context.Context, b Backend) (*blueprintv1.TestBlueprintResponse, error) {
		task, err := checkTest(r.Msg)
		if err != nil {
			return nil, err
		}
		if own := task.Rules.Blueprint; own != nil && task.Schema != "" && own.Schema != task.Schema {
			return nil, OtherSchema(own.Schema)
		}
		t, err := b.Test(ctx, task)
		if err != nil {
			return nil, err
		}
		return tested(t)
	})
}

// OtherSchema says that a blueprint is of another schema than the caller named.
func OtherSchema(own curlew.SchemaName) error {
	return invalid{"/schema", fmt.Sprintf("the blueprint is of the schema %q: name that, or none", own)}
}

// RepairBlueprint learns anew how to read a page.
func (s *service) RepairBlueprint(ctx context.Context, r *connect.Request[blueprintv1.RepairBlueprintRequest]) (*connect.Response[blueprintv1.RepairBlueprintResponse], error) {
	thing := cmp.Or(r.Msg.GetBlueprintId(), r.Msg.GetPage().GetUrl())
	return answer(ctx, s, "repairBlueprint", thing, func(ctx context.Context, b Backend) (*blueprintv1.RepairBlueprintResponse, error) {
		task, err := checkRepair(r.Msg)
		if err != nil {
			return nil, err
		}
		repair, err := b.Repair(ctx, task)
		if err != nil {
			return nil, err
		}
		return repaired(repair)
	})
}
