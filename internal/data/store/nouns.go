package store

// Each noun has a store of its own: Scope gives it for reading, WriteScope inside a
// transaction for both.
type (
	// Audit reads the log of what people and keys did.
	Audit struct{ scope }
	// Blueprints reads the versions of blueprints.
	Blueprints struct{ scope }
	// Sources reads the sites.
	Sources struct{ scope }
	// Entities reads the entities, where they were seen and what finds them.
	Entities struct{ scope }
	// Changes reads the change events in their order.
	Changes struct{ scope }
	// Publications reads what each check published.
	Publications struct{ scope }
	// Deliveries reads the outbox: deliveries and their attempts.
	Deliveries struct{ scope }
	// Candidates reads the addresses on their way to be sources.
	Candidates struct{ scope }
	// Feeds reads the keys of feed addresses.
	Feeds struct{ scope }
	// Frontier reads the URLs that a crawl has still to visit.
	Frontier struct{ scope }
	// URLs reads the log of all URLs that were ever found.
	URLs struct{ scope }
	// Heals reads the repairs of blueprints.
	Heals struct{ scope }
	// Scorecards reads the quality of sources over time.
	Scorecards struct{ scope }
	// Idempotency reads the answers kept for repeated requests.
	Idempotency struct{ scope }
	// Keys reads the API keys.
	Keys struct{ scope }
	// Kinds reads the kinds that the org made for itself.
	Kinds struct{ scope }
	// FieldWords reads what words mean in fields, as the org said.
	FieldWords struct{ scope }
	// Runs reads the runs and their logs.
	Runs struct{ scope }
	// Pages reads the pages as they were fetched.
	Pages struct{ scope }
	// Records reads what was read from pages.
	Records struct{ scope }
	// ModelCalls reads the calls of language models and their budget.
	ModelCalls struct{ scope }
	// Orgs reads the org itself.
	Orgs struct{ scope }
	// Sessions reads sessions, sign-in links and failed attempts.
	Sessions struct{ scope }
	// Subscriptions reads who is told of changes.
	Subscriptions struct{ scope }
	// Users reads people and their memberships.
	Users struct{ scope }
	// Watches reads the watches.
	Watches struct{ scope }
)

// The same inside a transaction, where they write too.
type (
	AuditTx struct {
		Audit
		writing
	}
	BlueprintsTx struct {
		Blueprints
		writing
	}
	SourcesTx struct {
		Sources
		writing
	}
	EntitiesTx struct {
		Entities
		writing
	}
	ChangesTx struct {
		Changes
		writing
	}
	PublicationsTx struct {
		Publications
		writing
	}
	DeliveriesTx struct {
		Deliveries
		writing
	}
	CandidatesTx struct {
		Candidates
		writing
	}
	FeedsTx struct {
		Feeds
		writing
	}
	FrontierTx struct {
		Frontier
		writing
	}
	URLsTx struct {
		URLs
		writing
	}
	HealsTx struct {
		Heals
		writing
	}
	ScorecardsTx struct {
		Scorecards
		writing
	}
	IdempotencyTx struct {
		Idempotency
		writing
	}
	KeysTx struct {
		Keys
		writing
	}
	KindsTx struct {
		Kinds
		writing
	}
	FieldWordsTx struct {
		FieldWords
		writing
	}
	RunsTx struct {
		Runs
		writing
	}
	PagesTx struct {
		Pages
		writing
	}
	RecordsTx struct {
		Records
		writing
	}
	ModelCallsTx struct {
		ModelCalls
		writing
	}
	OrgsTx struct {
		Orgs
		writing
	}
	SessionsTx struct {
		Sessions
		writing
	}
	SubscriptionsTx struct {
		Subscriptions
		writing
	}
	UsersTx struct {
		Users
		writing
	}
	WatchesTx struct {
		Watches
		writing
	}
)

// Audit opens the log of what people and keys did, for reading.
func (s Scope) Audit() Audit { return Audit{s.scope} }

