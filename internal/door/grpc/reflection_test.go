package grpc

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func TestClientsMayAskWhatCanBeCalled(t *testing.T) {
	var wrong atomic.Bool
	mux := http.NewServeMux()
	Serve(Options{Authenticate: func(*http.Request) (auth.Identity, error) {
		if wrong.Load() {
			return auth.Identity{}, curlew.Refused("unauthenticated", "send a key")
		}
		return auth.Identity{Org: "acme", User: "usr_x", Role: curlew.RoleEditor}, nil
	}, Rate: throttle.Rate{PerSecond: 1e6, Burst: 1e6}})(mux)
	server := httptest.NewUnstartedServer(mux)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	ask := func() ([]protoreflect.FullName, []string, error) {
		stream := grpcreflect.NewClient(server.Client(), server.URL, connect.WithGRPC()).NewStream(t.Context())
		defer func() { _, _ = stream.Close() }()
		services, err := stream.ListServices()
		if err != nil {
			return nil, nil, err
		}
		files, err := stream.FileContainingSymbol(blueprintv1.BlueprintServiceName)
		if err != nil {
			return nil, nil, err
		}
		var calls []string
		for _, file := range files {
			for _, service := range file.GetService() {
				for _, method := range service.GetMethod() {
					calls = append(calls, method.GetName())
				}
			}
		}
		return services, calls, nil
	}
	services, calls, err := ask()
	if err != nil || !slices.Contains(services, protoreflect.FullName(blueprintv1.BlueprintServiceName)) {
		t.Fatalf("the services are %v: %v", services, err)
	}
	for _, call := range []string{"FetchHTML", "GenerateBlueprint", "TestBlueprint", "RepairBlueprint"} {
		t.Run(call, func(t *testing.T) {
			if !slices.Contains(calls, call) {
				t.Errorf("%s is missing among %v", call, calls)
			}
		})
	}
	wrong.Store(true)
	if _, _, err := ask(); connect.CodeOf(err) != connect.CodeUnauthenticated {
		t.Errorf("a stranger is told %v", err)
	}
}
