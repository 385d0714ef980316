package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

type kindsCommand struct {
	List   kindsList   `cmd:"" default:"withargs" help:"List the kinds of things: built in, and your own."`
	Show   kindsShow   `cmd:"" help:"Show the fields of a kind."`
	Add    kindsAdd    `cmd:"" help:"Make a custom kind."`
	Edit   kindsEdit   `cmd:"" help:"Change a custom kind."`
	Delete kindsDelete `cmd:"" help:"Delete a custom kind that no blueprint uses."`
}

type kindsList struct{}

func (kindsList) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		all, err := use.Kinds(ctx, who)
		if err != nil {
			return err
		}
		list(a, all, "", []string{"kind", "made by", "called by", "fields"}, func(k curlew.Schema) []string {
			by := "you"
			if k.Name.BuiltIn() {
				by = "Curlew"
			}
			return []string{string(k.Name), by, k.Title, fmt.Sprint(len(k.Fields))}
		})
		return nil
	})
}

type kindsShow struct {
	Name string `arg:"" help:"Name of the kind."`
}

func (c kindsShow) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		kind, err := use.Kind(ctx, who, curlew.SchemaName(c.Name))
		if err != nil {
			return err
		}
		printKind(a, kind)
		return nil
	})
}

func printKind(a *program, kind curlew.Schema) {
	if a.JSON {
		writeJSON(a.Out, kind)
		return
	}
	sets := make([]string, len(kind.Identity))
	for i, set := range kind.Identity {
		sets[i] = strings.Join(set, " + ")
	}
	fmt.Fprintf(a.Out, "%s, called by its %s; the same thing has the same %s\n\n", kind.Name, kind.Title,
		strings.Join(sets, ", else the same "))
	list(a, kind.Fields, "", []string{"field", "type", "required"}, func(f curlew.Field) []string {
		of := string(f.Type)
		switch {
		case f.Of != "":
			of += " of " + string(f.Of)
		case len(f.Choices) > 0:
			of += ": " + strings.Join(f.Choices, ", ")
		}
		required := ""
		if f.Required {
			required = "yes"
		}
		return []string{f.Name, of, required}
	})
}

// kindFlags are the ways to say what a kind is.
type kindFlags struct {
	Field    []string `help:"A field: NAME:TYPE, with ! after it if every record has it; also choice:a,b and list:TYPE. May be repeated." placeholder:"NAME:TYPE" sep:"none"`
	Title    string   `help:"The field with the name of the entity; the first text field by default." placeholder:"FIELD"`
	Identity []string `help:"Fields that identify a record, joined by +; repeat for a fallback when the first has no value." placeholder:"A+B"`
	File     string   `help:"The definition as JSON, as \"kinds show --json\" prints it; - reads standard input." placeholder:"FILE"`
}

func (f kindFlags) fields(a *program) (app.KindFields, error) {
	var out app.KindFields
	if f.File != "" {
		file, err := a.kindInFile(f.File)
		if err != nil {
			return out, err
		}
		out = file.KindFields // the name on the command line counts
	}
	for _, text := range f.Field {
		field, err := parseField(text)
		if err != nil {
			return out, err
		}
		out.Fields = append(out.Fields, field)
	}
	if f.Title != "" {
		out.Title = f.Title
	}
	for _, set := range f.Identity {
		out.Identity = append(out.Identity, strings.Split(set, "+"))
	}
	return out, nil
}

// kindInFile reads a kind in the form in which "kinds show --json" prints it.
func (a *program) kindInFile(file string) (kind app.AddKind, err error) {
	raw, err := a.readKind(file)
	if err != nil {
		return kind, err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&kind); err != nil {
		return kind, usage("%s is no kind in JSON: %s", file, text.JSONProblem(err))
	}
	return kind, nil
}

