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
})();
