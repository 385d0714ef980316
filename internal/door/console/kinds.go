package console

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
)

// kindList are the kinds, built in and of the org.
type kindList struct {
	Kinds curlew.Kinds
	Own   bool // some are of the org
}

func listKinds(ctx context.Context, v *visit) (view, error) {
	all, err := v.app.Kinds(ctx, v.who)
	return view{"kinds", "Kinds", kindList{all, len(all) > len(curlew.Schemas())}}, err
}

func kindAt(v *visit) curlew.SchemaName { return curlew.SchemaName(v.PathValue("id")) }

func showKind(ctx context.Context, v *visit) (view, error) {
	kind, err := v.app.Kind(ctx, v.who, kindAt(v))
	if err != nil {
		return view{}, err
	}
	p := kindPage{Schema: kind}
	all, err := v.app.FieldWords(ctx, v.who)
	for _, f := range kind.Fields {
		p.Words = append(p.Words, all.Of(kind.Name, f.Name)...)
		if len(f.Answers()) > 0 {
			p.Closed = append(p.Closed, f)
		}
	}
	return view{"kind", word(kind.Name), p}, err
}

// kindPage is a kind with the words of the org.
type kindPage struct {
	curlew.Schema
	Words  curlew.FieldWords
	Closed []curlew.Field // fields of a closed set, whose words can be given a meaning
}

// wordAt is the word that a form of the page of a kind is about.
func wordAt(v *visit) app.FieldWordName {
	return app.FieldWordName{Schema: kindAt(v), Field: v.form("field"), Word: v.form("word")}
}

func setWord(ctx context.Context, v *visit) (string, error) {
	_, err := v.app.SetFieldWord(ctx, v.who, app.SetFieldWord{FieldWordName: wordAt(v), Value: v.form("value")})
	return "/kinds/" + string(kindAt(v)) + "?done=saved", err
}

func deleteWord(ctx context.Context, v *visit) (string, error) {
	return "/kinds/" + string(kindAt(v)) + "?done=removed", v.app.DeleteFieldWord(ctx, v.who, wordAt(v))
}

// kindForm is a kind while it is written.
type kindForm struct {
	Was      curlew.SchemaName // "" of a new one
	Name     string
	Rows     []kindRow
	Title    string // number of its row
	Identity string // one set of fields a line
	Page     string // address of the list whose fields these are; "" of none
	Wrong    curlew.Problems
}

// kindRow is a field of a kind while it is written.
type kindRow struct {
	Was, Name, Of, Labels string // Of: choices, or what a list is of
	Type                  curlew.FieldType
	Required              bool
	Wrong                 string
}

// Types are those that a field may have.
func (kindForm) Types() []curlew.FieldType { return curlew.FieldTypes() }

// blankRows are offered below the fields that there are.
const blankRows = 3

func (f kindForm) view() view {
	for range blankRows {
		f.Rows = append(f.Rows, kindRow{Type: curlew.TypeText})
	}
	if f.Was == "" {
		return view{"kindform", "Make a kind", f}
	}
	return view{"kindform", "Edit a kind", f}
}

func formOf(kind curlew.Schema) kindForm {
	f := kindForm{Was: kind.Name, Name: string(kind.Name)}
	for i, field := range kind.Fields {
		if field.Name == kind.Title {
			f.Title = strconv.Itoa(i)
		}
		of := strings.Join(field.Choices, ", ")
		if field.Of != "" {
			of = string(field.Of)
		}
		f.Rows = append(f.Rows, kindRow{Was: field.Name, Name: field.Name, Type: field.Type, Required: field.Required, Of: of,
			Labels: strings.Join(field.Labels, ", ")})
	}
	for _, set := range kind.Identity {
		f.Identity += strings.Join(set, " + ") + "\n"
	}
	return f
}

// addKind offers an empty form, or one with what a watch reads.
func addKind(ctx context.Context, v *visit) (view, error) {
	var f kindForm
	if watch := v.query("watch"); watch != "" {
		proposed, err := v.app.ProposeKind(ctx, v.who, curlew.WatchID(watch))
		if err != nil {
			return view{}, err
		}
		if f = formOf(curlew.Schema{Title: proposed.Title, Fields: proposed.Fields}); f.Title == "" {
			f.Title = "0"
		}
		for i := range f.Rows {
			f.Rows[i].Was = ""
		}
		of, err := v.read.Watches().Get(ctx, curlew.WatchID(watch))
		if err != nil {
			return view{}, err
		}
		f.Page = of.URL
	}
	return f.view(), nil
}

func editKind(ctx context.Context, v *visit) (view, error) {
	kind, err := v.app.Kind(ctx, v.who, kindAt(v))
	return formOf(kind).view(), err
}

// mostRows of a form are read; the use case allows fewer fields.
const mostFieldRows = 100

