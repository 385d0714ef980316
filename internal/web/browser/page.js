// Runs in a world of its own beside every document.
"use strict";
let added = performance.now();
new MutationObserver((records) => {
  if (records.some((r) => Array.prototype.some.call(r.addedNodes, (n) => n.nodeType === 1))) added = performance.now();
}).observe(document, { childList: true, subtree: true });

const root = () => document.scrollingElement || document.documentElement;
const elements = () => document.getElementsByTagName("*").length;

// Counting is what tells growth from a page that redraws itself for ever.
let counted = elements(), grew = performance.now();
function quiet() {
  const now = performance.now(), n = elements();
  if (n !== counted) [counted, grew] = [n, now];
  return Math.max(now - added, now - grew - 2000);
}

function scroller() {
  const page = root();
  if (page.scrollHeight > page.clientHeight + 2) return page;
  for (const e of document.querySelectorAll("main, [role=main], div, section, ul")) {
    if (e.clientHeight > innerHeight / 2 && e.scrollHeight > e.clientHeight + 2 && /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
  }
  return page;
}

// lively says that something here may still add to the page that neither its
// requests nor its timers tell of.
const lively = () => document.querySelector("iframe, frame, object, embed") !== null || document.getAnimations().some((a) => a.playState === "running");

function state() {
  const box = root() ? scroller() : null;
  return { lively: lively(), ready: document.readyState === "complete", quiet: Math.floor(quiet()), nodes: elements(), height: box ? box.scrollHeight : 0, view: box ? box.clientHeight : 0 };
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// drawn is the state after the next frame: what waits to be seen is told then.
// A page that is not shown has none.
async function drawn() {
  await Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done))), pause(100)]);
  return state();
}

// scroll goes down screen by screen, so that what waits to be seen is seen.
async function scroll() {
  const box = scroller();
  for (let i = 0; i < 40 && box.scrollTop + box.clientHeight < box.scrollHeight - 2; i++) {
    box.scrollTop += box.clientHeight * 0.9;
    await pause(20);
  }
  box.scrollTop = box.scrollHeight;
  return box.scrollHeight;
}

const fold = (s) => (s || "").normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
const escape = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const finder = (list) => new RegExp("(^|[^\\p{L}\\p{N}])(" + list.map(escape).join("|") + ")", "u");
// Scripts without spaces have no starts of words.
const spaceless = (list) => list.filter((w) => /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(w));
const matcher = (list) => {
  const spaced = finder(list), dense = spaceless(list);
  return (text) => spaced.test(text) || dense.some((w) => text.includes(w));
};
const says = Object.fromEntries(["refuse", "accept", "never", "privacy", "more"].map((k) => [k, matcher(words[k])]));

