package door_test

import "net/url"

// kindAttempts make, change and delete a kind of the org's own, another one for each door.
func kindAttempts() []attempt {
	add := func(what, name string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"kinds", "add", name, "--field", "subject:text!", "--field", "price:money"}, rest: "POST /kinds",
			body: `{"name":"` + name + `","fields":[{"name":"subject","type":"text","required":true},{"name":"price","type":"money"}]}`,
			call: "KindService/AddKind", page: "/kinds", fields: url.Values{"name": {name}, "f0-name": {"subject"}, "f0-type": {"text"},
				"f0-required": {"1"}, "f1-name": {"price"}, "f1-type": {"money"}, "do": {"save"}}, want: want}
		if want == (outcome{}) {
			a.audit = "addKind"
		}
		return a
	}
	remove := func(what, name string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"kinds", "delete", name}, rest: "DELETE /kinds/" + name, call: "KindService/DeleteKind",
			sent: `{"name":"` + name + `"}`, page: "/kinds/" + name + "/delete", want: want}
		if want == (outcome{}) {
			a.audit = "deleteKind"
		}
		return a
	}
	set := func(what, field, value string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"words", "set", "product", field, "nu te {door}", value}, rest: "POST /words",
			body: `{"schema":"product","field":"` + field + `","word":"nu te {door}","value":"` + value + `"}`, page: "/kinds/product/words",
			fields: url.Values{"field": {field}, "word": {"nu te {door}"}, "value": {value}}, want: want}
		if want == (outcome{}) {
			a.audit = "setFieldWord"
		}
		return a
	}
	forget := attempt{cli: []string{"words", "delete", "product", "availability", "nu te {door}"},
		rest: "DELETE /words?schema=product&field=availability&word=nu%20te%20{door}", page: "/kinds/product/words/delete",
		fields: url.Values{"field": {"availability"}, "word": {"nu te {door}"}}}
	forgets, again := forget, forget
	forgets.name, forgets.audit = "forgetting a word", "deleteFieldWord"
	again.name, again.want = "forgetting a word twice", outcome{"not_found", `word "nu te {door}" not found`}
	return []attempt{
		set("saying what a word means", "availability", "preorder", outcome{}),
		set("saying it otherwise", "availability", "in_stock", outcome{}),
		set("a meaning that there is not", "availability", "soon", bad("value", "choose one of in_stock, out_of_stock, preorder, discontinued")),
		set("a word of a field of text", "brand", "yes", bad("field", "brand is neither one of a set nor yes or no: its words need no meaning")),
		set("a word of no field", "yacht", "yes", bad("field", `product has no field "yacht"`)),
		forgets, again,
		add("making a kind", "lot_{door}", outcome{}),
		add("making a kind twice", "lot_{door}", bad("name", "there is a kind lot_{door} already: edit it, or choose another name")),
		add("making a kind that is built in", "event", bad("name", `"event" is a built-in kind: choose another name`)),
		{name: "making a kind without fields", cli: []string{"kinds", "add", "nothing"}, rest: "POST /kinds", body: `{"name":"nothing","fields":[]}`,
			call: "KindService/AddKind", page: "/kinds", fields: url.Values{"name": {"nothing"}, "do": {"save"}}, want: bad("fields", "give at least one field, at most 60")},
		{name: "a kind with a field of an unknown type", cli: []string{"kinds", "add", "odd", "--field", "subject:map", "--field", "name:text"}, rest: "POST /kinds",
			body: `{"name":"odd","fields":[{"name":"subject","type":"map"},{"name":"name","type":"text"}]}`, call: "KindService/AddKind", page: "/kinds",
			fields: url.Values{"name": {"odd"}, "f0-name": {"subject"}, "f0-type": {"map"}, "f1-name": {"name"}, "f1-type": {"text"}, "do": {"save"}}, want: bad("fields/0/type",
				`"map" is not one of text, long_text, url, picture, place, time, date, duration, money, number, integer, bool, choice, list`)},
		{name: "renaming a field", cli: []string{"kinds", "edit", "lot_{door}", "--rename", "subject=title"}, rest: "PATCH /kinds/lot_{door}",
			body: `{"rename":{"subject":"title"}}`, call: "KindService/EditKind", sent: `{"name":"lot_{door}","rename":{"subject":"title"}}`,
			page: "/kinds/lot_{door}/edit", fields: url.Values{"f0-was": {"subject"}, "f0-name": {"title"}, "f0-type": {"text"}, "title": {"0"},
				"f1-was": {"price"}, "f1-name": {"price"}, "f1-type": {"money"}, "f2-was": {"currency"}, "f2-name": {"currency"}, "f2-type": {"text"},
				"identity": {"url\nsubject"}, "do": {"save"}}, audit: "editKind"},
		{name: "renaming a field that is not there", cli: []string{"kinds", "edit", "lot_{door}", "--rename", "subject=title"}, rest: "PATCH /kinds/lot_{door}",
			body: `{"rename":{"subject":"title"}}`, call: "KindService/EditKind", sent: `{"name":"lot_{door}","rename":{"subject":"title"}}`,
			want: bad("rename", `lot_{door} has no field "subject"`)},
		remove("deleting a kind", "lot_{door}", outcome{}),
		remove("deleting a kind that is not there", "lot_{door}", outcome{"not_found", `kind "lot_{door}" not found`}),
		remove("deleting a built-in kind", "event", outcome{"kind_built_in", "event is built in: only kinds of your own can be changed"}),
	}
}
