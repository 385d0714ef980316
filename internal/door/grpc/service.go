package grpc

import (
	"context"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/ops/guard"
)

// answer works on a call until it is done or its time is over.
func answer[A any](
	ctx context.Context, s *service, do func(ctx context.Context, who auth.Identity) (*A, error),
) (*connect.Response[A], error) {
	c, _ := ctx.Value(callKey{}).(call) // always there behind the gate; without it there is no org
	ctx, cancel := context.WithTimeout(ctx, s.Most)
	defer cancel()
	leave, err := s.limit.Acquire(c.Org)
	if err != nil {
		return nil, s.failure(ctx, c, err)
	}
	type outcome struct {
		message *A
		err     error
	}
	done := make(chan outcome, 1)
	go func() { // a step of learning takes a moment to stop: the caller is answered in time, and the call counts until it is done
		defer leave()
		var o outcome
		o.err = guard.Call(ctx, guard.RPC, "request "+c.request, func(ctx context.Context) (err error) {
			o.message, err = do(ctx, c.Identity)
			return err
		})
		done <- o
	}()
	select {
	case <-ctx.Done():
		return nil, s.failure(ctx, c, ctx.Err())
	case o := <-done:
		if o.err != nil {
			return nil, s.failure(ctx, c, o.err)
		}
		return connect.NewResponse(o.message), nil
	}
}

// FetchHTML asks for a page.
func (s *service) FetchHTML(
	ctx context.Context, r *connect.Request[blueprintv1.FetchHTMLRequest],
) (*connect.Response[blueprintv1.FetchHTMLResponse], error) {
	return answer(ctx, s, func(ctx context.Context, who auth.Identity) (*blueprintv1.FetchHTMLResponse, error) {
		result, err := s.App.FetchPage(ctx, who, app.FetchPage{URL: r.Msg.GetUrl(), Render: r.Msg.GetRender()})
		if err != nil {
			return nil, err
		}
		return fetched(result), nil
	})
}

// GenerateBlueprint learns how to read a page.
func (s *service) GenerateBlueprint(
	ctx context.Context, r *connect.Request[blueprintv1.GenerateBlueprintRequest],
) (*connect.Response[blueprintv1.GenerateBlueprintResponse], error) {
	return answer(ctx, s, func(ctx context.Context, who auth.Identity) (*blueprintv1.GenerateBlueprintResponse, error) {
		command, err := toGenerate(r.Msg)
		if err != nil {
			return nil, err
		}
		g, err := s.App.GenerateBlueprint(ctx, who, command)
		if err != nil {
			return nil, err
		}
		return generated(g)
	})
}

// TestBlueprint reads a page by a blueprint.
func (s *service) TestBlueprint(
	ctx context.Context, r *connect.Request[blueprintv1.TestBlueprintRequest],
) (*connect.Response[blueprintv1.TestBlueprintResponse], error) {
	return answer(ctx, s, func(ctx context.Context, who auth.Identity) (*blueprintv1.TestBlueprintResponse, error) {
		command, err := toTest(r.Msg)
		if err != nil {
			return nil, err
		}
		t, err := s.App.TestBlueprint(ctx, who, command)
		if err != nil {
			return nil, err
		}
		return tested(t)
	})
}

// RepairBlueprint learns anew how to read a page.
func (s *service) RepairBlueprint(
	ctx context.Context, r *connect.Request[blueprintv1.RepairBlueprintRequest],
) (*connect.Response[blueprintv1.RepairBlueprintResponse], error) {
	return answer(ctx, s, func(ctx context.Context, who auth.Identity) (*blueprintv1.RepairBlueprintResponse, error) {
		command, err := toRepair(r.Msg)
		if err != nil {
			return nil, err
		}
		repair, err := s.App.RepairBlueprint(ctx, who, command)
		if err != nil {
			return nil, err
		}
		return repaired(repair)
	})
}
