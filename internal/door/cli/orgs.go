package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

type orgsCommand struct {
	Add  orgsAdd  `cmd:"" help:"Make an org; prints a one-time link for its first owner."`
	List orgsList `cmd:"" help:"List the orgs of the installation, and on which database they live."`
	Move orgsMove `cmd:"" help:"Move an org to another database; run it again to finish what was interrupted."`
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
		all, err := use.PlacedOrgs(ctx, who)
		if err != nil {
			return err
		}
		list(a, all, "There are no orgs.", []string{"org", "name", "since", "lives on"}, func(o app.PlacedOrg) []string {
			on := o.Shard
			switch {
			case o.MovingTo != "":
				on += ", is being moved to " + o.MovingTo
			case o.Leaving != "":
				on += ", old rows on " + o.Leaving
			}
			return []string{string(o.ID), text.Clip(o.Name, 60), moment(&o.CreatedAt), on}
		})
		return nil
	})
}

type orgsMove struct {
	ID string `arg:"" name:"org" help:"The org."`
	To string `required:"" placeholder:"SHARD" help:"A name in database.shards, or main. Naming the database it is on undoes an unfinished move."`

	Grace time.Duration `help:"How long to wait for other processes to notice the move before the old rows are deleted." default:"10s"`
}

func (c orgsMove) Run(a *program) error {
	i, err := a.open(a.Context)
	if err != nil {
		return err
	}
	defer i.Close()
	who := operator(curlew.OrgID(c.ID))
	done, err := useCases(i).MoveOrg(a.Context, who, app.MoveOrg{Org: curlew.OrgID(c.ID), To: c.To, Grace: c.Grace})
	if err != nil {
		if done.Org != "" && curlew.AsFault(err).Kind == curlew.KindTemporary {
			fmt.Fprintf(a.Err, "curlew: run the same again to finish it, or take it back with --to %s as long as it lives there\n", done.From)
		}
		return err
	}
	if done.TakenBack {
		a.say(done, "The org %s stays on %s: the move to %s is taken back.", done.Org, done.To, done.From)
		return nil
	}
	a.say(done, "The org %s lives on %s now (%d rows copied and compared), and its old rows are gone from %s.", done.Org, done.To,
		done.Rows, done.From)
	return nil
}
