// Pointing at values in the copy of a page. Without it, values are chosen from a table.
"use strict";
(() => {
  const teach = document.querySelector("[data-picker]"), frame = document.querySelector("iframe[data-copy]");
  if (!frame) return;
  const places = Number(frame.dataset.places) || 0;
  const form = document.querySelector("form[data-pick]");
  const say = (message) => frame.contentWindow.postMessage(message, "*"); // a copy runs in no origin; numbers and names are no secret
  let ready = false, wanted = null;
  const show = (record, field) => {
    wanted = { curlew: "show", record, field };
    if (ready) say(wanted);
  };
  const picked = (told) => {
    if (!form) return;
    form.elements.place.value = String(told.place);
    form.elements.text.value = told.text;
    if (told.record >= 0) form.elements.record.value = String(told.record);
    form.querySelector("[data-picked]").hidden = false;
    hint(told.record >= 0 ? "In record " + (told.record + 1) + "." : "Outside of all records: it counts for the record that is shown.");
  };
  const hint = (text) => { form.querySelector("[data-pick-hint]").textContent = text; };
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || event.origin !== "null") return;
    const told = event.data;
    if (typeof told !== "object" || told === null) return;
    if (told.curlew === "ready") {
      ready = true;
      if (wanted) say(wanted);
    }
    const place = Number.isInteger(told.place) && told.place >= 0 && told.place < places;
    if (told.curlew === "pick" && place && typeof told.text === "string" && told.text.length <= 2000 && Number.isInteger(told.record)) picked(told);
  });
  document.addEventListener("click", (event) => {
    const at = event.target instanceof Element ? event.target.closest("[data-see], [data-change], [data-wider], [data-drop]") : null;
    if (!at || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (at.dataset.see !== undefined) {
      event.preventDefault();
      show(Number(at.dataset.of), at.dataset.see);
    } else if (form && at.dataset.change !== undefined) {
      event.preventDefault();
      want(at.dataset.change);
    } else if (at.dataset.wider !== undefined) {
      say({ curlew: "wider", place: Number(form.elements.place.value) });
    } else if (at.dataset.drop !== undefined) {
      form.querySelector("[data-picked]").hidden = true;
      hint("Click a value in the page to say what it is.");
    }
  });
  const want = (field) => {
    form.elements.field.value = field;
    hint("Click the " + field.replaceAll("_", " ") + " in the page.");
    form.scrollIntoView({ block: "nearest" });
  };
  const add = document.querySelector("form[data-add]");
  if (add && form) add.addEventListener("submit", (event) => {
    if (add.elements.field.value === "slots.") return;
    event.preventDefault();
    want(add.elements.field.value);
  });
  if (teach && form) form.hidden = false;
  const record = form ? Number(form.elements.record.value) : 0, looked = new URLSearchParams(location.search).get("field");
  if (looked) show(record, looked);
})();
