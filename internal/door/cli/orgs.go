package cli

import (
	"context"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

type orgsCommand struct {
	Add  orgsAdd  `cmd:"" help:"Make an org; prints a one-time link for its first owner."`
	List orgsList `cmd:"" help:"List the orgs of the installation."`
}

type orgsAdd struct {
	ID    string `arg:"" name:"org" help:"What --org calls it: lowercase letters, digits and inner hyphens. It never changes."`
	Owner string `required:"" placeholder:"EMAIL" help:"E-mail address of the first owner."`
	Name  string `placeholder:"NAME" help:"Name to show, the id unless given."`
}

func (c orgsAdd) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		made, err := use.AddOrg(ctx, who, app.AddOrg{ID: c.ID, Name: c.Name, Owner: c.Owner})
		if err != nil {
			return err
		}
		a.say(map[string]any{"org": made.Org, "owner": made.Owner.User, "link": made.Owner.Link},
			"The org %s is made, and %s is invited as its owner.", made.ID, made.Owner.Email)
		a.showLink(made.Owner)
		return nil
	})
}

type orgsList struct{}

func (orgsList) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		all, err := use.Orgs(ctx, who)
		if err != nil {
			return err
		}
		list(a, all, "There are no orgs.", []string{"org", "name", "since"}, func(o curlew.Org) []string {
			return []string{string(o.ID), text.Clip(o.Name, 60), moment(&o.CreatedAt)}
		})
		return nil
	})
}
