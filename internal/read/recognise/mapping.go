package recognise

import (
	"embed"
	"fmt"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

//go:embed blueprints/*.json
var mappingFiles embed.FS

// mapping is the universal blueprint of a schema: how items of all vocabularies
// become its fields. It is data, as all blueprints.
type mapping struct {
	blueprint *blueprint.Blueprint
	types     map[string]bool
	single    *blueprint.Compiled // the same rules for one item of the type recordType
}

// recordType is the type of the item that single reads.
const recordType = "curlew:record"

var mappings = sync.OnceValue(func() map[curlew.SchemaName]*mapping {
	all := map[curlew.SchemaName]*mapping{}
	for _, schema := range curlew.Schemas() {
		if schema.Name == curlew.SchemaPage {
			continue // any page is one, whatever its data say
		}
		m, err := loadMapping(schema.Name)
		if err != nil {
			panic(fmt.Sprintf("recognise: the mapping of %s is broken: %v", schema.Name, err))
		}
		all[schema.Name] = m
	}
	return all
})

func loadMapping(schema curlew.SchemaName) (*mapping, error) {
	text, err := mappingFiles.ReadFile("blueprints/" + string(schema) + ".json")
	if err != nil {
		return nil, err
	}
	b, err := blueprint.Parse(text)
	if err != nil {
		return nil, err
	}
	m := &mapping{blueprint: b, types: map[string]bool{}}
	for _, t := range b.Records.Items {
		m.types[t] = true
	}
	one := *b
	one.Records = &blueprint.Selector{Items: []string{recordType}}
	m.single, err = blueprint.Compile(&one)
	return m, err
}
