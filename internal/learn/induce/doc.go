// Package induce writes blueprints: from pages and values that are known to stand on
// them, from pages alone, and from a blueprint that stopped fitting together with
// what it once found.
//
// All three are one idea. Values are located on pages, every place suggests rules
// that lead there, and the rules are tried on all pages with the very machine that
// will run them later. What survives is ordered by how likely it is to survive the
// next redesign. It asks no model, fetches nothing and never guesses in silence:
// every blueprint comes with a proof of what it finds again.
package induce
