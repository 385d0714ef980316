package browser

import (
	"fmt"
	"os"
	"strings"
)

// featuresOff are switched off: what talks to Google, what opens connections
// on a guess, and what spreads one page over several processes. A page's
// requests pass through its own DevTools session only while its frames live in
// one process; nothing is lost by that, since a page shares its browser context
// with no other.
var featuresOff = []string{
	"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "DialMediaRouteProvider", "DnsOverHttps",
	"GlobalMediaControls", "InterestFeedContentSuggestions", "IsolateOrigins", "IsolateSandboxedIframes", "LensOverlay",
	"MediaRouter", "NavigationPredictor", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding",
	"PreconnectToSearch", "Prerender2", "ProcessPerSiteUpToMainFrameThreshold", "ServiceWorkerAutoPreload",
	"SpeculationRulesPrefetchFuture", "Translate", "WebRtcHideLocalIpsWithMdns", "site-per-process",
}

// flags are Chromium's arguments. proxy is where everything goes that no page
// answers for.
func flags(o Options, dir, proxy string) []string {
	all := []string{
		"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + dir, "--window-size=1280,1600",
		// The way out.
		"--proxy-server=" + proxy,
		"--proxy-bypass-list=<-loopback>",
		// Names are the dialer's business: nothing is resolved here.
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--disable-quic", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--dns-prefetch-disable",
		"--disable-features=" + strings.Join(featuresOff, ","), "--disable-site-isolation-trials",
		// Chromium's own errands.
		"--disable-background-networking", "--disable-breakpad", "--disable-client-side-phishing-detection",
		"--disable-component-extensions-with-background-pages", "--disable-component-update", "--disable-crash-reporter",
		"--disable-default-apps", "--disable-domain-reliability", "--disable-extensions", "--disable-field-trial-config",
		"--disable-sync", "--metrics-recording-only", "--no-default-browser-check", "--no-first-run", "--no-pings",
		"--no-service-autorun", "--safebrowsing-disable-auto-update", "--password-store=basic",
		"--enable-automation",
		// What a page may want of a person.
		"--deny-permission-prompts", "--disable-notifications", "--disable-speech-api", "--mute-audio", "--disable-print-preview",
		// Two pages at once are both in front.
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--disable-hang-monitor", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
		// A heap of scripts ends before the process is too large.
		fmt.Sprintf("--js-flags=--max-old-space-size=%d", max(64, o.Memory>>21)),
	}
	if o.UserAgent != "" {
		all = append(all, "--user-agent="+o.UserAgent)
	}
	if os.Getuid() == 0 {
		// Chromium does not start as root with its sandbox. Run Curlew as
		// somebody else and this goes away.
		all = append(all, "--no-sandbox")
	}
	return all
}

// environment is all that Chromium gets of ours: no secrets, no display, no bus.
func environment(home string) []string {
	return []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8", "TZ=UTC",
		"XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home, "DBUS_SESSION_BUS_ADDRESS=disabled:",
	}
}
