// Package archive keeps what Curlew read, as WARC 1.1 (ISO 28500:2017) that any
// other tool can read: one gzip member per record, a warcinfo first, then for
// every response a `response` record, or a `revisit` record where the same
// payload is kept already, followed by its `request` record.
//
// Three things about what is stored:
//
//   - Bodies arrive decoded and are stored decoded. So that the stored HTTP
//     message stays true, Content-Encoding, Transfer-Encoding and
//     Content-Length of the server are renamed to X-Archive-Orig-…, and a
//     Content-Length that fits the stored body is added. Read undoes this.
//   - The status line always says HTTP/1.1, since other versions have no such
//     line; the protocol really spoken stands in WARC-Protocol.
//   - Credentials that were sent (Authorization, Proxy-Authorization, Cookie,
//     user:password in a URL) are never written.
//
// What Write returned is durable: its bytes are synced, and a file is readable
// up to its last synced record whatever happens to the process. The file that a
// process appends to carries the suffix ".open" and a lock of the operating
// system; a file whose owner died is cut after its last whole record and sealed
// by whoever opens the archive next.
//
// The package refuses to decide what may be forgotten: Prune asks for every
// file. It keeps no index, it dials nothing (the transport for S3 is given),
// and it writes no log.
package archive
