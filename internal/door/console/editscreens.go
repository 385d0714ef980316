package console

import (
	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
)

// editScreens are the pages on which people change things.
var editScreens = map[string]screen{
	"/subscriptions/add":              only(auth.EditSubscriptions, addSubscription),
	"/subscriptions/{id}/edit":        only(auth.EditSubscriptions, editSubscription),
	"/subscriptions/{id}/remove":      only(auth.EditSubscriptions, confirmUnsubscribe),
	"/subscriptions/{id}/rotate":      only(auth.EditSubscriptions, confirmRotate),
	"/watches/add":                    only(auth.EditWatches, addWatch),
	"/watches/{id}/edit":              only(auth.EditWatches, editWatch),
	"/watches/{id}/remove":            only(auth.EditWatches, confirmRemoveWatch),
	"/sources/{id}/edit":              only(auth.EditSources, editSource),
	"/sources/{id}/pause":             only(auth.EditSources, confirmPauseSource),
	"/sources/{id}/archive":           only(auth.EditSources, confirmArchive),
	"/sources/{id}/heal":              only(auth.EditSources, confirmHeal),
	"/sources/{id}/rollback":          only(auth.EditSources, confirmRollback),
	"/candidates/import":              only(auth.EditCandidates, importCandidates),
	"/candidates/{id}/edit":           only(auth.EditCandidates, editCandidate),
	"/candidates/{id}/delete":         only(auth.EditCandidates, confirmDeleteCandidate),
	"/kinds/add":                      only(auth.EditBlueprints, addKind),
	"/kinds/{id}/edit":                only(auth.EditBlueprints, editKind),
	"/kinds/{id}/delete":              only(auth.EditBlueprints, confirmDeleteKind),
	"/runs/add":                       only(auth.SteerRuns, addRun),
	"/runs/clear":                     only(auth.SteerRuns, confirmClear),
	"/subscriptions/{id}/feed/renew":  subscriptionFeed.confirm(true),
	"/subscriptions/{id}/feed/revoke": subscriptionFeed.confirm(false),
	"/watches/{id}/feed/renew":        watchFeed.confirm(true),
	"/watches/{id}/feed/revoke":       watchFeed.confirm(false),
	"/sources/{id}/feed/renew":        sourceFeed.confirm(true),
	"/sources/{id}/feed/revoke":       sourceFeed.confirm(false),
	"/settings":                       only(auth.EditOrg, showSettings),
	"/settings/people":                only(auth.ViewPeople, listPeople),
	"/settings/people/{id}/remove":    only(auth.EditPeople, confirmRemovePerson),
	"/settings/people/{id}/sign-out":  only(auth.EditPeople, confirmSignOut),
	"/settings/people/{id}/disable":   only(auth.EditPeople, confirmDisable),
	"/settings/people/{id}/link":      only(auth.EditPeople, confirmLink),
	"/settings/keys":                  only(auth.ViewKeys, listKeys),
	"/settings/keys/{id}/revoke":      only(auth.EditKeys, confirmRevoke),
	"/settings/account":               only(auth.OwnAccount, showAccount),
	"/settings/audit":                 only(auth.ViewAudit, listAudit),
	"/settings/usage":                 showUsage,
}

