package config

import (
	"fmt"
	"io"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// LLM is which model may be asked, and what it may cost.
type LLM struct {
	Provider    string // "off" asks none
	URL         string // "" is the provider's own
	Model       string
	Key         Secret
	MaxTokens   int
	Timeout     time.Duration
	Tries       int
	Rounds      int
	InputPrice  Micros // of a million tokens
	OutputPrice Micros
	Budget      Micros // of one command; 0 means no limit
	MonthBudget Micros // of an org in a calendar month; 0 means no limit
}

// NoModel is the provider of installations that ask no model.
const NoModel = "off"

// Micros is an amount of money in millionths of a dollar.
type Micros int64

// Secret is a text that prints masked whichever way it is printed.
type Secret struct{ text string }

// Secret is the text itself: for whoever must send it, never for display.
func (s Secret) Secret() string { return s.text }

// String tells only whether there is anything.
func (s Secret) String() string {
	if s.text == "" {
		return ""
	}
	return "…"
}

// Format prints the mask whatever the verb, %#v too.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText keeps the text out of JSON and logs.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// secret keeps to what can stand in a header.
func secret(p *Secret) value {
	return masked(p, "empty, or up to 500 characters of plain ASCII without spaces", func(s string) error {
		return misfit(len(s) <= 500 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }))
	})
}

// keyTexts are one or more keys that nobody guesses.
func keyTexts(p *Secret) value {
	return masked(p, "empty, or a key of 32 to 500 characters of plain ASCII without spaces; keys that are only read with follow after commas",
		func(s string) error {
			short := func(key string) bool { return len(key) < 32 || len(key) > 500 }
			plain := !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
			return misfit(s == "" || plain && !slices.ContainsFunc(strings.Split(s, ","), short))
		})
}

func masked(p *Secret, allowed string, check func(string) error) value {
	v := parsed(p, allowed, func(s string) (Secret, error) { return Secret{s}, check(s) }, Secret.String)
	v.show = func(s string) string { return Secret{s}.String() }
	return v
}

// endpoint is the address of an API: its key has a place of its own.
func endpoint(p *string) value {
	v := plain(p, "empty, or an http(s) address such as http://127.0.0.1:11434/v1, without password and query", func(s string) error {
		u, err := url.Parse(s)
		return misfit(s == "" || err == nil && onWeb(u) && isBare(u))
	})
	v.show = queryMasked
	return v
}

var modelPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$`)

func modelName(p *string) value {
	return plain(p, "empty, or the name of a model, such as qwen3:8b", func(s string) error {
		return misfit(s == "" || modelPattern.MatchString(s) && !strings.Contains(s, "://"))
	})
}

var dollarText = regexp.MustCompile(`^[0-9]{1,6}(\.[0-9]{1,6})?$`)

// dollars is an amount up to most dollars, exact to the millionth.
func dollars(p *Micros, most int) value {
	return parsed(p, fmt.Sprintf("an amount in dollars from 0 to %d, such as 2.50", most), func(s string) (Micros, error) {
		amount, err := strconv.ParseFloat(s, 64)
		return Micros(math.Round(amount * 1e6)), misfit(err == nil && dollarText.MatchString(s) && amount <= float64(most))
	}, Micros.String)
}

// String is the amount in dollars.
func (m Micros) String() string { return strconv.FormatFloat(float64(m)/1e6, 'f', -1, 64) }
