package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// The scripts ask the program itself, so that they never grow old.
var completionScripts = map[string]string{
	"bash": `# Put this into ~/.bashrc:  source <(curlew completion bash)
_curlew() {
  local IFS=$'\n'
  COMPREPLY=($(curlew __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _curlew curlew
`,
	"zsh": `#compdef curlew
# Put this into ~/.zshrc:  source <(curlew completion zsh)
_curlew() {
  local -a found
  found=("${(@f)$(curlew __complete -- "${(@)words[2,$CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
compdef _curlew curlew
`,
	"fish": `# Put this into ~/.config/fish/completions/curlew.fish
function __curlew_complete
    set -l words (commandline -opc) (commandline -ct)
    curlew __complete -- $words[2..-1] 2>/dev/null
end
complete -c curlew -a '(__curlew_complete)'
`,
}

func (c completionCommand) Run(a *program) error {
	fmt.Fprint(a.Out, completionScripts[c.Shell])
	return nil
}

type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The words so far; the last one is being typed."`
}

func (c completeCommand) Run(a *program) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, word := range complete(a.parser.Model.Node, words) {
		fmt.Fprintln(a.Out, word)
	}
	return nil
}

// complete lists what the last of the words may become.
func complete(node *kong.Node, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	flags := node.Flags
	last := words[len(words)-1]
	for _, word := range words[:len(words)-1] {
		for _, child := range node.Children {
			if child.Name == word {
				node = child
				flags = append(flags, child.Flags...)
			}
		}
	}
	var found []string
	if strings.HasPrefix(last, "-") {
		for _, f := range flags {
			found = append(found, "--"+f.Name)
		}
	} else {
		for _, child := range node.Children {
			if !child.Hidden {
				found = append(found, child.Name)
			}
		}
		for _, arg := range node.Positional {
			found = append(found, arg.EnumSlice()...)
		}
	}
	found = slices.DeleteFunc(found, func(w string) bool { return w == "" || !strings.HasPrefix(w, last) })
	slices.Sort(found)
	return slices.Compact(found)
}
