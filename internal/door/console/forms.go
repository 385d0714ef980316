package console

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

// form is an action that may answer with a page: the form again with what is wrong beside
// its fields, what somebody wants to see before anything is kept, or something that is
// shown once.
type form struct {
	needs auth.Action
	do    func(ctx context.Context, v *visit) (answer, error)
}

// answer is what comes of a form: where to look afterwards, or a page.
type answer struct {
	next  string
	page  view
	wrong bool // the page says what is wrong
}

// problems reads what a use case says is wrong with a form. What is no fault of whoever
// filled it in, or is not there at all, is none.
func problems(err error) (curlew.Problems, error) {
	var all curlew.Problems
	if err == nil {
		return nil, nil
	}
	if errors.As(err, &all) {
		shown := slices.Clone(all)
		for i := range shown {
			shown[i].Field, _, _ = strings.Cut(shown[i].Field, "/") // a form has one field for several values
		}
		return shown, nil
	}
	fault := curlew.AsFault(err)
	if beyondForm(fault) || fault.Kind == curlew.KindTemporary {
		return nil, err
	}
	return curlew.ProblemIn("", fault.Sentence), nil
}

// beyondForm says whether a fault is about more than what was filled in.
func beyondForm(fault *curlew.Fault) bool {
	return errors.Is(fault, curlew.ErrNotFound) || errors.Is(fault, curlew.ErrUnexpected) || errors.Is(fault, curlew.ErrForbidden)
}

func (c *Console) send(w http.ResponseWriter, r *http.Request, f form) {
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	v, err := c.visit(r)
	if err == nil {
		err = auth.Allow(v.who, f.needs)
	}
	var came answer
	if err == nil {
		came, err = f.do(ctx, v)
	}
	switch {
	case err != nil:
		c.fail(w, r, err)
	case came.next != "":
		http.Redirect(w, r, came.next, http.StatusSeeOther)
	case came.wrong:
		c.write(w, r, http.StatusUnprocessableEntity, came.page)
	default:
		c.write(w, r, http.StatusOK, came.page)
	}
}

// only lets a page be seen by those who may do what is done there.
func only(needs auth.Action, show screen) screen {
	return func(ctx context.Context, v *visit) (view, error) {
		if err := auth.Allow(v.who, needs); err != nil {
			return view{}, err
		}
		return show(ctx, v)
	}
}

// legible says what no form of a browser sends and every door refuses: keeping a part of it would be another thing than was sent.
func legible(r *http.Request) error {
	if r.Method != http.MethodPost {
		return nil
	}
	if err := r.ParseForm(); err != nil {
		return curlew.Permanent("bad_form", "this form cannot be read: reload the page and try again").Because(err)
	}
	for name, values := range r.PostForm {
		for _, value := range values {
			switch {
			case !utf8.ValidString(value):
				return curlew.ProblemIn(name, curlew.NotUTF8)
			case strings.ContainsRune(value, 0):
				return curlew.ProblemIn(name, curlew.NoNUL)
			}
		}
	}
	return nil
}

// text reads a field of a form; the use case says what is too long.
func (v *visit) text(name string) string {
	return strings.ReplaceAll(strings.TrimSpace(v.PostFormValue(name)), "\r\n", "\n")
}

// ticked says whether a box of a form is.
func (v *visit) ticked(name string) bool { return v.PostFormValue(name) != "" }

// linesOf are the lines of a field that hold something.
func linesOf(text string) []string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// question asks before something is done that cannot be undone.
type question struct {
	What   string   // the thing's name
	Lost   []string // what follows, in sentences
	Yes    string   // on the button
	Back   string   // where to go instead
	Danger bool
	Fields []hiddenField
}

type hiddenField struct{ Name, Value string }

// asks shows a question on a page of its own.
func confirmation(title string, q question) view { return view{"confirm", title, q} }
