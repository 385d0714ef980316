package structured

// Caches of GraphQL clients keep each entity once and refer to it by its key:
// Apollo as {"__ref": key} or {"type": "id", "id": key}, Relay as {"__ref": key}
// and {"__refs": [key…]}.

const (
	maxCacheDepth = 6       // how deep below the top of a state a cache is looked for
	maxReferences = 5       // how many references are followed from one entity
	maxCacheSize  = 500_000 // how many values the references may add
)

// withReferences resolves the references of a cache, wherever in a state it is.
func withReferences(value any) any {
	if cache := findCache(value, 0); cache != nil {
		c := cacheReader{entities: cache, open: map[string]bool{}, budget: maxCacheSize}
		resolved := map[string]any{}
		for _, key := range sortedKeys(cache) {
			c.open[key] = true
			resolved[key] = c.resolve(cache[key], 0)
			delete(c.open, key)
		}
		for key := range cache {
			cache[key] = resolved[key] // in place: the cache may be a part of a larger state
		}
	}
	return value
}

func findCache(value any, depth int) map[string]any {
	members, ok := value.(map[string]any)
	if !ok || depth > maxCacheDepth {
		return nil
	}
	for _, root := range []string{"ROOT_QUERY", "client:root"} {
		if _, ok := members[root].(map[string]any); ok {
			return members
		}
	}
	for _, key := range sortedKeys(members) {
		if found := findCache(members[key], depth+1); found != nil {
			return found
		}
	}
	return nil
}

type cacheReader struct {
	entities map[string]any
	open     map[string]bool
	budget   int
}

// resolve copies a value with its references replaced, as far as the bounds
// allow; beyond them, and where an entity would hold itself, the reference stays.
func (c *cacheReader) resolve(value any, followed int) any {
	if c.budget--; c.budget < 0 {
		return value
	}
	switch value := value.(type) {
	case []any:
		items := make([]any, len(value))
		for i := range value {
			items[i] = c.resolve(value[i], followed)
		}
		return items
	case map[string]any:
		if key := referenceKey(value); key != "" {
			return c.follow(key, value, followed)
		}
		members := make(map[string]any, len(value))
		for _, name := range sortedKeys(value) {
			members[name] = c.resolve(value[name], followed)
		}
		if keys, ok := value["__refs"].([]any); ok {
			return c.followAll(keys, followed)
		}
		return members
	}
	return value
}

// referenceKey is the key that an object refers to, or "".
func referenceKey(value map[string]any) string {
	if key, ok := value["__ref"].(string); ok {
		return key
	}
	if kind, _ := value["type"].(string); kind == "id" && len(value) <= 4 {
		if _, ok := value["generated"]; ok {
			key, _ := value["id"].(string)
			return key
		}
	}
	return ""
}

func (c *cacheReader) follow(key string, reference any, followed int) any {
	entity, known := c.entities[key]
	if !known || c.open[key] || followed >= maxReferences || c.budget < 0 {
		return reference
	}
	c.open[key] = true
	defer delete(c.open, key)
	return c.resolve(entity, followed+1)
}

func (c *cacheReader) followAll(keys []any, followed int) any {
	items := make([]any, 0, len(keys))
	for _, entry := range keys {
		key, _ := entry.(string)
		items = append(items, c.follow(key, map[string]any{"__ref": key}, followed))
	}
	return items
}
