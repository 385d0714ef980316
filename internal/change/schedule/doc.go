// Package schedule says when to look again: at fixed times (presets and cron, in
// any time zone), or adaptively, by how often a page has been seen to change. It also
// shares a budget of checks among watches.
//
// It is pure: it reads no clock, keeps nothing and starts nothing. It refuses
// schedules that never come, and it never runs a time of day twice because a clock
// was put back, nor leaves one out because a clock was put forward.
package schedule
