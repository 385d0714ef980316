// Reads the feeds with parsers of npm. The argument names one.
import { createReadStream, readFileSync } from "node:fs";
const feeds = `${process.env.work}/feeds/feed.`;
const parsers = {
  async feedparser() {
    const { default: FeedParser } = await import("feedparser");
    const counts = {};
    for (const format of ["atom", "rss"]) {
      counts[format] = await new Promise((resolve, reject) => {
        let n = 0;
        const parser = createReadStream(feeds + format).pipe(new FeedParser());
        parser.on("error", reject);
        parser.on("readable", function () { for (let item; (item = this.read());) { if (!item.guid || !item.title || !item.date) reject(new Error(`an entry lacks something: ${JSON.stringify(item)}`)); n++; } });
        parser.on("end", () => resolve(n));
      });
    }
    return counts;
  },
  async "rss-parser"() {
    const { default: Parser } = await import("rss-parser");
    const counts = {};
    for (const format of ["atom", "rss"]) counts[format] = (await new Parser().parseString(readFileSync(feeds + format, "utf8"))).items.filter((i) => i.title && i.isoDate).length;
    return counts;
  },
  async "ical.js"() {
    const { default: ICAL } = await import("ical.js");
    const calendar = new ICAL.Component(ICAL.parse(readFileSync(feeds + "ics", "utf8")));
    const events = calendar.getAllSubcomponents("vevent").map((e) => new ICAL.Event(e));
    for (const e of events) if (!e.uid || !e.summary || !e.startDate.toJSDate().getTime()) throw new Error(`an event lacks something: ${e.uid}`);
    return { events: events.length };
  },
  async "JSON Feed 1.1"() { // by the text of the standard
    const feed = JSON.parse(readFileSync(feeds + "json", "utf8"));
    if (feed.version !== "https://jsonfeed.org/version/1.1" || !feed.title || !feed.feed_url) throw new Error("the head lacks something");
    for (const i of feed.items) if (typeof i.id !== "string" || !("content_html" in i || "content_text" in i) || Number.isNaN(Date.parse(i.date_published ?? i.date_modified))) throw new Error(`an item lacks something: ${i.id}`);
    if (new Set(feed.items.map((i) => i.id)).size !== feed.items.length) throw new Error("ids come twice");
    return { items: feed.items.length };
  },
};
const counts = await parsers[process.argv[2]]();
if (Object.values(counts).some((n) => n < 3)) throw new Error(`too little was read: ${JSON.stringify(counts)}`);
console.log(JSON.stringify(counts));
