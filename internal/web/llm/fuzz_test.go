package llm

import "fmt"
import "testing"

// Whatever a server sends, reading it gives an answer or none, and never a negative
// price.
func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`))
	f.Add([]byte(`{"content":[{"type":"text","text":"x"}],"usage":{"input_tokens":9223372036854775807,"cache_read_input_tokens":-1}}`))
	f.Add([]byte(`{"error":"text"}`))
	s := Settings{InputPrice: 1_000_000_000, OutputPrice: 1_000_000_000}
	f.Fuzz(func(t *testing.T, body []byte) {
		for i, w := range []wire{openAI{}, anthropic{}} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				if r, ok := w.reply(body); ok && s.cost(r.input, r.output) < 0 {
					t.Errorf("%s costs %d", body, s.cost(r.input, r.output))
				}
			})
		}
		if text := said(body, "k"); len([]rune(text)) > 201 {
			t.Errorf("%q is too long", text)
		}
	})
}
