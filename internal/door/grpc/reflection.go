package grpc

import (
	"net/http"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/door/grpc/candidatev1"
	"github.com/curlew-data/curlew/internal/door/grpc/kindv1"
)

// reflections let clients such as grpcurl ask what can be called: by the protocol as it is,
// and as older clients speak it. Whoever may call may ask.
func reflections() map[string]http.Handler {
	reflector := grpcreflect.NewStaticReflector(blueprintv1.BlueprintServiceName, candidatev1.CandidateServiceName, kindv1.KindServiceName)
	all := map[string]http.Handler{}
	for _, serve := range []func(*grpcreflect.Reflector, ...connect.HandlerOption) (string, http.Handler){grpcreflect.NewHandlerV1,
		grpcreflect.NewHandlerV1Alpha} {
		path, handler := serve(reflector, connect.WithReadMaxBytes(mostQuestion))
		all[path] = handler
	}
	return all
}

// mostQuestion is how long one question about the service may be.
const mostQuestion = 64 << 10
