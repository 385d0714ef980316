package config

import (
	"net/url"
	"strconv"
	"strings"
)

// Metrics is where figures are shown, and how many hosts they name.
type Metrics struct {
	Listen string // "" shows them where the API listens
	Hosts  int
}

// Telemetry is where traces of runs are sent.
type Telemetry struct {
	Endpoint string // "" sends none
	Headers  Secret
	Sample   float64
}

// HeaderList are the headers, as OTEL_EXPORTER_OTLP_HEADERS writes them.
func (t Telemetry) HeaderList() map[string]string {
	all, _ := parseHeaders(t.Headers.Secret()) // checked when it was set
	return all
}

func telemetry(c *Config) []row {
	m, t := &c.Metrics, &c.Telemetry
	return []row{
		{name: "metrics.listen", initial: "", value: optionalAddress(&m.Listen),
			doc: "Separate address for /metrics, which is then not served with the API; empty means none."},
		{name: "metrics.hosts", initial: "50", value: whole(&m.Hosts, 0, 1000),
			doc: "Hosts that the domain label of metrics names, the busiest first; all others are \"other\". None is named where strangers " +
				"might read it: when listen is not loopback or console.url is set, and metrics.listen is not."},
		{name: "telemetry.endpoint", initial: "", value: collector(&t.Endpoint), standard: "OTEL_EXPORTER_OTLP_ENDPOINT",
			doc: "OpenTelemetry collector that receives traces of runs by OTLP over HTTP; empty sends none. OTEL_EXPORTER_OTLP_ENDPOINT is " +
				"honoured."},
		{name: "telemetry.headers", initial: "", value: headers(&t.Headers), standard: "OTEL_EXPORTER_OTLP_HEADERS",
			doc: "Headers for the collector, such as its key; better in the environment than in a flag. OTEL_EXPORTER_OTLP_HEADERS is honoured."},
		{name: "telemetry.sample", initial: "1", value: share(&t.Sample),
			doc: "Share of runs that are traced; a run is traced whole or not at all."},
	}
}

func optionalAddress(p *string) value {
	return plain(p, "empty, or "+addressAllowed, func(s string) error {
		if s == "" {
			return nil
		}
		return checkAddress(s)
	})
}

// collector is the address of an OTLP receiver: without the path of traces, which is
// added.
func collector(p *string) value {
	v := endpoint(p)
	v.allowed = "empty, or an http(s) address such as http://127.0.0.1:4318, without password and query"
	return v
}

func share(p *float64) value {
	return parsed(p, "a number from 0 to 1, such as 0.1", func(s string) (float64, error) {
		f, err := strconv.ParseFloat(s, 64)
		return f, misfit(err == nil && f >= 0 && f <= 1)
	}, func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) })
}

func headers(p *Secret) value {
	allowed := "empty, or a list such as api-key=abc,x-tenant=42, in plain ASCII with special characters percent-encoded"
	return masked(p, allowed, func(s string) error {
		_, err := parseHeaders(s)
		return err
	})
}

func parseHeaders(s string) (map[string]string, error) {
	all := map[string]string{}
	if len(s) > 4096 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return all, errMisfit
	}
	for part := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, text, ok := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		decoded, err := url.PathUnescape(strings.TrimSpace(text))
		if !ok || name == "" || err != nil || strings.ContainsAny(name, " \t()<>@;:\\\"/[]?{}") || strings.ContainsAny(decoded, "\r\n\x00") {
			return all, errMisfit
		}
		all[name] = decoded
	}
	return all, nil
}
