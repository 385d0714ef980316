package demo

import "github.com/curlew-data/curlew/internal/curlew"

// State is what commands have done to a site.
type State struct {
	Day    int  `json:"day"`
	Design int  `json:"design"` // counted from 0
	Drift  int  `json:"drift"`
	Broken Mode `json:"broken,omitempty"`
}

// Mode is how a site is broken. robots.txt keeps answering in every mode, so
// that a reader gets as far as the broken page.
type Mode string

const (
	ModeError     Mode = "500"       // every page is an internal error
	ModeEmpty     Mode = "empty"     // 200 without a body
	ModeBlock     Mode = "block"     // 403 with a challenge page
	ModeCaptcha   Mode = "captcha"   // 200 with a challenge page
	ModeTruncated Mode = "truncated" // the connection ends before the promised length
	ModeHalf      Mode = "half"      // half a page that claims to be whole
)

// Modes lists the ways to break a site.
func Modes() []Mode {
	return []Mode{ModeError, ModeEmpty, ModeBlock, ModeCaptcha, ModeTruncated, ModeHalf}
}

// Advance takes one site to its next day.
func (w *Web) Advance(name string) error {
	return w.command(name, func(p *place) { p.state.Day++ })
}

// AdvanceAll takes every site to its next day.
func (w *Web) AdvanceAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.running {
		p.state.Day++
	}
}

// Redesign gives a site new markup for the same content.
func (w *Web) Redesign(name string) error {
	return w.command(name, func(p *place) { p.state.Design = (p.state.Design + 1) % max(1, p.card.Designs) })
}

// Drift changes what does not matter: tokens, counters, cache-busters, the
// order of attributes, white space, tracking parameters.
func (w *Web) Drift(name string) error {
	return w.command(name, func(p *place) { p.state.Drift++ })
}

// Break makes a site fail in a mode until it is repaired.
func (w *Web) Break(name string, mode Mode) error {
	for _, known := range Modes() {
		if mode == known {
			return w.command(name, func(p *place) { p.state.Broken = mode })
		}
	}
	return curlew.Permanent("unknown_mode", "a site cannot be broken as %q: use 500, empty, block, captcha, truncated or half", mode)
}

// Repair ends what Break began.
func (w *Web) Repair(name string) error {
	return w.command(name, func(p *place) { p.state.Broken = "" })
}

// Reset takes every site back to how it was at first.
func (w *Web) Reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.running {
		p.state, p.visit = State{}, 0
	}
}

func (w *Web) command(name string, change func(*place)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.place(name)
	if err != nil {
		return err
	}
	change(p)
	return nil
}
