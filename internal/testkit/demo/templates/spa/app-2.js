(function () {
  "use strict";
  var root = document.getElementById("root"), cursor = "0";
  root.innerHTML = '<div class="appbar"><strong>Makers’ Loft</strong><a href="/info/studio">Studio</a><a href="/info/gift-vouchers">Gift vouchers</a></div><div role="dialog" aria-modal="true" class="cmp" data-consent-root><button type="button" class="cmp-accept">OK, got it</button></div><table class="timetable"><thead><tr><th>Date</th><th>Workshop</th><th>Room</th><th>Fee</th><th></th></tr></thead><tbody></tbody></table><a href="#more" class="more">Show more</a>';
  var body = root.querySelector("tbody"), more = root.querySelector(".more");
  function cell(row, text) { var td = row.insertCell(); td.textContent = text; return td; }
  function load() {
    fetch("/api/v2/workshops?cursor=" + cursor).then(function (r) { return r.json(); }).then(function (data) {
      data.results.forEach(function (w) {
        var row = body.insertRow();
        row.dataset.id = w.id;
        cell(row, w.start.slice(0, 10) + " " + w.start.slice(11, 16));
        var link = document.createElement("a");
        link.href = "/workshops/" + w.id;
        link.textContent = w.title;
        cell(row, "").append(link);
        cell(row, w.room + " (" + w.town + ")");
        cell(row, (w.price.cents / 100).toFixed(2) + " EUR");
        cell(row, w.status === "scheduled" ? "" : w.status.replace("_", " "));
      });
      cursor = data.cursor;
      more.hidden = cursor === null;
    });
  }
  root.querySelector(".cmp-accept").addEventListener("click", function () { root.querySelector(".cmp").remove(); });
  more.addEventListener("click", function (e) { e.preventDefault(); load(); });
  load();
})();