function visible(e) {
  const box = e.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

// label is what a button says, or is said to do.
function label(e) {
  const text = fold(e.textContent || e.value);
  return /[\p{L}\p{N}×✕✖]/u.test(text) ? text : fold(e.getAttribute("aria-label") || e.title);
}

// stays says that pressing the element is not following a link or sending a form.
function stays(e) {
  const link = e.closest("a[href], area[href]");
  if (link && !/^(#|javascript:)/i.test(link.getAttribute("href").trim())) return false;
  const form = e.form;
  return !form || e.type === "button" || form.method === "dialog" || !form.hasAttribute("action");
}

const pressable = "button, [role=button], a, input[type=button], input[type=submit]";

// buttons lists what can be pressed, inside open shadow roots as well.
function buttons(limit) {
  const found = [];
  const visit = (where) => {
    for (const e of where.querySelectorAll(pressable)) if (found.length < limit) found.push(e);
    if (where === document ? elements() < 20000 : true) {
      for (const e of where.querySelectorAll("*")) if (e.shadowRoot && found.length < limit) visit(e.shadowRoot);
    }
  };
  visit(document);
  return found.filter((e) => !e.disabled && e.getAttribute("aria-disabled") !== "true");
}

const hint = /cookie|consent|gdpr|cmp[-_]|\bcmp\b|privacy|onetrust|didomi|usercentrics|truste|sp_message|qc-/i;
const modal = "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]";

// dialogOf finds the dialog that a button belongs to: "consent", "modal" or "".
function dialogOf(button) {
  let e = button, kind = "";
  for (let i = 0; i < 20 && e && e !== document.body && e !== document.documentElement; i++) {
    const name = (e.id || "") + " " + (e.getAttribute("class") || "") + " " + e.getAttributeNames().join(" ");
    const over = e.matches(modal) || /fixed|sticky/.test(getComputedStyle(e).position);
    if (e.matches(modal)) kind = kind || "modal";
    if ((over || e.matches("[data-consent-root]")) && (hint.test(name) || says.privacy(fold(e.textContent.slice(0, 5000))))) return "consent";
    e = e.parentElement || (e.getRootNode().host ?? null);
  }
  return kind;
}

const ranks = ["refused", "accepted", "closed"];
function meaning(text, kind) {
  if (!text || text.length > 60) return -1;
  if (says.refuse(text)) return 0;
  if (says.never(text)) return -1;
  if (words.closeExactly.includes(text)) return kind === "modal" ? 2 : -1;
  if (says.accept(text) || words.acceptExactly.includes(text)) return 1;
  return -1;
}

const pressed = new WeakSet();
function press(e) {
  pressed.add(e);
  e.scrollIntoView({ block: "center", behavior: "instant" });
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup"]) {
    const kind = type.startsWith("pointer") ? PointerEvent : MouseEvent;
    e.dispatchEvent(new kind(type, { bubbles: true, cancelable: true, composed: true }));
  }
  e.click();
}

// From the first button that we press: a form that no script takes over would
// lead away.
let holding = false;
addEventListener("submit", (e) => {
  if (e.target.method !== "dialog" && holding) e.preventDefault();
}, true);

// dismiss presses the best button of a dialog that is in the way, and says how.
function dismiss(framed) {
  holding = true;
  if (framed && !says.privacy(fold((document.body?.textContent || "").slice(0, 5000)))) return "";
  let best = null, rank = 9;
  for (const e of buttons(400)) {
    if (pressed.has(e) || !stays(e) || !visible(e)) continue;
    const kind = framed ? "consent" : dialogOf(e);
    const r = kind ? meaning(label(e), kind) : -1;
    if (r >= 0 && r < rank) [best, rank] = [e, r];
  }
  if (!best) return "";
  press(best);
  return ranks[rank];
}

const moreHint = /(^|[-_\s])(load|show|view|see)[-_]?more([-_\s]|$)/i;

// more finds the button that brings the rest of a list, and presses it.
function more(doPress) {
  holding = true;
  const found = buttons(3000).filter((e) => {
    const text = label(e);
    if (!text || text.length > 60 || e.hasAttribute("aria-haspopup") || e.hasAttribute("aria-expanded")) return false;
    if (e.closest("nav, header, [role=navigation], [role=menu]") || !stays(e)) return false;
    const wanted = says.more(text) || words.moreExactly.includes(text.replace(/[\s.…»›>↓+]+$/u, "")) || moreHint.test((e.id || "") + " " + (e.getAttribute("class") || ""));
    return wanted && visible(e);
  });
  // What stands beside every item belongs to the items.
  const times = new Map();
  for (const e of found) times.set(label(e), (times.get(label(e)) || 0) + 1);
  const alone = found.filter((e) => times.get(label(e)) <= 2);
  if (!alone.length) return false;
  const lowest = alone.reduce((a, b) => (b.getBoundingClientRect().bottom >= a.getBoundingClientRect().bottom ? b : a));
  if (doPress) press(lowest);
  return true;
}

// read serialises the document, or as much of it as is wanted.
function read(limit) {
  const kind = document.doctype ? new XMLSerializer().serializeToString(document.doctype) + "\n" : "";
  const html = kind + (document.documentElement ? document.documentElement.outerHTML : "");
  return { url: document.URL, html: html.slice(0, limit), cut: html.length > limit };
}

globalThis.curlew = { state, drawn, scroll, dismiss, more, read, url: () => document.URL.split("#")[0] };
