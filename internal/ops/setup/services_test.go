package setup

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
)

// The operator's mail server is reached on its private address and its own port, which nobody
// who subscribes can choose as a target.
func TestTheMailServerIsReachedAndNotOpenedToSubscribers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	var calls atomic.Int64
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			_ = conn.Close()
		}
	}()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	cfg.Mail = config.Mail{From: "curlew@example.org",
		Server: config.MailServer{Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port}}
	i, err := Open(t.Context(), cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	address := "http://" + cfg.Mail.Server.Address() + "/"
	for _, s := range []curlew.Subscription{{Channel: curlew.ChannelWebhook, Target: json.RawMessage(`{"url":"` + address + `","secrets":[{"key":"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}]}`)},
		{Channel: curlew.ChannelSlack, Target: json.RawMessage(`{"url":"` + address + `"}`)}} {
		t.Run(string(s.Channel), func(t *testing.T) {
			_, outcome, err := i.SendTest(t.Context(), s)
			if said := fmt.Sprint(outcome, err); calls.Load() > 0 || !strings.Contains(said, "is not public") {
				t.Errorf("%s reaches the mail server: %s", s.Channel, said)
			}
		})
	}
	_, _, _ = i.SendTest(t.Context(), curlew.Subscription{Channel: curlew.ChannelEmail, Target: json.RawMessage(`{"to":["somebody@example.org"]}`)})
	if calls.Load() == 0 {
		t.Error("the mail server is not reached")
	}
}
