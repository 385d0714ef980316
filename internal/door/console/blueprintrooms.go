package console

import (
	"context"
	"time"

	"curlew/internal/curlew"
)

// BlueprintFilter narrows a listing of blueprints; empty fields do not.
type BlueprintFilter struct {
	Source curlew.SourceID
	Schema curlew.SchemaName
	Status curlew.BlueprintStatus
	Tier   curlew.Tier
}

// Blueprints are the blueprints of an org, the newest first.
type Blueprints interface {
	Blueprints(ctx context.Context, f BlueprintFilter, w Window) ([]curlew.Blueprint, error)
	Blueprint(ctx context.Context, id curlew.BlueprintID) (curlew.Blueprint, Explained, error)
	// Compare lays two blueprints side by side.
	Compare(ctx context.Context, before, after curlew.BlueprintID) ([]Side, error)
	// Activate reads by a version from now on. In the shadow it reads beside the present
	// one first, and is refused where it would lose data.
	Activate(ctx context.Context, id curlew.BlueprintID, shadow bool) error
}

// Explained is a blueprint in words.
type Explained struct {
	Records    string
	Identity   string
	Pagination string
	Context    string
	Fields     []ExplainedField
	Follows    []ExplainedFollow
	JSON       string
}

// ExplainedField is how one field is got: the first rule that gives a value wins.
type ExplainedField struct {
	Name           string
	Rules          []string
	Required, Many bool
	Expect         string // what its values looked like
}

// ExplainedFollow is how the own pages of records are read.
type ExplainedFollow struct {
	Field string
	Explained
}

// Side is one part of two blueprints.
type Side struct {
	Part, Before, After string
	Differs             bool
}

// Beginning is what a person wants to read.
type Beginning struct {
	URL          string
	Schema       curlew.SchemaName // "" finds out
	Page         curlew.PageType   // "" finds out
	Instructions string
	Source       curlew.SourceID    // that is to be read better
	Blueprint    curlew.BlueprintID // that is to be corrected
	Archived     bool               // the last archived page will do
}

// Lessons are pages that people teach to read.
type Lessons interface {
	Begin(ctx context.Context, b Beginning) (id string, err error)
	Lesson(ctx context.Context, id string) (Lesson, error)
	// Copy is the inert copy of a page of a lesson, by its name.
	Copy(ctx context.Context, id, page string) (Copy, error)
	// Pieces are those of a record of the page, or of the own page that was asked for.
	Pieces(ctx context.Context, id string, own bool, record int) ([]Piece, error)
}

// OwnPages are the own pages of the records of a list that is taught.
type OwnPages interface {
	// Own is what the own page of a record says, as far as it can be pointed at. Where only
	// the list is read, its OwnPage is false.
	Own(ctx context.Context, id string) (Lesson, error)
	// ReadOwn asks for the own pages of two records, and learns what they add.
	ReadOwn(ctx context.Context, id string) error
	LeaveOwn(ctx context.Context, id string) error
	PointOwn(ctx context.Context, id string, p Pick) error
	FieldOwn(ctx context.Context, id, field string, s FieldStep) error
}

// Copy is a copy of a page in which nothing of the page can act.
type Copy struct {
	HTML   []byte
	Places int
	Cut    bool
}

// Piece is something of a record that a person may choose instead of clicking at it.
type Piece struct {
	Place             int
	Text, Link, Image string
}

// Lesson is a page and what is read from it so far.
type Lesson struct {
	ID           string
	URL          string
	Schema       curlew.SchemaName
	Page         curlew.PageType
	Instructions string
	At           time.Time // when the page was as it is
	Archived     bool
	Source       curlew.SourceID
	Blueprint    curlew.BlueprintID

	Ways    []Way
	Notes   []string
	Where   string // the records, in words
	Tier    curlew.Tier
	Onward  string // further and own pages, in words
	Fields  []LessonField
	Records []LessonRecord
	Total   int
	Missing []string // fields of the schema that are not read
	Removed []string
	Places  int
	Data    bool // the page is data: there is nothing to look at
	Test    *LessonTest

	Leads   bool        // its records have pages of their own
	Own     *OwnReading // how those are read; nil for not
	OwnPage bool        // this is such a page, not the list
}

