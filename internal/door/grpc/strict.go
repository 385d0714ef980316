package grpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/curlew"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// strictJSON reads and writes messages as JSON. It reads fields that are unknown in no silence, as the REST API does: what
// is misspelt would not be done.
type strictJSON struct{}

// mistakeField carries what is wrong with a message to refuseMistakes: a codec has no request that it could answer. Messages that
// come as Protobuf may have it too, and say no more than their sender wrote.
const mistakeField = protowire.MaxValidNumber

func (strictJSON) Name() string { return "json" }

func (strictJSON) Marshal(message any) ([]byte, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", message)
	}
	return protojson.Marshal(m)
}

func (strictJSON) Unmarshal(raw []byte, message any) error {
	m, ok := message.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no message", message)
	}
	if err := protojson.Unmarshal(raw, m); err != nil {
		p := mistakeIn(raw, err)
		proto.Reset(m)
		m.ProtoReflect().SetUnknown(protowire.AppendString(protowire.AppendTag(nil, mistakeField, protowire.BytesType), p.Field+"\n"+p.Sentence))
	}
	return nil
}

var (
	unknownField = regexp.MustCompile(`unknown field "([^"]*)"`)
	wrongValue   = regexp.MustCompile(`invalid value for .*`)
)

// mistakeIn says what is wrong with a body that cannot be read, in the words of the REST API.
func mistakeIn(raw []byte, err error) curlew.Problem {
	broken := json.NewDecoder(bytes.NewReader(raw)).Decode(new(any))
	switch found := unknownField.FindStringSubmatch(err.Error()); {
	case found != nil:
		return curlew.Problem{Field: bounded(found[1], 80), Sentence: "unknown field"}
	case broken != nil:
		return curlew.Problem{Sentence: curlew.BodyProblem(broken)}
	}
	why := wrongValue.FindString(err.Error())
	if why == "" {
		why = "it must be an object as the description of the service says"
	}
	return curlew.Problem{Sentence: "the body cannot be read: " + bounded(why, 80)}
}

// refuseMistakes answers a request that strictJSON could not read.
func (s *service) refuseMistakes(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		if m, ok := r.Any().(proto.Message); ok {
			number, kind, n := protowire.ConsumeTag(m.ProtoReflect().GetUnknown())
			if n > 0 && number == mistakeField && kind == protowire.BytesType {
				said, _ := protowire.ConsumeString(m.ProtoReflect().GetUnknown()[n:])
				field, sentence, _ := strings.Cut(said, "\n")
				c, _ := ctx.Value(callKey{}).(call)
				return nil, s.failure(ctx, c, curlew.ProblemIn(field, sentence))
			}
		}
		return next(ctx, r)
	}
}
