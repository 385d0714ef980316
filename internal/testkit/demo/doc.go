// Package demo is the sample web: sixteen believable websites on loopback
// that stand for the internet in tests and in `curlew demo`. What is true on a
// site is a pure function of a seed and a day; what a page looks like is a pure
// function of that truth, a design and a drift counter. Sites can be advanced
// by a day, redesigned, drifted, broken and repaired, and the package knows the
// exact truth and the exact changes that a reader ought to find.
//
// It refuses to listen anywhere but on loopback, to read the machine's clock
// for anything a page shows, and to answer commands on the sites' own hosts.
package demo
