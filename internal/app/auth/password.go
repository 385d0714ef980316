package auth

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// Argon is what hashing a password costs. It is kept with each hash, so that it
// can be raised: a password is hashed anew when its owner signs in.
type Argon struct {
	KiB    uint32
	Passes uint32
	Lanes  uint8
}

// DefaultArgon is the first recommendation of OWASP's Password Storage Cheat
// Sheet: 19 MiB, two passes, one lane.
func DefaultArgon() Argon { return Argon{KiB: 19 * 1024, Passes: 2, Lanes: 1} }

const (
	saltBytes = 16
	hashBytes = 32
	// Bounds of what is believed of a kept hash, so that a damaged row costs little.
	mostKiB    = 1 << 20
	mostPasses = 64
	// hashesAtOnce bounds the memory that many who sign in at once can claim.
	hashesAtOnce = 4
)

// hasher hashes and compares passwords, a few at a time.
type hasher struct {
	argon  Argon
	random io.Reader
	turns  chan struct{}
	decoy  string // what is compared when there is no such account
}

func newHasher(a Argon, random io.Reader) *hasher {
	h := &hasher{argon: a, random: random, turns: make(chan struct{}, hashesAtOnce)}
	none := make([]byte, hashBytes) // the hash of no password: 256 zero bits cannot be met
	h.decoy = a.spell(make([]byte, saltBytes), none)
	return h
}

// turn waits until there is memory for one more.
func (h *hasher) turn(ctx context.Context) (done func(), err error) {
	select {
	case h.turns <- struct{}{}:
		return func() { <-h.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hash gives a password in the form in which it is kept: PHC's string format.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(h.random, salt); err != nil {
		return "", fmt.Errorf("no randomness for a salt: %w", err)
	}
	done, err := h.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return h.argon.spell(salt, h.argon.sum(password, salt, hashBytes)), nil
}

// verify compares a password with a kept hash in a time that tells nothing. For
// "", which is no password at all, it works as hard and says no.
func (h *hasher) verify(ctx context.Context, password, kept string) (right, outdated bool, err error) {
	none := kept == ""
	if none {
		kept = h.decoy
	}
	argon, salt, want, ok := parseHash(kept)
	if !ok {
		return false, false, fmt.Errorf("a stored password hash is damaged")
	}
	done, err := h.turn(ctx)
	if err != nil {
		return false, false, err
	}
	defer done()
	got := argon.sum(password, salt, uint32(len(want)))
	same := subtle.ConstantTimeCompare(got, want) == 1
	return same && !none, argon != h.argon, nil
}

// sum hashes. Letters that look alike count as alike, however a keyboard composes them.
func (a Argon) sum(password string, salt []byte, size uint32) []byte {
	return argon2.IDKey([]byte(norm.NFKC.String(password)), salt, a.Passes, a.KiB, a.Lanes, size)
}

func (a Argon) spell(salt, sum []byte) string {
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, a.KiB, a.Passes, a.Lanes, b64(salt), b64(sum))
}

// sane says whether checking a password at this cost is within bounds.
func (a Argon) sane() bool {
	return a.KiB >= 8 && a.KiB <= mostKiB && a.Passes >= 1 && a.Passes <= mostPasses && a.Lanes >= 1
}

func parseHash(kept string) (a Argon, salt, sum []byte, ok bool) {
	parts := strings.Split(kept, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return a, nil, nil, false
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &a.KiB, &a.Passes, &a.Lanes); n != 3 || err != nil {
		return a, nil, nil, false
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	sum, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	sized := len(salt) >= 8 && 16 <= len(sum) && len(sum) <= 64
	return a, salt, sum, err1 == nil && err2 == nil && a.sane() && sized
}

const (
	leastPassword = 10   // characters
	mostPassword  = 1024 // bytes: nobody types more, and hashing it costs
)

// worst are passwords of ten characters and more from the tops of leaked lists,
// and what people type when ten are asked for.
var worst = strings.Fields(`1234567890 12345678910 123456789a 0123456789 1234567891 9876543210 0987654321 1111111111 0000000000 1q2w3e4r5t
	qwertyuiop qwerty12345 qwerty123456 qwertyuiop123 asdfghjkl123 asdfghjklo 1qaz2wsx3edc zaq12wsxcde qazwsxedcrfv password12 password123
	password1234 passwordpassword mypassword123 passw0rd123 p@ssword123 p@ssw0rd123 letmein1234 letmeinplease iloveyou123 iloveyou1234
	iloveyouforever
	administrator admin12345 admin123456 administrator1 welcome123 welcome1234 changeme123 changemenow changeme1234 secret1234 default123
	football123 basketball baseball123 superman123 princess123 sunshine123 dragon12345 abcdefghij abcdefghijk abcd123456 abc1234567
	abc123abc123
	aaaaaaaaaa q1w2e3r4t5 q1w2e3r4t5y6 correcthorse trustno1234 test123456 testtest123 curlewcurlew curlew1234 curlew12345`)

// CheckPassword says what is wrong with a new password: it must be long enough, not
// name its owner, and not be one that everybody tries first.
func CheckPassword(password string, names ...string) error {
	lower := strings.ToLower(norm.NFKC.String(password))
	switch {
	case !utf8.ValidString(password):
		return curlew.Permanent("bad_password", "the password is not valid text")
	case utf8.RuneCountInString(password) < leastPassword:
		return curlew.Permanent("bad_password", "a password needs at least %d characters", leastPassword)
	case len(password) > mostPassword:
		return curlew.Permanent("bad_password", "a password may have at most %d bytes", mostPassword)
	case slices.Contains(worst, lower) || strings.Count(lower, lower[:1]) == len(lower):
		return curlew.Permanent("bad_password", "this password is too common")
	}
	for _, name := range names {
		name = strings.ToLower(norm.NFKC.String(strings.TrimSpace(name)))
		local, _, _ := strings.Cut(name, "@")
		for _, word := range []string{name, local, strings.ReplaceAll(name, " ", "")} {
			if word != "" && strings.Trim(strings.ReplaceAll(lower, word, ""), "0123456789!.-_ ") == "" {
				return curlew.Permanent("bad_password", "a password must not be your name or e-mail address")
			}
		}
	}
	return nil
}
