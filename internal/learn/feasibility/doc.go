// Package feasibility looks at a site before anything is read from it: which
// formats it offers, which CMS makes it, which endpoints it has, how its pages go
// on, and whether reading it is feasible at all. It fetches nothing itself.
package feasibility
