// Package curlew holds the nouns of the product: orgs, sources, candidates,
// blueprints, watches, runs, pages, records, entities, publications, changes,
// subscriptions and deliveries, the schemas that give entities their shape,
// typed ids, and Fault, the one kind of expected failure.
//
// It refuses to do anything: no I/O, and time and randomness are given to it
// (SystemMinter, which makes ids for programs, takes the machine's). It imports no other package. Every other package may import it.
package curlew
