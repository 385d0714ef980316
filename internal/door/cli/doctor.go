package cli

import (
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type doctorCommand struct{}

func (doctorCommand) Run(a *program) error {
	cfg, err := config.Load(config.Inputs{File: a.Config, Environ: a.Environ, Flags: a.settings})
	var findings []setup.Diagnosis
	if err != nil {
		findings = append(findings, setup.Diagnosis{Check: "configuration", Verdict: setup.VerdictWrong, Sentence: err.Error()})
	} else {
		findings = append(findings, setup.Diagnosis{Check: "configuration", Verdict: setup.VerdictOK,
			Sentence: "every setting has an allowed value"})
		findings = append(findings, setup.Examine(a.Context, cfg)...)
	}
	if a.JSON {
		writeJSON(a.Out, map[string]any{"settings": cfg.Settings(), "findings": findings})
	} else {
		printDoctor(a, cfg, findings)
	}
	for _, f := range findings {
		if f.Verdict == setup.VerdictWrong {
			return curlew.Permanent("unhealthy", "something is wrong with this installation: see above")
		}
	}
	return nil
}

func printDoctor(a *program, cfg config.Config, findings []setup.Diagnosis) {
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
	marks := map[string]string{setup.VerdictOK: "✓", setup.VerdictNotice: "•", setup.VerdictWrong: "✗"}
	for _, f := range findings {
		fmt.Fprintf(a.Out, "%s %s: %s\n", marks[f.Verdict], f.Check, f.Sentence)
	}
}
