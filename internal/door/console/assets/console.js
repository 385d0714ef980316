// Keeps what a page shows fresh, and lets people steer by keys. Every page works without it.
//
// An element with an id and data-live="changes runs pages" is a region: when the stream tells of
// one of these, the page is fetched again and the region is brought in line with its new self, node
// by node, so that focus, open details and the place on the page stay. Rows that carry data-key are
// known again. In a region with data-hold, rows that are new wait until somebody wants to see them.
"use strict";
(() => {
  const all = (sel, at = document) => [...at.querySelectorAll(sel)];
  const events = new URL("../api/v1/stream", document.currentScript.src); // Curlew may be below a path of its host
  const shown = document.querySelector(".live");
  const words = { on: "live", away: "not live: connecting again…", out: "signed out: reload" };
  const away = document.querySelector(".away");
  const say = (state) => {
    for (const at of all(".live")) { at.dataset.state = state; at.textContent = words[state]; }
    if (!away) return;
    away.hidden = state === "on";
    away.textContent = state === "out" ? "You are signed out: load the page again." : "Not live: what you see may be old. Connecting again…";
  };

  // Bringing a region in line
  const key = (node) => (node.nodeType === 1 ? node.dataset.key || node.id : "");
  const arrive = (node) => {
    node.classList.add("arrived");
    setTimeout(() => node.classList.remove("arrived"), 6500);
  };
  const settle = (now, next) => {
    if (now.isEqualNode(next)) return;
    if (now.nodeType !== 1) { if (now.data !== next.data) now.data = next.data; return; }
    const arrived = now.classList.contains("arrived");
    for (const { name } of [...now.attributes]) if (name !== "open" && name !== "data-held" && !next.hasAttribute(name)) now.removeAttribute(name);
    for (const { name, value } of next.attributes) if (name !== "open" && now.getAttribute(name) !== value) now.setAttribute(name, value);
    if (arrived) now.classList.add("arrived");
    if (now.hasAttribute("data-figure") && now.textContent !== next.textContent) arrive(now);
    if (!["INPUT", "TEXTAREA", "SELECT"].includes(now.nodeName)) children(now, next);
  };
  const holds = (at) => at.hasAttribute("data-hold") || at.hasAttribute("data-patient") && at.matches(":hover");
  const children = (now, next) => {
    const known = new Map([...now.childNodes].filter(key).map((node) => [key(node), node]));
    if (known.size && holds(now)) return hold(now, next, known);
    let at = now.firstChild;
    for (const want of [...next.childNodes]) {
      const name = key(want);
      const have = name ? known.get(name) : at && !key(at) && at.nodeName === want.nodeName ? at : null;
      if (!have) {
        const made = now.insertBefore(document.importNode(want, true), at);
        if (name && known.size && now.hasAttribute("data-rows")) arrive(made);
        continue;
      }
      if (have === at) at = at.nextSibling; else now.insertBefore(have, at);
      settle(have, want);
    }
    while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
  };

  // Rows that wait
  const held = new Map(); // by the id of their list
  const pill = document.querySelector(".fresh");
  const hold = (now, next, known) => {
    let waiting = 0;
    for (const want of next.children) {
      const have = known.get(key(want));
      if (have) settle(have, want); else waiting++;
    }
    if (waiting) held.set(now, next.cloneNode(true)); else held.delete(now);
    if (!pill) return;
    pill.hidden = !waiting;
    if (waiting) pill.querySelector("button").textContent = waiting === 1 ? "1 new row: show it" : waiting + " new rows: show them";
  };
  const release = () => {
    for (const [now, next] of held) {
      const holding = now.hasAttribute("data-hold"), patient = now.hasAttribute("data-patient");
      now.removeAttribute("data-hold"); now.removeAttribute("data-patient");
      children(now, next);
      now.toggleAttribute("data-hold", holding); now.toggleAttribute("data-patient", patient);
    }
    held.clear();
    pill.hidden = true;
  };
  pill?.querySelector("button").addEventListener("click", () => { release(); scrollTo({ top: 0 }); });
  for (const list of all("[data-patient]")) list.addEventListener("pointerleave", () => held.has(list) && release());

  // Fetching the page again: one at a time, and the slower the page the more seldom
  let due = new Set(), timer = 0, busy = false, rest = 1200, over = false;
  const soon = (topic) => {
    due.add(topic);
    if (!timer && !busy && !over) timer = setTimeout(refresh, rest);
  };
  const refresh = async () => {
    timer = 0;
    if (document.hidden) return;
    const wanted = all("[data-live][id]").filter((at) => due.has("all") || at.dataset.live.split(" ").some((topic) => due.has(topic)));
    due = new Set();
    if (!wanted.length) return;
    busy = true;
    const began = performance.now();
    try {
      const answer = await fetch(location.href, { redirect: "manual", cache: "no-store" });
      if (answer.type === "opaqueredirect" || answer.status === 401 || answer.status === 403) { over = true; stop(); say("out"); return; }
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const at of wanted) { const next = page.getElementById(at.id); if (next) settle(at, next); }
      }
    } catch { /* the server is away; the stream says when it is back */ } finally {
      busy = false;
      rest = Math.min(30000, Math.max(1200, 4 * (performance.now() - began)));
      if (due.size) soon([...due][0]);
    }
  };

  // The stream. It rests while nobody looks: browsers allow few connections.
  const topics = { change: "changes", "job.progress": "runs", "job.complete": "runs", "article.processed": "pages" };
  let stream = null, cursor = "", pause = 1500, failures = 0, resting = 0;
  const stop = () => { stream?.close(); stream = null; };
  const again = () => {
    stop();
    if (over) return;
    say("away");
    if (++failures > 3) cursor = ""; // it may be too old; the whole page is fetched again anyway
    if (failures > 1) soon("all"); // whoever was signed out is told so
    setTimeout(connect, pause + Math.random() * 500);
    pause = Math.min(20000, pause * 2);
  };
  const connect = () => {
    if (stream || over || document.hidden) return;
    const wanted = new Set(all("[data-live][id]").flatMap((at) => at.dataset.live.split(" ")));
    const ask = new URLSearchParams({ events: Object.keys(topics).filter((name) => wanted.has(topics[name])).join(",") });
    if (cursor) ask.set("cursor", cursor);
    stream = new EventSource(`${events}?${ask}`);
    stream.onopen = () => { if (failures) soon("all"); pause = 1500; failures = 0; say("on"); };
    stream.onerror = again;
    stream.addEventListener("dropped", again);
    for (const [name, topic] of Object.entries(topics)) stream.addEventListener(name, (event) => { cursor = event.lastEventId || cursor; soon(topic); });
  };
  if (document.querySelector("[data-live][id]") && window.EventSource) {
    if (shown) shown.hidden = false;
    connect();
    setInterval(() => { if (!document.hidden) soon("all"); }, 60000); // times go on, even when nothing happens
    document.addEventListener("visibilitychange", () => {
      clearTimeout(resting);
      if (document.hidden) { resting = setTimeout(stop, 20000); return; }
      soon("all");
      connect();
    });
    addEventListener("pagehide", stop);
    addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  }

  // Keys
  const help = document.getElementById("keys"), off = help?.querySelector("input");
  const silent = () => { try { return localStorage.getItem("keys") === "off"; } catch { return false; } };
  if (off) {
    off.checked = !silent();
    off.addEventListener("change", () => { try { localStorage.setItem("keys", off.checked ? "on" : "off"); } catch { /* it is forgotten */ } });
  }
  for (const to of help ? all("nav a[data-go]") : []) {
    const row = document.createElement("div"), what = document.createElement("dt"), keys = document.createElement("dd");
    what.textContent = to.textContent;
    for (const name of ["g", to.dataset.go]) keys.append(Object.assign(document.createElement("kbd"), { textContent: name }), " ");
    row.append(what, keys);
    help.querySelector("dl").append(row);
  }
  for (const open of all("[data-keys]")) { open.hidden = false; open.addEventListener("click", () => help.showModal()); }
  const step = (by) => {
    const rows = all("main tbody tr, main .changes > li, main .cards > li").filter((row) => row.querySelector("a[href]"));
    const here = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[here < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, here + by))];
    next?.querySelector("a[href]").focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  let going = 0;
  addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || at.closest?.("input, textarea, select, dialog") || silent() && event.key !== "?") return;
    const then = Date.now() - going < 2000;
    going = 0;
    if (then) {
      const to = document.querySelector(`nav a[data-go="${CSS.escape(event.key)}"]`);
      if (to) { event.preventDefault(); to.click(); }
    } else if (event.key === "g") going = Date.now();
    else if (event.key === "j" || event.key === "k") { event.preventDefault(); step(event.key === "j" ? 1 : -1); }
    else if (event.key === "/") {
      const own = document.querySelector("main [type=search]"), field = own || document.querySelector(".side [type=search]"), menu = document.getElementById("menu");
      if (field) { event.preventDefault(); if (!own && menu) menu.checked = true; field.focus(); field.select(); }
    } else if (event.key === "f") {
      const field = document.querySelector("main .filters select, main .filters input:not([type=search]):not([type=hidden]), main form input:not([type=hidden]):not([type=search])");
      if (field) { event.preventDefault(); field.focus(); }
    } else if (event.key === "?" && help) { event.preventDefault(); help.showModal(); }
    else if (event.key === "Escape") { const menu = document.getElementById("menu"); if (menu) menu.checked = false; }
  });
})();
