// Runs in the page's own world before its scripts.
(() => {
  "use strict";
  const set = (where, name, value) => {
    try { Object.defineProperty(where, name, { value, writable: false, configurable: false, enumerable: false }); } catch { /* not here */ }
  };
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "SharedWorker", "Notification"]) {
    if (name in globalThis) set(globalThis, name, undefined);
  }
  set(globalThis, "open", () => null);
  for (const [name, value] of [["alert", undefined], ["print", undefined], ["confirm", false], ["prompt", null]]) set(globalThis, name, () => value);
  if (globalThis.ServiceWorkerContainer) {
    set(ServiceWorkerContainer.prototype, "register", () => Promise.reject(new DOMException("not here", "SecurityError")));
  }

  // A socket that never opens: pages know what to do about that.
  class WebSocket extends EventTarget {
    constructor(url) {
      super();
      Object.assign(this, { url: String(url), readyState: 0, bufferedAmount: 0, extensions: "", protocol: "", binaryType: "blob" });
      Object.assign(this, { onopen: null, onmessage: null, onerror: null, onclose: null });
      setTimeout(() => {
        this.readyState = 3;
        this.#tell(new Event("error"));
        this.#tell(new CloseEvent("close", { code: 1006, wasClean: false }));
      });
    }
    #tell(event) {
      const handler = this["on" + event.type];
      if (typeof handler === "function") handler.call(this, event);
      this.dispatchEvent(event);
    }
    send() {}
    close() { this.readyState = 3; }
  }
  ["CONNECTING", "OPEN", "CLOSING", "CLOSED"].forEach((name, i) => { set(WebSocket, name, i); set(WebSocket.prototype, name, i); });
  set(globalThis, "WebSocket", WebSocket);

  // What the page has put off, so that nobody takes it for done before. A page
  // that lies about it is only read sooner or later.
  const { setTimeout: later, setInterval: again, clearTimeout: drop, clearInterval: stop, requestAnimationFrame: frame } = globalThis;
  const now = performance.now.bind(performance);
  const due = Object.create(null), ticks = Object.create(null);
  const mostKept = 1000, mostNested = 3; // what puts itself off again and again is waiting, not working
  let kept = 0, depth = 0, framed = -Infinity;
  const forget = (id) => { if (id in due) { delete due[id]; kept--; } delete ticks[id]; };

  globalThis.setTimeout = function setTimeout(handler, delay, ...rest) {
    const at = depth + 1;
    const run = typeof handler !== "function" ? handler : function (...args) {
      forget(id);
      const before = depth;
      depth = at;
      try { return handler.apply(this, args); } finally { depth = before; }
    };
    const id = later.call(globalThis, run, delay, ...rest);
    if (at <= mostNested && kept < mostKept) { due[id] = now() + (Number(delay) || 0); kept++; }
    if (run === handler) later.call(globalThis, () => forget(id), delay); // text runs by itself
    return id;
  };
  globalThis.setInterval = function setInterval(handler, delay, ...rest) {
    const id = again.call(globalThis, handler, delay, ...rest);
    if (!(Number(delay) > 1000)) ticks[id] = true;
    return id;
  };
  globalThis.clearTimeout = function clearTimeout(id) { forget(id); drop.call(globalThis, id); };
  globalThis.clearInterval = function clearInterval(id) { forget(id); stop.call(globalThis, id); };
  globalThis.requestAnimationFrame = function requestAnimationFrame(f) { framed = now(); return frame.call(globalThis, f); };

  // This says whether a timer will run within so many milliseconds, and
  // whether something ticks all the time.
  set(globalThis, Symbol.for("curlew.timers"), (within) => {
    const at = now();
    let soon = false, ticking = at - framed < 100;
    for (const id in due) if (within > 0 && due[id] <= at + within) soon = true; // one that is overdue waits for a busy machine
    for (const _ in ticks) { ticking = true; break; }
    return { soon, ticking };
  });
})();