// Blueprints opens the versions of blueprints, for reading.
func (s Scope) Blueprints() Blueprints { return Blueprints{s.scope} }

// Sources opens the sites, for reading.
func (s Scope) Sources() Sources { return Sources{s.scope} }

// Entities opens the entities, where they were seen and what finds them, for reading.
func (s Scope) Entities() Entities { return Entities{s.scope} }

// Changes opens the change events in their order, for reading.
func (s Scope) Changes() Changes { return Changes{s.scope} }

// Publications is what each check published, for reading.
func (s Scope) Publications() Publications { return Publications{s.scope} }

// Deliveries opens the outbox: deliveries and their attempts, for reading.
func (s Scope) Deliveries() Deliveries { return Deliveries{s.scope} }

// Candidates opens the addresses on their way to be sources, for reading.
func (s Scope) Candidates() Candidates { return Candidates{s.scope} }

// Feeds opens the keys of feed addresses, for reading.
func (s Scope) Feeds() Feeds { return Feeds{s.scope} }

// Frontier opens the URLs that a crawl has still to visit, for reading.
func (s Scope) Frontier() Frontier { return Frontier{s.scope} }

// URLs opens the log of all URLs that were ever found, for reading.
func (s Scope) URLs() URLs { return URLs{s.scope} }

// Heals opens the repairs of blueprints, for reading.
func (s Scope) Heals() Heals { return Heals{s.scope} }

// Scorecards opens the quality of sources over time, for reading.
func (s Scope) Scorecards() Scorecards { return Scorecards{s.scope} }

// Idempotency opens the answers kept for repeated requests, for reading.
func (s Scope) Idempotency() Idempotency { return Idempotency{s.scope} }

// Keys opens the API keys, for reading.
func (s Scope) Keys() Keys { return Keys{s.scope} }

// Kinds opens the org's own kinds, for reading.
func (s Scope) Kinds() Kinds { return Kinds{s.scope} }

// FieldWords opens the org's own words, for reading.
func (s Scope) FieldWords() FieldWords { return FieldWords{s.scope} }

// Runs opens the runs and their logs, for reading.
func (s Scope) Runs() Runs { return Runs{s.scope} }

// Pages opens the pages as they were fetched, for reading.
func (s Scope) Pages() Pages { return Pages{s.scope} }

// Records is what was read from pages, for reading.
func (s Scope) Records() Records { return Records{s.scope} }

// ModelCalls opens the calls of language models and their budget, for reading.
func (s Scope) ModelCalls() ModelCalls { return ModelCalls{s.scope} }

// Orgs opens the org itself, for reading.
func (s Scope) Orgs() Orgs { return Orgs{s.scope} }

// Sessions is sessions, sign-in links and failed attempts, for reading.
func (s Scope) Sessions() Sessions { return Sessions{s.scope} }

// Subscriptions is who is told of changes, for reading.
func (s Scope) Subscriptions() Subscriptions { return Subscriptions{s.scope} }

// Users is people and their memberships, for reading.
func (s Scope) Users() Users { return Users{s.scope} }

// Watches opens the watches, for reading.
func (s Scope) Watches() Watches { return Watches{s.scope} }

// Audit opens the log of what people and keys did, for reading and writing.
func (s WriteScope) Audit() AuditTx { return AuditTx{s.Scope.Audit(), s.writing} }

// Blueprints opens the versions of blueprints, for reading and writing.
func (s WriteScope) Blueprints() BlueprintsTx { return BlueprintsTx{s.Scope.Blueprints(), s.writing} }

// Sources opens the sites, for reading and writing.
func (s WriteScope) Sources() SourcesTx { return SourcesTx{s.Scope.Sources(), s.writing} }

// Entities opens the entities, where they were seen and what finds them, for reading and writing.
func (s WriteScope) Entities() EntitiesTx { return EntitiesTx{s.Scope.Entities(), s.writing} }

