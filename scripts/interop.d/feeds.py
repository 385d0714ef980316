"""Reads the feeds with parsers of Python. The argument names one."""
import os, sys

feeds = os.environ["work"] + "/feeds/feed."
if sys.argv[1] == "feedparser":
    import feedparser
    for form in ("atom", "rss"):
        feed = feedparser.parse(feeds + form)
        assert not feed.bozo, feed.get("bozo_exception")
        assert len(feed.entries) > 2 and all(e.id and e.title and e.get("updated_parsed") for e in feed.entries), form
        assert len({e.id for e in feed.entries}) == len(feed.entries), "ids come twice"
        print(form, len(feed.entries), "entries,", feedparser.__version__)
else:
    import icalendar
    with open(feeds + "ics", "rb") as f:
        calendar = icalendar.Calendar.from_ical(f.read())
    events = calendar.walk("vevent")
    assert len(events) > 2 and all(e["uid"] and e["summary"] and e.decoded("dtstart") for e in events)
    print(len(events), "events")
