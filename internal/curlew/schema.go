package curlew

import "slices"

// SchemaName names the shape of an entity. Schemas are system-wide and in code.
type SchemaName string

const (
	SchemaEvent        SchemaName = "event"
	SchemaProduct      SchemaName = "product"
	SchemaJob          SchemaName = "job"
	SchemaArticle      SchemaName = "article"
	SchemaOrganization SchemaName = "organization"
	SchemaItem         SchemaName = "item" // any list
)

// FieldType is the type of a field's value.
type FieldType string

const (
	TypeText    FieldType = "text"
	TypeLong    FieldType = "long_text"
	TypeURL     FieldType = "url"
	TypeTime    FieldType = "time"  // RFC 3339, or a date alone when the time is not known
	TypeMoney   FieldType = "money" // integer in minor units of the record's currency
	TypeNumber  FieldType = "number"
	TypeInteger FieldType = "integer"
	TypeBool    FieldType = "bool"
	TypeChoice  FieldType = "choice" // one of Field.Choices
	TypeList    FieldType = "list"   // of text
	TypeMap     FieldType = "map"    // of text by name
)

// Field is one field of a schema.
type Field struct {
	Name     string    `json:"name"`
	Type     FieldType `json:"type"`
	Required bool      `json:"required,omitempty"`
	Choices  []string  `json:"choices,omitempty"`
}

// Schema is the shape of an entity.
type Schema struct {
	Name   SchemaName `json:"name"`
	Fields []Field    `json:"fields"`
}

// Field finds a field by name.
func (s Schema) Field(name string) (Field, bool) {
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return s.Fields[i], true
}

// Whole says whether fields have all that their schema requires. A schema of the
// user's own requires nothing.
func Whole(name SchemaName, fields Values) bool {
	schema, err := SchemaByName(name)
	if err != nil {
		return true
	}
	return !slices.ContainsFunc(schema.Fields, func(f Field) bool { return f.Required && fields[f.Name] == nil })
}

// SchemaByName finds a schema.
func SchemaByName(name SchemaName) (Schema, error) {
	for _, s := range Schemas() {
		if s.Name == name {
			return s, nil
		}
	}
	return Schema{}, Permanent("unknown_schema", "there is no schema %q: use event, product, job, article, organization or item", name)
}

// Schemas lists all of them, in the order in which people meet them.
func Schemas() []Schema {
	return []Schema{eventSchema(), productSchema(), jobSchema(), articleSchema(), organizationSchema(), itemSchema()}
}

func required(name string, t FieldType) Field { return Field{Name: name, Type: t, Required: true} }
func optional(name string, t FieldType) Field { return Field{Name: name, Type: t} }
func choice(name string, choices ...string) Field {
	return Field{Name: name, Type: TypeChoice, Choices: choices}
}

func eventSchema() Schema {
	return Schema{SchemaEvent, []Field{
		required("title", TypeText), required("starts_at", TypeTime), optional("ends_at", TypeTime),
		optional("time_known", TypeBool), optional("timezone", TypeText), optional("all_day", TypeBool),
		optional("recurrence", TypeText), choice("status", "scheduled", "cancelled", "postponed", "rescheduled", "moved_online", "sold_out"),
		optional("venue_name", TypeText), optional("venue_address", TypeText), optional("city", TypeText),
		optional("country", TypeText), optional("latitude", TypeNumber), optional("longitude", TypeNumber),
		optional("online", TypeBool), optional("performers", TypeList), optional("organizer", TypeText),
		optional("category", TypeText), optional("description", TypeLong), optional("image_url", TypeURL),
		optional("url", TypeURL), optional("price_min", TypeMoney), optional("price_max", TypeMoney),
		optional("currency", TypeText),
	}}
}

func productSchema() Schema {
	return Schema{SchemaProduct, []Field{
		required("name", TypeText), optional("price", TypeMoney), optional("price_was", TypeMoney),
		optional("currency", TypeText), optional("seller", TypeText), optional("brand", TypeText),
		optional("sku", TypeText), optional("gtin", TypeText), optional("mpn", TypeText),
		choice("availability", "in_stock", "out_of_stock", "preorder", "discontinued"),
		choice("condition", "new", "used", "refurbished", "damaged"), optional("rating", TypeNumber),
		optional("review_count", TypeInteger), optional("image_url", TypeURL), optional("description", TypeLong),
		optional("url", TypeURL), optional("position", TypeInteger),
	}}
}

func jobSchema() Schema {
	return Schema{SchemaJob, []Field{
		required("title", TypeText), optional("company", TypeText), optional("location", TypeText),
		optional("remote", TypeBool), optional("salary_min", TypeMoney), optional("salary_max", TypeMoney),
		choice("salary_period", "hour", "day", "week", "month", "year"), optional("currency", TypeText),
		optional("employment_type", TypeText), optional("posted_date", TypeTime),
		optional("valid_through", TypeTime), optional("description_snippet", TypeText), optional("url", TypeURL),
	}}
}

func articleSchema() Schema {
	return Schema{SchemaArticle, []Field{
		required("title", TypeText), optional("text", TypeLong), optional("markdown", TypeLong),
		optional("summary", TypeText), optional("author", TypeText), optional("published_at", TypeTime),
		optional("updated_at", TypeTime), optional("language", TypeText), optional("section", TypeText),
		optional("canonical_url", TypeURL), optional("image_url", TypeURL), optional("url", TypeURL),
	}}
}

func organizationSchema() Schema {
	return Schema{SchemaOrganization, []Field{
		required("name", TypeText), optional("legal_id", TypeText), optional("url", TypeURL),
		optional("address", TypeText), optional("city", TypeText), optional("country", TypeText),
		optional("latitude", TypeNumber), optional("longitude", TypeNumber), optional("phone", TypeText),
		optional("activities", TypeList),
	}}
}

func itemSchema() Schema {
	return Schema{SchemaItem, []Field{
		required("title", TypeText), optional("url", TypeURL), optional("image_url", TypeURL),
		optional("text", TypeLong), optional("price", TypeMoney), optional("date", TypeTime),
		optional("slots", TypeMap),
	}}
}