// Changes opens the change events in their order, for reading and writing.
func (s WriteScope) Changes() ChangesTx { return ChangesTx{s.Scope.Changes(), s.writing} }

// Publications is what each check published, for reading and writing.
func (s WriteScope) Publications() PublicationsTx {
	return PublicationsTx{s.Scope.Publications(), s.writing}
}

// Deliveries opens the outbox: deliveries and their attempts, for reading and writing.
func (s WriteScope) Deliveries() DeliveriesTx { return DeliveriesTx{s.Scope.Deliveries(), s.writing} }

// Candidates opens the addresses on their way to be sources, for reading and writing.
func (s WriteScope) Candidates() CandidatesTx { return CandidatesTx{s.Scope.Candidates(), s.writing} }

// Feeds opens the keys of feed addresses, for reading and writing.
func (s WriteScope) Feeds() FeedsTx { return FeedsTx{s.Scope.Feeds(), s.writing} }

// Frontier opens the URLs that a crawl has still to visit, for reading and writing.
func (s WriteScope) Frontier() FrontierTx { return FrontierTx{s.Scope.Frontier(), s.writing} }

// URLs opens the log of all URLs that were ever found, for reading and writing.
func (s WriteScope) URLs() URLsTx { return URLsTx{s.Scope.URLs(), s.writing} }

// Heals opens the repairs of blueprints, for reading and writing.
func (s WriteScope) Heals() HealsTx { return HealsTx{s.Scope.Heals(), s.writing} }

// Scorecards opens the quality of sources over time, for reading and writing.
func (s WriteScope) Scorecards() ScorecardsTx { return ScorecardsTx{s.Scope.Scorecards(), s.writing} }

// Idempotency opens the answers kept for repeated requests, for reading and writing.
func (s WriteScope) Idempotency() IdempotencyTx {
	return IdempotencyTx{s.Scope.Idempotency(), s.writing}
}

// Keys opens the API keys, for reading and writing.
func (s WriteScope) Keys() KeysTx { return KeysTx{s.Scope.Keys(), s.writing} }

// Kinds opens the org's own kinds, for reading and writing.
func (s WriteScope) Kinds() KindsTx { return KindsTx{s.Scope.Kinds(), s.writing} }

// FieldWords opens the org's own words, for reading and writing.
func (s WriteScope) FieldWords() FieldWordsTx {
	return FieldWordsTx{s.Scope.FieldWords(), s.writing}
}

// Runs opens the runs and their logs, for reading and writing.
func (s WriteScope) Runs() RunsTx { return RunsTx{s.Scope.Runs(), s.writing} }

// Pages opens the pages as they were fetched, for reading and writing.
func (s WriteScope) Pages() PagesTx { return PagesTx{s.Scope.Pages(), s.writing} }

// Records is what was read from pages, for reading and writing.
func (s WriteScope) Records() RecordsTx { return RecordsTx{s.Scope.Records(), s.writing} }

// ModelCalls opens the calls of language models and their budget, for reading and writing.
func (s WriteScope) ModelCalls() ModelCallsTx { return ModelCallsTx{s.Scope.ModelCalls(), s.writing} }

// Orgs opens the org itself, for reading and writing.
func (s WriteScope) Orgs() OrgsTx { return OrgsTx{s.Scope.Orgs(), s.writing} }

// Sessions is sessions, sign-in links and failed attempts, for reading and writing.
func (s WriteScope) Sessions() SessionsTx { return SessionsTx{s.Scope.Sessions(), s.writing} }

// Subscriptions is who is told of changes, for reading and writing.
func (s WriteScope) Subscriptions() SubscriptionsTx {
	return SubscriptionsTx{s.Scope.Subscriptions(), s.writing}
}

// Users is people and their memberships, for reading and writing.
func (s WriteScope) Users() UsersTx { return UsersTx{s.Scope.Users(), s.writing} }

// Watches opens the watches, for reading and writing.
func (s WriteScope) Watches() WatchesTx { return WatchesTx{s.Scope.Watches(), s.writing} }
