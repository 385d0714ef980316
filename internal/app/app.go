// Package app holds the use cases: one for each verb and noun. A use case takes one
// command that can check itself, asks whether the caller may, and writes its rows
// together with a line of the audit log in one transaction. The command line, the REST
// API, the console, the remote calls and the tools of agents only translate to and from it, so that they
// cannot disagree.
//
// What only reads is a view: it asks for the right to view and writes nothing.
// Reading pages, deciding what a check means and when to check again is done by others.
package app

import (
	"context"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// App is the application of one installation.
type App struct {
	Accounts *auth.Authenticator // who somebody is; what is done about people is a use case

	i         *setup.Installation
	trainings *teach.TrainingStore
	teachers  func() (onboard.Teachers, error) // nil where no model is configured
	now       func() time.Time

	entities cache[curlew.OrgID, map[curlew.EntityStatus]int64]
	tallies  cache[period, store.OnboardingTally]
	paces    cache[curlew.OrgID, store.OnboardingPace]
	faults   cache[period, []store.RunFault]
	backlogs cache[curlew.SubscriptionID, map[curlew.DeliveryStatus]int64]
}

// New is the application on an open installation.
func New(i *setup.Installation, accounts *auth.Authenticator) *App {
	return &App{i: i, Accounts: accounts, teachers: sync.OnceValues(i.Teachers),
		trainings: teach.OpenTrainings(filepath.Join(i.Config.Data, "drafts"), time.Now), now: time.Now}
}

// verb is what a use case does, as the audit log names it, and the right it needs.
type verb struct {
	name  string
	needs auth.Action
}

// command is what a use case that changes something takes.
type command interface {
	// Check says what is wrong with the command itself, field by field.
	Check() curlew.Problems
}

// may says why a use case must not be done: nobody has the right, or the command is wrong.
// do asks it; what waits for a website before its transaction asks it first.
func (v verb) may(who auth.Identity, c command) error {
	if err := auth.Allow(who, v.needs); err != nil {
		return err
	}
	return c.Check().Err()
}

// Tx is the transaction of one use case in the caller's org.
type Tx struct {
	store.WriteScope
	Who     auth.Identity
	thing   string
	details any
}

// About names what the use case changes, for the audit log. Without it nothing was
// changed and nothing is written down.
func (tx *Tx) About(thing string) { tx.thing = thing }

// Detail adds to the audit line what was changed.
func (tx *Tx) Detail(details any) { tx.details = details }

// caller is who asks the application for something.
type caller struct {
	app *App
	who auth.Identity
}

func (a *App) as(who auth.Identity) caller { return caller{a, who} }

// do runs a use case: right, check, rows and audit line, in this order and in one
// transaction. In fn's context the stores and the runs join that transaction.
func do[T any](ctx context.Context, by caller, v verb, c command, fn func(context.Context, *Tx) (T, error)) (T, error) {
	if err := v.may(by.who, c); err != nil {
		var none T
		return none, err
	}
	return audited(ctx, by, v, fn)
}

// audited runs what a caller may do: rows and audit line in one transaction.
func audited[T any](ctx context.Context, by caller, v verb, fn func(context.Context, *Tx) (T, error)) (T, error) {
	var out, none T
	err := by.app.storeFor(v.needs).Write(ctx, by.who.Org, func(w store.WriteScope) (err error) {
		tx := &Tx{WriteScope: w, Who: by.who}
		if out, err = fn(database.Join(ctx, w.Tx), tx); err != nil || tx.thing == "" {
			return err
		}
		failpoint.Here(failpoint.UseCaseRows)
		_, err = w.Audit().Append(ctx, by.app.Accounts.Entry(by.who, v.name, tx.thing, tx.details))
		return err
	})
	if err != nil {
		return none, err
	}
	return out, nil
}

// Read opens the caller's rows for reading, which needs the right to view. Plain
// listings and single rows need no use case of their own.
func (a *App) Read(who auth.Identity) (store.Scope, error) { return a.ReadFor(who, auth.View) }

// ReadFor opens the caller's rows for what needs another right.
func (a *App) ReadFor(who auth.Identity, needs auth.Action) (store.Scope, error) {
	return a.storeFor(needs).Org(who.Org), auth.Allow(who, needs)
}

// storeFor is the store with what a right is about: people, keys and orgs are in the first database, wherever an org lives.
func (a *App) storeFor(needs auth.Action) *store.Store {
	switch needs {
	case auth.ViewPeople, auth.EditPeople, auth.ViewKeys, auth.EditKeys, auth.EditOrg, auth.OwnAccount:
		return a.i.Home.Store
	}
	return a.i.Store
}

// see reads something of the caller's org.
func see[T any](a *App, who auth.Identity, read func(store.Scope) (T, error)) (out T, err error) {
	scope, err := a.ReadFor(who, auth.View)
	if err != nil {
		return out, err
	}
	return read(scope)
}

// one is a use case's command that names one thing and says no more.
type one[ID ~string] struct{ ID ID }

// on is a command that changes one thing.
type on[ID ~string] interface {
	command
	id() ID
}

func (c one[ID]) id() ID { return c.ID }

// Check finds nothing: whether the thing is there is found out by looking.
func (one[ID]) Check() curlew.Problems { return nil }

// set takes over a value that was given.
func set[T any](into *T, given *T) {
	if given != nil {
		*into = *given
	}
}

// changed are the fields that a command gives, as the audit log keeps them.
func changed(command any) map[string]any {
	all := map[string]any{}
	collectGiven(reflect.ValueOf(command), all)
	return all
}

func collectGiven(v reflect.Value, all map[string]any) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch name := jsonName(f); {
		case f.Anonymous:
			collectGiven(v.Field(i), all)
		case name != "" && !v.Field(i).IsZero():
			all[name] = reflect.Indirect(v.Field(i)).Interface()
		}
	}
}