// kindOf is the kind that --schema names: one that is known, or the one in a file.
func (a *program) kindOf(schema string) (curlew.Schema, error) {
	if strings.HasSuffix(schema, ".json") {
		file, err := a.kindInFile(schema)
		if err != nil {
			return curlew.Schema{}, err
		}
		if wrong := file.Check(); len(wrong) > 0 {
			return curlew.Schema{}, exitError{wrong, exitUsage}
		}
		return curlew.Schema{Name: file.Name, Title: file.Title, Identity: file.Identity, Fields: file.Fields}.Completed(), nil
	}
	known := a.kinds // of the org, where an installation is open
	if known == nil {
		known = curlew.Schemas()
	}
	kind, err := known.ByName(curlew.SchemaName(schema))
	if err != nil {
		return kind, usage("%s, or the file of a kind of your own, as \"curlew kinds show NAME --json\" prints it",
			curlew.AsFault(err).Sentence)
	}
	return kind, nil
}

func (a *program) readKind(file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(io.LimitReader(a.In, 1<<20))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, exitError{unreadable(file, err), exitUsage}
	}
	return text, nil
}

// parseField reads "rooms:integer!", "state:choice:open,closed" and "tags:list:text".
func parseField(text string) (curlew.Field, error) {
	bare, required := strings.CutSuffix(text, "!")
	parts := strings.SplitN(bare, ":", 3)
	if len(parts) < 2 {
		return curlew.Field{}, usage("--field %q: write NAME:TYPE, such as price:money or rooms:integer!", text)
	}
	f := curlew.Field{Name: parts[0], Type: curlew.FieldType(parts[1]), Required: required}
	if len(parts) == 3 {
		switch f.Type {
		case curlew.TypeChoice:
			f.Choices = strings.Split(parts[2], ",")
		default:
			f.Of = curlew.FieldType(parts[2])
		}
	}
	return f, nil
}

type kindsAdd struct {
	Name string `arg:"" help:"Name of the kind, such as recipe."`
	kindFlags
	From string `help:"Use the fields of a watch; --field adds or replaces." placeholder:"WATCH"`
}

func (c kindsAdd) Run(a *program) error {
	given, err := c.fields(a)
	if err != nil {
		return err
	}
	org, err := a.org()
	if err != nil {
		return err
	}
	i, err := a.openOrMake(a.Context)
	if err != nil {
		return err
	}
	defer i.Close()
	use, who := useCases(i), operator(org)
	if c.From != "" {
		id, err := parseOptional[curlew.WatchID](c.From)
		if err != nil {
			return err
		}
		proposed, err := use.ProposeKind(a.Context, who, id)
		if err != nil {
			return err
		}
		given = proposed.With(given)
	}
	kind, err := use.AddKind(a.Context, who, app.AddKind{Name: curlew.SchemaName(c.Name), KindFields: given})
	if err != nil {
		return err
	}
	printKind(a, kind)
	return nil
}

type kindsEdit struct {
	Name string `arg:"" help:"Name of the kind."`
	kindFlags
	Rename map[string]string `help:"Another name for a field: OLD=NEW. May be repeated." placeholder:"OLD=NEW" mapsep:","`
	Remove []string          `help:"Remove a field. May be repeated." placeholder:"FIELD"`
}

func (c kindsEdit) Run(a *program) error {
	given, err := c.fields(a)
	if err != nil {
		return err
	}
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		kind, err := use.EditKind(ctx, who, app.EditKind{Name: curlew.SchemaName(c.Name), Title: given.Title, Identity: given.Identity,
			Fields: given.Fields, Rename: c.Rename, Remove: c.Remove})
		if err != nil {
			return err
		}
		printKind(a, kind)
		return nil
	})
}

type kindsDelete struct {
	Name string `arg:"" help:"Name of the kind."`
}

func (c kindsDelete) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		if err := use.DeleteKind(ctx, who, curlew.SchemaName(c.Name)); err != nil {
			return err
		}
		a.say(map[string]any{"deleted": c.Name}, "The kind %s is deleted.", c.Name)
		return nil
	})
}
