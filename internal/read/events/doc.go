// Package events reads the dated entries of a plain page: public meetings, what is
// on at a venue, schedules, court days, festivals, written as tables, lists, cards,
// headings with paragraphs, or lines parted by br, without any structured data.
//
// It finds the dates that stand for entries, completes them from headings and
// neighbours (year, month, one time for all), cuts the page into one entry per
// date and names each. It asks no model, fetches nothing and keeps nothing.
package events