// readKind reads the form: rows without a name are left out.
func readKind(v *visit) (f kindForm, fields app.KindFields) {
	f = kindForm{Was: kindAt(v), Name: v.text("name"), Identity: v.text("identity"),
		Page: v.text("page")}
	for i := range mostFieldRows {
		at := func(part string) string { return fmt.Sprintf("f%d-%s", i, part) }
		if !v.PostForm.Has(at("name")) {
			break
		}
		row := kindRow{Was: v.text(at("was")), Name: v.text(at("name")), Type: curlew.FieldType(v.text(at("type"))),
			Required: v.ticked(at("required")), Of: v.text(at("of")), Labels: v.text(at("labels"))}
		if row.Name == "" {
			continue
		}
		if v.text("title") == strconv.Itoa(i) {
			fields.Title, f.Title = row.Name, strconv.Itoa(len(f.Rows))
		}
		f.Rows, fields.Fields = append(f.Rows, row), append(fields.Fields, row.field())
	}
	renamed := f.renamed()
	for _, line := range linesOf(f.Identity) {
		set := separated(line, "+")
		for i, name := range set {
			if !slices.ContainsFunc(f.Rows, func(r kindRow) bool { return r.Name == name }) {
				set[i] = renamed.Name(name)
			}
		}
		fields.Identity = append(fields.Identity, set)
	}
	return f, fields
}

func (r kindRow) field() curlew.Field {
	f := curlew.Field{Name: r.Name, Type: r.Type, Required: r.Required, Labels: separated(r.Labels, ",")}
	switch r.Type {
	case curlew.TypeList:
		f.Of = curlew.FieldType(r.Of)
	case curlew.TypeChoice:
		f.Choices = separated(r.Of, ",")
	}
	return f
}

// separated are the parts of a text; none is an empty list.
func separated(text, sign string) []string {
	all := []string{}
	for part := range strings.SplitSeq(text, sign) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// renamed are the new names of fields by their old ones.
func (f kindForm) renamed() curlew.Renaming {
	names := curlew.Renaming{}
	for _, row := range f.Rows {
		if row.Was != "" && row.Was != row.Name {
			names[row.Was] = row.Name
		}
	}
	return names
}

func sendKind(ctx context.Context, v *visit) (answer, error) {
	f, fields := readKind(v)
	if v.text("do") == "rows" {
		return answer{page: f.view()}, nil
	}
	var err error
	if f.Was == "" {
		_, err = v.app.AddKind(ctx, v.who, app.AddKind{Name: curlew.SchemaName(f.Name), KindFields: fields})
	} else {
		f.Name = string(f.Was)
		err = f.edit(ctx, v, fields)
	}
	if err == nil && f.Page != "" {
		return answer{next: "/candidates/add?done=kind&" + url.Values{"kind": {f.Name}, "url": {f.Page}}.Encode()}, nil
	}
	if err == nil {
		return answer{next: "/kinds/" + f.Name + "?done=saved"}, nil
	}
	if f.Wrong, err = f.problems(err); err != nil {
		return answer{}, err
	}
	return answer{page: f.view(), wrong: true}, nil
}

// edit renames the fields whose names were changed, and takes away those whose names were
// emptied.
func (f kindForm) edit(ctx context.Context, v *visit, fields app.KindFields) error {
	old, err := v.app.Kind(ctx, v.who, f.Was)
	if err != nil {
		return err
	}
	c := app.EditKind{Name: f.Was, Title: fields.Title, Identity: fields.Identity, Fields: fields.Fields, Rename: f.renamed()}
	for _, field := range old.Fields {
		if !slices.ContainsFunc(f.Rows, func(r kindRow) bool { return r.Was == field.Name }) {
			c.Remove = append(c.Remove, field.Name)
		}
	}
	_, err = v.app.EditKind(ctx, v.who, c)
	return err
}

// problems puts what is wrong with a field beside its row.
func (f kindForm) problems(err error) (curlew.Problems, error) {
	var all, rest curlew.Problems
	if !errors.As(err, &all) {
		return problems(err)
	}
	for _, p := range all {
		number, isField := strings.CutPrefix(p.Field, "fields/")
		number, _, _ = strings.Cut(number, "/")
		if i, failed := strconv.Atoi(number); isField && failed == nil && i < len(f.Rows) {
			f.Rows[i].Wrong = p.Sentence
			continue
		}
		rest = append(rest, p)
	}
	return problems(rest)
}

func confirmDeleteKind(ctx context.Context, v *visit) (view, error) {
	kind, err := v.app.Kind(ctx, v.who, kindAt(v))
	return confirmation("Delete this kind?", question{What: string(kind.Name), Yes: "Yes, delete it", Back: "/kinds/" + string(kind.Name),
		Danger: true, Lost: []string{"It can no longer be used. A kind that a blueprint uses cannot be deleted."}}), err
}

func deleteKind(ctx context.Context, v *visit) (string, error) {
	return "/kinds?done=removed", v.app.DeleteKind(ctx, v.who, kindAt(v))
}
