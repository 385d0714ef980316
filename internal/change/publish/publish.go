// Package publish decides what a run's records mean: which real thing each of them
// is, what changed about it, what is gone and what only seems to be, and whether
// there is anything to say at all.
//
// It is pure: it takes what was known and what was seen, and returns what should be
// written. It reads no clock, no page and no database.
package publish

import (
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// ChangePolicy is how cautious to be.
type ChangePolicy struct {
	Ranked         bool          // report changes of the order of the list
	StaleAfter     time.Duration // an entity seen for so long is stale; 0 never
	RemovalShare   float64       // more removals at once than this share are held; see RemovalFloor
	MissesToGo     int           // complete checks in a row that must miss an entity
	MissesApart    time.Duration // the least time between the first and the last of them, and between two readings that lack a field
	ForceRepublish bool
	Replay         bool // of archived pages, which confirms nothing
	// Hash is the hash of fields that records carry; nil takes one of its own.
	Hash func(curlew.Values) string
}

// RemovalFloor is how many removals at once are held at the least: lists of a few
// entries may well lose most of them.
const RemovalFloor = 5

const (
	defaultRemovalShare = 0.3
	defaultMissesToGo   = 2
)

// settled fills in what the policy leaves open.
func (p ChangePolicy) settled() ChangePolicy {
	if p.RemovalShare <= 0 {
		p.RemovalShare = defaultRemovalShare
	}
	if p.MissesToGo <= 0 {
		p.MissesToGo = defaultMissesToGo
	}
	if p.Hash == nil {
		p.Hash = contentHash
	}
	return p
}

// Prior is what was known before the run.
type Prior struct {
	// Entities of the source and schema: all that this watch has seen and not
	// removed, and all that one of the Leads or an alias of them leads to.
	Entities  []curlew.Entity
	Sightings []curlew.Sighting                              // of this watch
	Aliases   []curlew.Alias                                 // that lead to one of the entities
	Elsewhere map[curlew.EntityID]bool                       // another watch sees it still
	Evidence  map[curlew.EntityID]map[string]curlew.Evidence // of fields that stay when others change, or that a record lacks
	Latest    *curlew.Publication                            // of the scope
	Hold      *curlew.Hold
	// Hashes of the check before this one, whatever came of it; empty when unknown.
	// Without them, those of Latest count for the snapshot, and the rules are taken
	// as unchanged.
	SnapshotHash, RulesHash string
}

// SeenRecord is one record as the run saw it.
type SeenRecord struct {
	Record   curlew.Record // normalised; list and detail merged
	Text     string        // all that the list shows of it; empty is unknown
	Position int           // in the list, from 1; 0 is unknown
	Listed   string        // hash of what the list said
	DetailAt *time.Time
	Detail   *curlew.Draft
	// DetailEvery is how old its detail page may get from now on; 0 is as it was.
	DetailEvery curlew.Duration
	// Before is what the copy that the entity was last read from gives by the rules of now;
	// nil is what the entity has. Only what differs from it is told.
	Before curlew.Values
	// Keep are fields of which this check can say nothing (its detail page could not be
	// read, a rule has stopped fitting): what is known of them stays.
	Keep map[string]bool
	// Lost are fields that its detail page said when it was read before, and does not say now.
	Lost map[string]bool
	// Held are fields that its detail page lacks as many others do at once, with the number of readings in a row: Record has
	// them as they were.
	Held map[string]int
	// Unread says that its detail page was asked for and could not be read.
	Unread bool
	// Newer says that Detail has taken over what the list says since.
	Newer bool
	// Gone says that the site no longer has its detail page.
	Gone bool
}

// DetailCheck is what came of looking at the detail page of an entity that the list misses.
type DetailCheck string

const (
	DetailNone    DetailCheck = ""        // it has no page of its own, or nobody looked
	DetailGone    DetailCheck = "gone"    // 404 or 410, or a page that no longer shows it
	DetailThere   DetailCheck = "there"   // the page still shows it
	DetailUnclear DetailCheck = "unclear" // blocked, damaged, failed
)

// CheckResult is what a run saw.
type CheckResult struct {
	Run       curlew.RunID
	Watch     curlew.Watch
	Kind      curlew.Schema
	Blueprint curlew.BlueprintID
	At        time.Time
	Seen      []SeenRecord
	// Complete says that the whole list was read: every page arrived whole and fits
	// the blueprint. Otherwise Why says what was amiss, and nothing is missing.
	Complete     bool
	Why          string
	DetailChecks map[curlew.EntityID]DetailCheck
	// Hashes of what the run read and by what: the bodies of its pages, and the
	// blueprint's rules with the version of normalising.
	SnapshotHash string
	RulesHash    string
	// Moved says that the structure of the pages is not what it was at the check before:
	// what half of the entities lose or gain at once, the design took or gave.
	Moved bool
	// Probation says that the source is on probation: its changes are marked.
	Probation bool
	// Lost are fields that the whole list lacks, or that no longer look as they did.
	Lost map[string]bool
	// Shown is what the pages of the list show, and Earlier what checks before this one saw of it, the last one first;
	// none where that is unknown.
	Shown   *ShownText
	Earlier []EarlierCheck
}

// ChangeSet is what should be written, in one transaction.
type ChangeSet struct {
	New         []NewEntity       // with their records
	Updated     []Update          // entities with changed fields, ids, status or version; whatever is seen also moves in LastSeenAt
	Sightings   []curlew.Sighting // of entities that exist; only those that differ from the prior beyond SeenAt
	SeenAgain   []curlew.EntityID // whose sighting moves in SeenAt and in nothing else
	Aliases     []curlew.Alias
	Hold        *curlew.Hold       // nil: none (any more)
	Publication curlew.Publication // without id, run and time
	Figures     Figures
	Notes       []curlew.LogLine // what a person should know: ambiguities, holds, kept fields
	SoonAgain   bool             // something is missing and wants to be confirmed
	Unread      []string         // fields that the rules no longer find and most records still show, at the first few checks
	NextEventAt time.Time        // soonest start of an event that is still to come
}

// NewEntity is an entity to be made, with its record, its first change and its sighting. The change has no kind
// where nobody is to be told.
type NewEntity struct {
	Entity   curlew.Entity
	Record   curlew.Record
	Change   curlew.Change
	Sighting curlew.Sighting
}

// Update is an entity as it is to be. Changes has none for quiet moves (stale,
// finished, an alias), and usually one otherwise.
type Update struct {
	Entity  curlew.Entity
	Record  *curlew.Record // the new evidence, where fields changed
	Changes []curlew.Change
}

// Figures are what a run's summary tells.
type Figures struct {
	Seen, Appeared, Changed, Moved, Disappeared, Missing, Finished, WentStale, Unchanged, Kept, Held int
}
