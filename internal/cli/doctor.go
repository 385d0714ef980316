package cli

import (
	"fmt"

	"curlew/internal/config"
	"curlew/internal/curlew"
	"curlew/internal/installation"
)

type doctorCommand struct{}

func (doctorCommand) Run(a *app) error {
	cfg, err := config.Load(config.Inputs{File: a.Config, Environ: a.Environ, Flags: a.settings})
	var findings []installation.Finding
	if err != nil {
		findings = append(findings, installation.Finding{Check: "configuration", Verdict: installation.VerdictWrong, Sentence: err.Error()})
	} else {
		findings = append(findings, installation.Finding{Check: "configuration", Verdict: installation.VerdictOK, Sentence: "every setting has an allowed value"})
		findings = append(findings, installation.Examine(a.Context, cfg)...)
	}
	if a.JSON {
		writeJSON(a.Out, map[string]any{"settings": cfg.Settings(), "findings": findings})
	} else {
		printDoctor(a, cfg, findings)
	}
	for _, f := range findings {
		if f.Verdict == installation.VerdictWrong {
			return curlew.Permanent("unhealthy", "something is wrong with this installation: see above")
		}
	}
	return nil
}

func printDoctor(a *app, cfg config.Config, findings []installation.Finding) {
	var rows [][]string
	for _, s := range cfg.Settings() {
		value := s.Value
		if value == "" {
			value = "–"
		}
		rows = append(rows, []string{s.Name, value, s.Origin.String(), s.Env, "--" + s.Flag})
	}
	table(a.Out, []string{"setting", "value", "from", "variable", "flag"}, rows)
	fmt.Fprintln(a.Out)
	marks := map[string]string{installation.VerdictOK: "✓", installation.VerdictNotice: "•", installation.VerdictWrong: "✗"}
	for _, f := range findings {
		fmt.Fprintf(a.Out, "%s %s: %s\n", marks[f.Verdict], f.Check, f.Sentence)
	}
}
