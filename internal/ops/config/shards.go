package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// MainShard is what the database of database.url is called among the shards.
const MainShard = "main"

// Shard is a further Postgres, on which orgs may live.
type Shard struct {
	Name string
	URL  DatabaseURL
}

// String shows no password.
func (s Shard) String() string { return s.Name + "=" + s.URL.String() }

var plainShard = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`)

// shardStart begins an element: the hosts of an address are parted by commas, too.
var shardStart = regexp.MustCompile(`(?:^|,)\s*([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)=`)

func shards(p *[]Shard) value {
	v := parsed(p, "a list such as east=postgres://user:password@host/database,west=postgres://…; names have lowercase letters, digits and "+
		"inner hyphens", readShards, func(all []Shard) string { return joined(all, Shard.String) })
	v.list, v.show = true, maskShards
	return v
}

// shardName names one of them; whether it is there is compared later.
func shardName(p *string) value {
	return plain(p, "empty, main, or a name of database.shards", func(s string) error { return misfit(s == "" || plainShard.MatchString(s)) })
}

// HasShard says whether there is a shard of that name.
func (c Config) HasShard(name string) bool {
	return name == MainShard || slices.ContainsFunc(c.Database.Shards, func(s Shard) bool { return s.Name == name })
}

func readShards(s string) (all []Shard, err error) {
	if s == "" {
		return nil, nil
	}
	starts := shardStart.FindAllStringSubmatchIndex(s, -1)
	if len(starts) == 0 || starts[0][0] != 0 {
		return nil, errMisfit
	}
	for i, at := range starts {
		end := len(s)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		shard := Shard{s[at[2]:at[3]], DatabaseURL{strings.TrimSpace(s[at[1]:end])}}
		if shard.Name == MainShard {
			return nil, errors.New(`where "main" is the name of the database of database.url`)
		}
		if slices.ContainsFunc(all, func(other Shard) bool { return other.Name == shard.Name || other.URL == shard.URL }) {
			return nil, fmt.Errorf("where %s is given twice", quote(shard.Name))
		}
		if _, err := parsePostgres(shard.URL.raw); err != nil {
			return nil, fmt.Errorf("where %s has no address of a Postgres", quote(shard.Name))
		}
		all = append(all, shard)
	}
	return all, nil
}

// maskShards shows of what cannot be read nothing but that it is there.
func maskShards(s string) string {
	all, err := readShards(s)
	if err != nil {
		return "…"
	}
	return joined(all, Shard.String)
}
