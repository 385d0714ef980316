package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

type usersCommand struct {
	Add      usersAdd      `cmd:"" help:"Invite a person to the org; prints a one-time link to accept."`
	List     usersList     `cmd:"" help:"List the people of the org."`
	Role     usersRole     `cmd:"" help:"Change a person's role: owner, editor or viewer."`
	Password usersPassword `cmd:"" help:"Print a one-time link to choose a new password, or set one."`
	Disable  usersDisable  `cmd:"" help:"Disable a person's account and keys without removing them."`
	Enable   usersEnable   `cmd:"" help:"Enable a disabled account again."`
	Remove   usersRemove   `cmd:"" help:"Remove a person from the org."`
	Log      usersLog      `cmd:"" help:"Show who did what: the audit log of the org."`
}

// withMember does something about one person of the org.
func (a *program) withMember(name string, do func(ctx context.Context, app *app.App, who auth.Identity, m curlew.Member) error) error {
	return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error {
		m, err := app.Person(ctx, who, name)
		if err != nil {
			return err
		}
		return do(ctx, app, who, m)
	})
}

type usersAdd struct {
	Email string `arg:"" help:"E-mail address."`
	Name  string `help:"Name to show." placeholder:"NAME"`
	Role  string `help:"owner, editor or viewer." enum:"owner,editor,viewer" default:"viewer"`
}

func (c usersAdd) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		made, err := use.AddPerson(ctx, who, app.AddPerson{Email: c.Email, Name: c.Name, Role: curlew.Role(c.Role)})
		if err != nil {
			return err
		}
		a.say(map[string]any{"user": made.User, "role": c.Role, "link": made.Link}, "%s is invited to the org %s as %s.",
			made.Email, who.Org, c.Role)
		a.showLink(made)
		return nil
	})
}

// showLink prints a link on a line of its own, to be copied.
func (a *program) showLink(made app.Invited) {
	what := "choose a password"
	if made.InvitedUntil != nil {
		what = "accept the invitation"
	}
	if !a.JSON {
		fmt.Fprintf(a.Out, "This link serves once, within three days, to %s:\n%s\n", what, made.Link)
	}
}

type usersList struct{}

func (usersList) Run(a *program) error {
	return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error {
		all, err := app.People(ctx, who)
		if err != nil {
			return err
		}
		list(a, all, "There are no accounts yet. Add one with \"curlew users add EMAIL --role owner\".",
			[]string{"user", "e-mail", "name", "role", "signs in by", "last signed in", "disabled", "invited until"},
			func(m curlew.Member) []string {
				by := "password"
				if m.Subject != "" {
					by = "oidc"
				}
				return []string{string(m.ID), m.Email, text.Clip(m.Name, 30), string(m.Role), by,
					moment(m.SignedInAt), moment(m.DisabledAt), moment(m.InvitedUntil)}
			})
		return nil
	})
}

type usersRole struct {
	User string `arg:"" help:"E-mail address or id."`
	Role string `arg:"" enum:"owner,editor,viewer" help:"owner, editor or viewer."`
}

func (c usersRole) Run(a *program) error {
	return a.withMember(c.User, func(ctx context.Context, use *app.App, who auth.Identity, m curlew.Member) error {
		if _, err := use.SetRole(ctx, who, app.SetRole{ID: m.ID, Role: curlew.Role(c.Role)}); err != nil {
			return err
		}
		again := ""
		if m.InvitedUntil != nil && m.Role != curlew.Role(c.Role) {
			again = " The link of the invitation ended: make another with \"curlew users password " + m.Email + "\"."
		}
		a.say(map[string]any{"user": m.User, "role": c.Role}, "%s is %s of the org %s.%s", m.Email, c.Role, who.Org, again)
		return nil
	})
}

type usersPassword struct {
	User  string `arg:"" help:"E-mail address or id."`
	Stdin bool   `help:"Read the new password from standard input instead of printing a link."`
}

func (c usersPassword) Run(a *program) error {
	return a.withMember(c.User, func(ctx context.Context, use *app.App, who auth.Identity, m curlew.Member) error {
		if !c.Stdin {
			made, err := use.LinkPerson(ctx, who, m.ID)
			if err != nil {
				return err
			}
			if a.JSON {
				writeJSON(a.Out, map[string]any{"user": m.User, "link": made.Link})
			}
			a.showLink(made)
			return nil
		}
		line, err := bufio.NewReaderSize(a.In, 4096).ReadString('\n')
		if err != nil && line == "" {
			return usage("no password on standard input")
		}
		if err := use.SetPassword(ctx, who, m, strings.TrimRight(line, "\r\n")); err != nil {
			return err
		}
		a.say(map[string]any{"user": m.User}, "%s has a new password and is signed out everywhere.", m.Email)
		return nil
	})
}

type usersDisable struct {
	User string `arg:"" help:"E-mail address or id."`
}

func (c usersDisable) Run(a *program) error {
	return a.withMember(c.User, func(ctx context.Context, use *app.App, who auth.Identity, m curlew.Member) error {
		m, err := use.DisablePerson(ctx, who, m.ID)
		if err != nil {
			return err
		}
		a.say(m, "%s is disabled in the org %s: signed out, and refused with every key that they made.", m.Email, who.Org)
		return nil
	})
}

type usersEnable struct {
	User string `arg:"" help:"E-mail address or id."`
}

func (c usersEnable) Run(a *program) error {
	return a.withMember(c.User, func(ctx context.Context, use *app.App, who auth.Identity, m curlew.Member) error {
		m, err := use.EnablePerson(ctx, who, m.ID)
		if err != nil {
			return err
		}
		a.say(m, "%s is enabled in the org %s again, and so are their keys.", m.Email, who.Org)
		return nil
	})
}

type usersRemove struct {
	User string `arg:"" help:"E-mail address or id."`
}

func (c usersRemove) Run(a *program) error {
	return a.withMember(c.User, func(ctx context.Context, use *app.App, who auth.Identity, m curlew.Member) error {
		keys, err := use.RemovePerson(ctx, who, m.ID)
		if err != nil {
			return err
		}
		words := ""
		if keys > 0 {
			words = fmt.Sprintf(" %s that they made still let programs in: \"curlew keys list\" shows them.", count(int(keys), "key", "keys"))
		}
		a.say(map[string]any{"removed": m.ID, "keys": keys}, "%s is removed from the org %s.%s", m.Email, who.Org, words)
		return nil
	})
}

type usersLog struct {
	Limit atMost `help:"At most this many lines." default:"50"`
}

func (c usersLog) Run(a *program) error {
	return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error {
		lines, err := app.Audit(ctx, who, store.AuditFilter{Limit: int(c.Limit)})
		if err != nil {
			return err
		}
		list(a, lines, "The audit log is empty.", []string{"#", "at", "who", "did", "to", "from"}, func(e curlew.AuditEntry) []string {
			return []string{fmt.Sprint(e.Sequence), moment(&e.At), text.Clip(e.Who(), 40), e.Action, text.Clip(e.Thing, 40), e.Address}
		})
		return nil
	})
}
