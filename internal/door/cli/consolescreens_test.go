package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

// spoken is what a command says, for others to read meanwhile.
type spoken struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *spoken) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until the command has said something.
func (s *spoken) await(t *testing.T, pattern string) (found string) {
	t.Helper()
	looked := regexp.MustCompile(pattern)
	eventually.Told(t, "it says "+pattern, func() (bool, string) {
		found = looked.FindString(s.String())
		return found != "", s.String()
	})
	return found
}

// startDemo starts the demonstration, and ends it with the test.
func startDemo(t *testing.T, args ...string) (said *spoken, link string) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	said = &spoken{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Main(append([]string{"demo", "--listen", "127.0.0.1:0", "--port", "0"}, args...), Environment{Context: ctx, Out: said, Err: &spoken{}, In: strings.NewReader("")})
	}()
	t.Cleanup(func() { end(); <-ended })
	return said, said.await(t, `http://\S+/demo\?key=\w+`)
}

// chromium is a real browser, and what it complained about.
type chromium struct {
	context.Context
	mu         sync.Mutex
	complaints []string
}

func openChromium(t *testing.T) *chromium {
	t.Helper()
	at := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && at == "" {
			at = found
		}
	}
	if at == "" {
		t.Skip("this test needs Chromium")
	}
	profile, err := os.MkdirTemp("", "console-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) }) // Chromium may still be writing there
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(at), chromedp.NoSandbox, chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.UserDataDir(profile))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	tab, leave := chromedp.NewContext(allocator)
	t.Cleanup(leave)
	b := &chromium{Context: tab}
	chromedp.ListenTarget(tab, b.listen)
	if err := chromedp.Run(tab); err != nil { // the browser lives as long as the context of the first call
		t.Fatal(err)
	}
	b.do(t, network.Enable(), log.Enable(), runtime.Enable())
	return b
}

func (b *chromium) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			b.complaints = append(b.complaints, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

func (b *chromium) do(t *testing.T, actions ...chromedp.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.Context, 2*time.Minute)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// tell evaluates an expression on the page.
func tell[T any](t *testing.T, b *chromium, expression string) (told T) {
	t.Helper()
	b.do(t, chromedp.Evaluate(expression, &told))
	return told
}

// until waits for an expression to be true on the page.
func (b *chromium) until(t *testing.T, what, expression string) {
	t.Helper()
	eventually.True(t, what, func() bool { return tell[bool](t, b, expression) })
}

// shifts sums up how far things move by themselves, as browsers rate it: the worst five
// seconds, of shifts less than a second apart. What moves under 0.1 counts as standing
// still (web.dev/articles/cls).
const shifts = `(() => {
	window.shifted = 0; window.movers = [];
	let sum = 0, first = 0, last = 0;
	new PerformanceObserver((list) => {
		for (const e of list.getEntries()) {
			if (e.hadRecentInput) continue;
			if (e.startTime - last > 1000 || e.startTime - first > 5000) { sum = 0; first = e.startTime; }
			last = e.startTime; sum += e.value;
			if (sum > window.shifted) window.shifted = sum;
			for (const s of e.sources) if (s.node) window.movers.push((s.node.id || s.node.className || s.node.nodeName) + " " + e.value.toFixed(3));
		}
	}).observe({ type: "layout-shift", buffered: true });
})()`

func TestTheConsoleLivesInARealBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes in half of the sample web")
	}
	b := openChromium(t)
	said, link := startDemo(t, "--day", "3s")
	b.do(t, emulation.SetDeviceMetricsOverride(1280, 844, 1, false), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(shifts).Do(ctx)
		return err
	}), chromedp.Navigate(link))
	b.until(t, "the link signs in, and the stream is there", `document.querySelector(".live")?.dataset.state === "on"`)
	b.do(t, chromedp.Evaluate(`window.untouched = true`, nil))
	b.until(t, "sources arrive while somebody looks", `[...document.querySelectorAll(".tiles strong")].some(x => Number(x.textContent) > 0) && document.querySelectorAll("#recent > li").length > 0`)
	said.await(t, `Day 1`)
	b.until(t, "changes of a new day arrive by themselves, and are marked", `document.querySelectorAll("#recent > li.arrived").length > 0`)
	if !tell[bool](t, b, `window.untouched === true`) {
		t.Error("the page was loaded again")
	}
	if moved := tell[float64](t, b, `window.shifted`); moved >= 0.1 {
		t.Errorf("the dashboard moved by %.3f under the eyes of whoever reads it: %s", moved, tell[string](t, b, `window.movers.join(", ")`))
	} else {
		t.Logf("the dashboard moved by %.3f", moved)
	}
	b.do(t, chromedp.KeyEvent("?"))
	b.until(t, "the question mark shows the keys", `document.getElementById("keys").open`)
	b.do(t, chromedp.Evaluate(`document.getElementById("keys").close()`, nil))
	for range 20 { // the second key must follow soon, which a busy machine may fail to do
		if b.do(t, chromedp.KeyEvent("g"), chromedp.KeyEvent("c"), chromedp.Sleep(time.Second)); tell[string](t, b, `location.pathname`) == "/changes" {
			break
		}
	}
	b.until(t, "g and c lead to the changes", `location.pathname === "/changes" && document.readyState === "complete"`)
	b.do(t, chromedp.KeyEvent("j"), chromedp.KeyEvent("j"))
	b.until(t, "j steps through the rows", `document.querySelectorAll("#rows > li")[1].contains(document.activeElement)`)
	b.until(t, "new rows wait until somebody wants them", `!document.querySelector(".fresh").hidden`)
	newest := tell[string](t, b, `document.querySelector("#rows > li").dataset.key`)
	b.do(t, chromedp.Click(".fresh button"))
	b.until(t, "then they come on top", fmt.Sprintf(`document.querySelector(".fresh").hidden && document.querySelector("#rows > li").dataset.key !== %q`, newest))
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.complaints) > 0 {
		t.Errorf("the browser complained: %s", strings.Join(b.complaints, "\n"))
	}
}