// OwnReading is how the own pages of records are read.
type OwnReading struct {
	URL   string   // of the first one that was asked for; "" for none yet
	Adds  []string // fields that they tell and the list does not, or not as fully
	Rules []ExplainedFollow
	Rows  []OwnRow
}

// OwnRow is what the own page of one record adds.
type OwnRow struct {
	URL    string
	Name   string
	Record LessonRecord
	Speaks bool
}

// Under is where the forms of a lesson lead.
func (l Lesson) Under() string {
	if l.OwnPage {
		return lessonAt(l.ID) + "/own"
	}
	return lessonAt(l.ID)
}

// Frame is where the copy of its page is.
func (l Lesson) Frame() string {
	if l.OwnPage {
		return lessonAt(l.ID) + "/page?of=own"
	}
	return lessonAt(l.ID) + "/page"
}

// Learned says whether there is anything to keep.
func (l Lesson) Learned() bool { return l.Total > 0 }

// Way is one thing on the page that could be read.
type Way struct {
	Key, Title, Sample string
	Tier               curlew.Tier
	Records            int
	Chosen             bool
}

// LessonField is one field over all records.
type LessonField struct {
	Name     string
	Required bool
	Present  int // records that have it
	Taught   bool
	Rules    []string
	Note     string // how it stands to what the list says
}

// LessonRecord is one record as it is read.
type LessonRecord struct {
	Number     int
	Fields     curlew.Values
	Evidence   map[string]curlew.Evidence
	Taught     map[string]bool
	Confidence float64
}

// LessonTest is what the rules gave on another page.
type LessonTest struct {
	URL      string
	At       time.Time
	Fit      string
	Reasons  []string
	Total    int
	Accuracy int
	Passed   bool
	Sentence string
	Feedback []string
	Records  []LessonRecord
	Fields   []string
	Own      *OwnTest
}

// OwnTest is what list and own page of one record gave together.
type OwnTest struct {
	URL      string
	Problem  string // why the page was not read
	Accuracy int
	Passed   bool
	Sentence string
	Feedback []string
	Record   LessonRecord
	Fields   []LessonField
}

// Pick is a place of a page and what it is.
type Pick struct {
	Place  int
	Field  string
	Record int
	Text   string
}

// FieldStep is what may be done with a field of a lesson.
type FieldStep string

const (
	RemoveField  FieldStep = "remove"
	RestoreField FieldStep = "restore" // forget what was said about it
)

// Teaching is what people say about a page.
type Teaching interface {
	Choose(ctx context.Context, id, way string) error
	Again(ctx context.Context, id string, schema curlew.SchemaName, page curlew.PageType) error
	Point(ctx context.Context, id string, p Pick) error
	Field(ctx context.Context, id, field string, s FieldStep) error
	Test(ctx context.Context, id, address string) error
}

// NewWatch is a watch to begin with.
type NewWatch struct {
	URL, Name, Schedule string
}

// Saving keeps what was learned.
type Saving interface {
	// AsVersion keeps it as the next version of a source's blueprint, which becomes the active one.
	AsVersion(ctx context.Context, id string, source curlew.SourceID) (curlew.BlueprintID, error)
	// AsWatch keeps a source, its blueprint and a watch, which begins at once.
	AsWatch(ctx context.Context, id string, w NewWatch) (curlew.WatchID, error)
	// LastPage is what the last archived page of a blueprint or a source is: its address and when.
	LastPage(ctx context.Context, source curlew.SourceID, id curlew.BlueprintID) (address string, at time.Time, err error)
}
