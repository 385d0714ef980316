package curlew

import (
	"bytes"
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Typed ids. An id says what it names ("src_…", "run_…"), sorts by the time at
// which it was minted, and never carries meaning beyond that.
type (
	CandidateID    string
	SourceID       string
	BlueprintID    string
	WatchID        string
	RunID          string
	PageID         string
	RecordID       string
	EntityID       string
	PublicationID  string
	ChangeID       string
	SubscriptionID string
	DeliveryID     string
)

// Identifier is any of the typed ids above.
type Identifier interface {
	~string
	Prefix() string
}

func (CandidateID) Prefix() string    { return "can" }
func (SourceID) Prefix() string       { return "src" }
func (BlueprintID) Prefix() string    { return "bp" }
func (WatchID) Prefix() string        { return "wat" }
func (RunID) Prefix() string          { return "run" }
func (PageID) Prefix() string         { return "pag" }
func (RecordID) Prefix() string       { return "rec" }
func (EntityID) Prefix() string       { return "ent" }
func (PublicationID) Prefix() string  { return "pub" }
func (ChangeID) Prefix() string       { return "chg" }
func (SubscriptionID) Prefix() string { return "sub" }
func (DeliveryID) Prefix() string     { return "del" }

// idAlphabet is lowercase base32 in ASCII order, without i, l, o and u, so that
// ids sort as text in the order of their bytes and are easy to read aloud.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var idEncoding = base32.NewEncoding(idAlphabet).WithPadding(base32.NoPadding)

// idBytes is 48 bits of milliseconds and 72 bits of randomness: 24 characters.
const idBytes = 15

// Minter makes ids. Clock and randomness are given, so tests are exact.
type Minter struct {
	mu   sync.Mutex
	now  func() time.Time
	rand io.Reader
	last [idBytes]byte // also within a millisecond what is made later sorts later
}

// NewMinter returns a Minter on the given clock and source of randomness.
func NewMinter(now func() time.Time, random io.Reader) *Minter {
	return &Minter{now: now, rand: random}
}

// SystemMinter returns a Minter on the machine's clock and randomness.
func SystemMinter() *Minter { return NewMinter(time.Now, rand.Reader) }

// Mint makes a new id of the asked-for type.
func Mint[ID Identifier](m *Minter) ID {
	m.mu.Lock()
	defer m.mu.Unlock()
	var raw [idBytes]byte
	var millis [8]byte
	binary.BigEndian.PutUint64(millis[:], uint64(m.now().UnixMilli()))
	copy(raw[:6], millis[2:])
	if _, err := io.ReadFull(m.rand, raw[6:]); err != nil {
		panic(fmt.Sprintf("curlew: no randomness for ids: %v", err))
	}
	if bytes.Equal(raw[:6], m.last[:6]) {
		raw = after(m.last, raw)
	}
	m.last = raw
	var id ID
	return ID(id.Prefix() + "_" + idEncoding.EncodeToString(raw[:]))
}

// after is an id behind the last one, by a step of 48 bits that nobody can guess: whoever
// knows an id, which may be the address of a feed, knows none of its neighbours.
func after(last, random [idBytes]byte) [idBytes]byte {
	step := binary.BigEndian.Uint64(random[idBytes-8:])>>16 + 1
	for i := idBytes - 1; i >= 0 && step > 0; i-- {
		step += uint64(last[i])
		last[i] = byte(step)
		step >>= 8
	}
	return last
}

// IDProblem is what every interface says of a text that is no id with a prefix.
func IDProblem(prefix, text string) string {
	return fmt.Sprintf("%q is not a valid id: expected %q and 24 characters", text, prefix+"_")
}

// ParseID checks that text is an id of the asked-for type.
func ParseID[ID Identifier](text string) (ID, error) {
	var id ID
	want := id.Prefix() + "_"
	body, ok := strings.CutPrefix(text, want)
	raw, err := idEncoding.DecodeString(body)
	if !ok || err != nil || len(raw) != idBytes || len(body) != idEncoding.EncodedLen(idBytes) {
		return "", Permanent(ErrBadID, "%s", IDProblem(id.Prefix(), text))
	}
	return ID(text), nil
}

// FirstID is the least id that can be made at a moment: what was made before sorts before it.
func FirstID[ID Identifier](at time.Time) ID {
	var raw [8 + idBytes]byte
	binary.BigEndian.PutUint64(raw[:], uint64(at.UnixMilli())<<16)
	var id ID
	return ID(id.Prefix() + "_" + idEncoding.EncodeToString(raw[:idBytes]))
}

// MintedAt is when an id was made, to the millisecond; zero for what is no id.
func MintedAt[ID Identifier](id ID) time.Time {
	_, body, _ := strings.Cut(string(id), "_")
	raw, err := idEncoding.DecodeString(body)
	if err != nil || len(raw) != idBytes {
		return time.Time{}
	}
	var millis [8]byte
	copy(millis[2:], raw[:6])
	return time.UnixMilli(int64(binary.BigEndian.Uint64(millis[:]))).UTC()
}

// OrgID names a tenant. It is a short slug that people choose ("acme"), never
// changes, and is the first column of every key in the database.
type OrgID string

// DefaultOrg is the tenant of a fresh installation.
const DefaultOrg OrgID = "default"

var orgIDPattern = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`)

// ParseOrgID checks that text can name an org.
func ParseOrgID(text string) (OrgID, error) {
	if !orgIDPattern.MatchString(text) {
		return "", Permanent("bad_org", "%q cannot name an org: use 1 to 40 lowercase letters, digits and inner hyphens", text)
	}
	return OrgID(text), nil
}
