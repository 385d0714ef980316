package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"

	"github.com/curlew-data/curlew/internal/curlew"
)

// contentHash is a stable hash of fields, for when nobody gives a better one.
// encoding/json orders the keys.
func contentHash(fields curlew.Values) string {
	body, err := json.Marshal(map[string]any(fields))
	if err != nil { // a value that JSON cannot carry; it never comes out of a database
		body = []byte(err.Error())
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// digest joins parts into one hash so that no two ways of cutting them are alike.
type digest struct{ hash.Hash }

func newDigest() digest { return digest{sha256.New()} }

func (d digest) add(parts ...string) {
	var line []byte
	for _, part := range parts {
		line = append(append(line, part...), 0)
	}
	d.Write(append(line, 1))
}

func (d digest) hex() string { return hex.EncodeToString(d.Sum(nil)) }
