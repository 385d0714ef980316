(function () {
  "use strict";
  var root = document.getElementById("root"), cursor = null;
  function make(tag, className, text) {
    var node = document.createElement(tag);
    node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function price(cents) { return "€" + (cents / 100).toFixed(2); }
  function when(iso) {
    return new Intl.DateTimeFormat("en-IE", { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "Europe/Dublin" }).format(new Date(iso));
  }
  var list = make("section", "workshops"), more = make("button", "load-more", "Load more workshops");
  function card(w) {
    var node = make("article", "workshop");
    node.id = w.id;
    var link = make("a", "workshop__title", w.title);
    link.href = new URL(w.permalink).pathname;
    var heading = make("h2", "");
    heading.append(link);
    node.append(heading, make("p", "workshop__when", when(w.start)), make("p", "workshop__where", w.room + ", " + w.town), make("p", "workshop__price", price(w.price.cents)));
    if (w.status !== "scheduled") node.append(make("p", "workshop__status", { sold_out: "Sold out", cancelled: "Cancelled", rescheduled: "New date" }[w.status] || w.status));
    return node;
  }
  function load() {
    more.disabled = true;
    fetch("/api/v2/workshops" + (cursor ? "?cursor=" + cursor : "")).then(function (r) { return r.json(); }).then(function (data) {
      data.results.forEach(function (w) { list.append(card(w)); });
      cursor = data.cursor;
      more.disabled = false;
      more.hidden = !cursor;
    });
  }
  function consent() {
    var dialog = make("div", "consent");
    dialog.setAttribute("role", "dialog");
    dialog.setAttribute("data-consent-root", "");
    var yes = make("button", "consent__yes", "Accept all cookies");
    yes.onclick = function () { dialog.remove(); };
    dialog.append(make("p", "", "We value your privacy. Choose what we may remember."), yes);
    return dialog;
  }
  function masthead() {
    var bar = make("header", "masthead");
    bar.append(make("b", "", "Makers’ Loft"));
    [["Studio", "/info/studio"], ["Gift vouchers", "/info/gift-vouchers"]].forEach(function (entry) {
      var link = make("a", "", entry[0]);
      link.href = entry[1];
      bar.append(link);
    });
    return bar;
  }
  more.hidden = true;
  more.onclick = load;
  root.append(masthead(), make("h1", "", "Workshops"), list, more, consent());
  load();
})();
