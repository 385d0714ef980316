package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// script is ours in every document. It lives in a world of its own: it sees
// the document, but the page sees neither it nor can it change what it calls.
var script = "(() => {\n" + wordsScript + pageScript + "})();"

var (
	//go:embed words.js
	wordsScript string
	//go:embed page.js
	pageScript string
)

const world = "curlew"

const poll = 25 * time.Millisecond

// calm is what has to be seen before a page counts as being at rest.
type calm struct {
	quiet time.Duration // without requests and new elements, where more may come unforeseen
	late  time.Duration // of looks, until then what the page has put off by timers is waited for
}

var (
	onceLoaded = calm{500 * time.Millisecond, 2 * time.Second} // the usual reading of "network idle"; late lists are seldom later
	onceActed  = calm{300 * time.Millisecond, time.Second}     // after something was done to a page that had come to rest
)

// quietProven is enough where nothing is seen that could bring more: six frames.
const quietProven = 100 * time.Millisecond

// state is how the page stands.
type state struct {
	Ready  bool    `json:"ready"`  // loaded
	Quiet  float64 `json:"quiet"`  // milliseconds since elements were last added
	Nodes  int     `json:"nodes"`  // elements
	Height int     `json:"height"` // of what can be scrolled, in pixels
	View   int     `json:"view"`   // of what is seen of it
	Lively bool    `json:"lively"` // frames and animations may do what requests and timers do not tell
}

// ask evaluates an expression of page.js in a frame and decodes its value.
func (t *tab) ask(ctx context.Context, frame cdp.FrameID, expression string, value any) error {
	ctx = t.on(ctx)
	id, err := page.CreateIsolatedWorld(frame).WithWorldName(world).Do(ctx)
	if err != nil {
		return err
	}
	result, exception, err := runtime.Evaluate(expression).WithContextID(id).WithAwaitPromise(true).
		WithReturnByValue(true).WithSilent(true).Do(ctx)
	switch {
	case err != nil:
		return err
	case exception != nil:
		return exception
	}
	return json.Unmarshal(result.Value, value)
}

// look asks for the page's state. While it moves from one document to the next
// there is nobody to answer; that is a state as well.
func (t *tab) look(ctx context.Context) (state, error) {
	var s state
	err := t.ask(ctx, t.main, "curlew.state()", &s)
	if ctx.Err() != nil {
		return state{}, ctx.Err()
	}
	if err != nil {
		return state{}, nil
	}
	return s, nil
}

// settle waits until the page is loaded, asks for nothing, adds nothing for a
// while and has put nothing off. It says whether it came to that within its limit.
func (t *tab) settle(c calm, limit time.Duration) (state, bool, error) {
	began := time.Now()
	var ready time.Time
	looks := 0 // at the loaded page: on a busy machine they take longer, as its timers do
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		s, err := t.look(t.work)
		if err != nil {
			return s, false, err
		}
		if s.Ready && ready.IsZero() {
			ready = time.Now()
		}
		if s.Ready {
			looks++
		}
		if s.Ready && time.Since(began) >= quietProven && t.still(s) >= quietProven {
			if s, ok := t.atRest(s, c, ready, c.late-time.Duration(looks)*poll); ok {
				return s, true, nil
			}
		}
		if time.Since(began) > limit {
			return s, false, nil
		}
		select {
		case <-tick.C:
		case <-t.work.Done():
			return s, false, t.work.Err()
		}
	}
}

// still is how long the page has asked for nothing and added nothing.
func (t *tab) still(s state) time.Duration {
	return min(t.traffic.idle(), time.Duration(s.Quiet)*time.Millisecond)
}

// atRest looks at a page that is quiet for what may yet come of it: timers that
// are about to run are waited for, and what may bring more at any time has to be
// quiet for long. Of what is left, a frame brings it out.
func (t *tab) atRest(s state, c calm, ready time.Time, left time.Duration) (state, bool) {
	a := t.pendingTimers(left)
	if a.Soon {
		return s, false
	}
	if (a.Ticking || s.Lively || t.traffic.beside()) && min(t.still(s), time.Since(ready)) < c.quiet {
		return s, false
	}
	var after state
	if err := t.ask(t.work, t.main, "curlew.drawn()", &after); err != nil {
		return s, false
	}
	return after, after.Ready && t.still(after) >= quietProven
}

// timers is what the page has put off.
type timers struct {
	Soon    bool `json:"soon"`    // a timer will run before long
	Ticking bool `json:"ticking"` // something runs again and again
}