// editActions are what their forms do.
var editActions = map[string]action{
	"/candidates/{id}/delete":         {auth.EditCandidates, deleteCandidate},
	"/kinds/{id}/delete":              {auth.EditBlueprints, deleteKind},
	"/kinds/{id}/words":               {auth.EditBlueprints, setWord},
	"/kinds/{id}/words/delete":        {auth.EditBlueprints, deleteWord},
	"/sources/{id}/pause":             {auth.EditSources, steerSource("pause", (*app.App).PauseSource)},
	"/sources/{id}/resume":            {auth.EditSources, steerSource("resume", (*app.App).ResumeSource)},
	"/sources/{id}/promote":           {auth.EditSources, steerSource("promote", (*app.App).PromoteSource)},
	"/sources/{id}/archive":           {auth.EditSources, steerSource("archive", archive(true))},
	"/sources/{id}/restore":           {auth.EditSources, steerSource("restore", archive(false))},
	"/sources/{id}/heal":              {auth.EditSources, healSource},
	"/sources/{id}/rollback":          {auth.EditSources, rollbackSource},
	"/subscriptions/{id}/feed/renew":  subscriptionFeed.turn(true),
	"/subscriptions/{id}/feed/revoke": subscriptionFeed.turn(false),
	"/watches/{id}/feed/renew":        watchFeed.turn(true),
	"/watches/{id}/feed/revoke":       watchFeed.turn(false),
	"/sources/{id}/feed/renew":        sourceFeed.turn(true),
	"/sources/{id}/feed/revoke":       sourceFeed.turn(false),
	"/settings/people/{id}/role":      {auth.EditPeople, setRole},
	"/settings/people/{id}/remove":    {auth.EditPeople, removePerson},
	"/settings/people/{id}/sign-out":  {auth.EditPeople, signOutPerson},
	"/settings/people/{id}/disable":   {auth.EditPeople, disablePerson},
	"/settings/people/{id}/enable":    {auth.EditPeople, enablePerson},
	"/settings/keys/{id}/revoke":      {auth.EditKeys, revokeKey},
	"/settings/account/sessions/{id}": {auth.OwnAccount, endSession},
}

// forms are actions that may answer with a page. What is done about people, keys and
// passwords writes its own line of the audit log, in the transaction that does it.
var forms = map[string]form{
	"/subscriptions":             {auth.EditSubscriptions, sendSubscription},
	"/subscriptions/{id}/edit":   {auth.EditSubscriptions, sendSubscription},
	"/subscriptions/{id}/remove": {auth.EditSubscriptions, unsubscribe},
	"/subscriptions/{id}/rotate": {auth.EditSubscriptions, rotateSecret},
	"/subscriptions/{id}/test":   {auth.EditSubscriptions, trySubscription},
	"/candidates":                {auth.EditCandidates, propose},
	"/candidates/import":         {auth.EditCandidates, sendImport},
	"/candidates/{id}/edit":      {auth.EditCandidates, sendCandidate},
	"/kinds":                     {auth.EditBlueprints, sendKind},
	"/kinds/{id}/edit":           {auth.EditBlueprints, sendKind},
	"/watches":                   {auth.EditWatches, sendWatch},
	"/watches/{id}/edit":         {auth.EditWatches, sendWatch},
	"/watches/{id}/remove":       {auth.EditWatches, removeWatch},
	"/sources/{id}/edit":         {auth.EditSources, sendSource},
	"/runs":                      {auth.SteerRuns, sendRun},
	"/runs/clear":                {auth.SteerRuns, clearRuns},
	"/settings":                  {auth.EditOrg, renameOrg},
	"/settings/orgs":             {auth.EditOrg, addOrg},
	"/settings/people":           {auth.EditPeople, invite},
	"/settings/people/{id}/link": {auth.EditPeople, linkPerson},
	"/settings/keys":             {auth.EditKeys, addKey},
	"/settings/account":          {auth.OwnAccount, changePassword},
}

// editNotices are what a page says afterwards.
var editNotices = map[string]string{
	"kind":  "The kind is made. Add the page once more to read it as this kind; then delete the watch that reads plain items.",
	"saved": "Saved.", "removed": "Removed.", "heal": "Healing has begun.", "promote": "It is trusted from now on.", "archive": "Archived.",
	"restore": "Taken back, on probation.", "rollback": "It is read by the earlier version from now on.",
	"started": "The run is under way as soon as a worker is free.",
	"cleared": "The ended runs are cleared.", "nothing-cleared": "There was nothing to clear.",
	"role": "The role is changed.", "removed-keys": "Removed. Keys that they made still let programs in: see API keys.",
	"signed-out": "Signed out everywhere.",
	"feed-new":   "The feed has a new address; the old ones no longer work.", "feed-gone": "All addresses of the feed were revoked.",
	"disabled": "Disabled: signed out, and refused until enabled again.", "enabled": "Enabled: they may sign in again.",
	"revoked": "The key is revoked.", "password": "The password is changed; all other sessions have ended.",
	"session": "That session has ended."}
