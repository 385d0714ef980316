// Keeps figures fresh by the live stream. Every page works without it.
"use strict";
(() => {
  const wanted = document.querySelector("[data-live], [data-live-fresh], [data-run]");
  if (!wanted || !window.EventSource) return;
  const stream = new EventSource("/api/v1/stream");
  const read = (event) => { try { return JSON.parse(event.data); } catch { return null; } };
  stream.addEventListener("change", () => {
    for (const at of document.querySelectorAll('[data-live="changes"]')) at.textContent = String(Number(at.textContent) + 1);
    for (const at of document.querySelectorAll("[data-live-fresh]")) at.hidden = false;
  });
  const run = (event) => {
    const told = read(event);
    if (!told || !told.id) return;
    for (const at of document.querySelectorAll("[data-run]")) {
      if (at.dataset.run !== told.id) continue;
      const state = at.querySelector("[data-run-state] .state"), steps = at.querySelector("[data-run-steps]");
      if (state) state.textContent = told.state;
      if (steps && told.counters) steps.textContent = (told.counters.steps || 0) + (told.total ? " / " + told.total : "");
    }
  };
  stream.addEventListener("job.progress", run);
  stream.addEventListener("job.complete", run);
  stream.addEventListener("dropped", () => stream.close());
  addEventListener("pagehide", () => stream.close());
})();