// pendingTimers asks the guard, which lives in the page's own world. What gives no
// sensible answer may do anything.
func (t *tab) pendingTimers(within time.Duration) timers {
	unknown := timers{Ticking: true}
	ask := fmt.Sprintf(`globalThis[Symbol.for("curlew.timers")](%d)`, max(0, within.Milliseconds()))
	result, exception, err := runtime.Evaluate(ask).WithReturnByValue(true).WithSilent(true).Do(t.on(t.work))
	if err != nil || exception != nil {
		return unknown
	}
	var a timers
	if json.Unmarshal(result.Value, &a) != nil {
		return unknown
	}
	return a
}

// patienceOf is how long one settling may take: a page that never rests must
// leave time for the rest.
func (t *tab) patienceOf() time.Duration { return max(t.request.Budget.Time/3, time.Second) }

// act lets the page come to rest and does to it what a reader would do.
func (t *tab) act() error {
	_, settled, err := t.settle(onceLoaded, t.patienceOf())
	if err != nil {
		return err
	}
	t.pin()
	steps := []func() error{t.consent, t.scroll, t.consent, t.more}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	if !settled {
		if _, settled, err = t.settle(onceActed, onceLoaded.quiet); err != nil {
			return err
		}
	}
	if !settled {
		t.note("it did not finish loading")
	}
	return nil
}

// pin keeps the page from being left: from here on it is we who press buttons.
func (t *tab) pin() {
	var url string
	if err := t.ask(t.work, t.main, "curlew.url()", &url); err != nil {
		url = t.request.URL
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pinned = url
}

// maxLayers is how many dialogs are put away: the banner, its second page, and
// what hid behind them.
const maxLayers = 3

// consent puts dialogs away, refusing where a dialog lets us.
func (t *tab) consent() error {
	for range maxLayers {
		how, err := t.dismiss()
		if err != nil || how == "" {
			return err
		}
		if how == "closed" {
			t.acted("closed dialog")
		} else {
			t.acted("dismissed consent dialog (%s)", how)
		}
		if _, _, err := t.settle(onceActed, t.patienceOf()); err != nil {
			return err
		}
	}
	return nil
}

// dismiss tries the page and then its frames, where some consent services live.
func (t *tab) dismiss() (string, error) {
	var how string
	if err := t.ask(t.work, t.main, "curlew.dismiss(false)", &how); err != nil || how != "" {
		return how, t.passing(err)
	}
	tree, err := page.GetFrameTree().Do(t.on(t.work))
	if err != nil {
		return "", t.passing(err)
	}
	for _, frame := range tree.ChildFrames[:min(len(tree.ChildFrames), 10)] {
		err := t.ask(t.work, frame.Frame.ID, "curlew.dismiss(true)", &how)
		if err == nil && how != "" {
			return how, nil
		}
	}
	return "", t.passing(nil)
}

// passing drops an error that only says that the document has just changed.
func (t *tab) passing(err error) error {
	if t.work.Err() != nil {
		return t.work.Err()
	}
	var exception *runtime.ExceptionDetails
	var message *cdproto.Error
	if err == nil || errors.As(err, &exception) || errors.As(err, &message) {
		return nil
	}
	return err
}

// scroll goes to the bottom until the page grows no more.
func (t *tab) scroll() error {
	before, err := t.look(t.work)
	if err != nil || before.Height <= before.View {
		return err
	}
	times := 0
	defer func() {
		if times > 0 {
			t.acted("scrolled %s", count(times))
		}
	}()
	for times < t.request.Budget.Scrolls {
		var height int
		if err := t.passing(t.ask(t.work, t.main, "curlew.scroll()", &height)); err != nil {
			return err
		}
		times++
		after, _, err := t.settle(onceActed, t.patienceOf())
		if err != nil {
			return err
		}
		if after.Height <= before.Height && after.Nodes <= before.Nodes {
			return nil
		}
		before = after
	}
	if t.request.Budget.Scrolls > 0 {
		t.note("it was still growing after %s of scrolling", count(times))
	}
	return nil
}

// more presses "load more" until there is no such button or nothing new comes.
func (t *tab) more() error {
	times := 0
	defer func() {
		if times > 0 {
			t.acted("clicked load more %s", count(times))
		}
	}()
	before, err := t.look(t.work)
	if err != nil {
		return err
	}
	for {
		var found bool
		press := times < t.request.Budget.Clicks
		if err := t.passing(t.ask(t.work, t.main, fmt.Sprintf("curlew.more(%t)", press), &found)); err != nil || !found {
			return err
		}
		if !press {
			t.note("there was more to load after %s", count(times))
			return nil
		}
		times++
		after, _, err := t.settle(onceActed, t.patienceOf())
		if err != nil || after.Nodes <= before.Nodes {
			return err
		}
		before = after
	}
}

func count(n int) string {
	if n == 1 {
		return "1 time"
	}
	return fmt.Sprintf("%d times", n)
}
