// In the copy of a page: tells the wizard what is clicked, and shows what it asks for.
// It is the only script there, and it never makes markup of anything.
"use strict";
(() => {
  const most = 2000;
  const tell = (message) => parent.postMessage(message, "*");
  const placeOf = (element) => Number(element.dataset.n);
  const textOf = (element) => element.textContent.replace(/\s+/g, " ").trim().slice(0, most);
  const pick = (element) => {
    const record = element.closest("[data-r]");
    light([element]);
    tell({ curlew: "pick", place: placeOf(element), text: textOf(element), record: record ? Number(record.dataset.r) : -1 });
  };
  const light = (elements) => {
    for (const at of document.querySelectorAll(".on")) at.classList.remove("on");
    for (const at of elements) at.classList.add("on");
  };
  document.addEventListener("click", (event) => {
    event.preventDefault();
    const at = event.target instanceof Element ? event.target.closest("[data-n]") : null;
    if (at) pick(at);
  }, true);
  let hot = null;
  document.addEventListener("mouseover", (event) => {
    if (hot) hot.classList.remove("hot");
    hot = event.target instanceof Element ? event.target.closest("[data-n]") : null;
    if (hot) hot.classList.add("hot");
  });
  const whole = (value) => Number.isInteger(value) && value >= 0;
  const show = (record, field) => {
    const roots = [...document.querySelectorAll(`[data-r="${record}"]`)];
    const named = (element) => (element.dataset.f || "").split(" ").includes(field);
    let found = [];
    if (field) {
      for (const root of roots) found.push(...[root, ...root.querySelectorAll("[data-f]")].filter(named));
      if (!found.length) found = [...document.querySelectorAll("[data-f]")].filter((at) => named(at) && !at.closest("[data-r]"));
    }
    light(roots.slice(0, 1).concat(found));
    const to = found[0] || roots[0];
    if (to) to.scrollIntoView({ block: "center" });
  };
  addEventListener("message", (event) => {
    if (event.source !== parent) return;
    const told = event.data;
    if (typeof told !== "object" || told === null) return;
    if (told.curlew === "show" && whole(told.record) && typeof told.field === "string") show(told.record, told.field);
    if (told.curlew === "wider" && whole(told.place)) {
      const at = document.querySelector(`[data-n="${told.place}"]`);
      const wider = at && at.parentElement && at.parentElement.closest("[data-n]");
      if (wider) pick(wider);
    }
  });
  tell({ curlew: "ready" });
})();
