// Package auth says who somebody is and what they may do: people with passwords
// or an OIDC provider, sessions, programs with API keys, roles and scopes, and
// the audit log of who did what.
//
// Of every secret (session, link, key, password) only a hash is kept. It keeps
// nothing itself: it declares what it needs of a store. It dials nobody but the
// OIDC provider, through egress. It does not decide which route needs which
// action; those who serve the route say so with Require.
package auth
