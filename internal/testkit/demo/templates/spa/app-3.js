(async function () {
  "use strict";
  const root = document.getElementById("root");
  const list = document.createElement("ul");
  const sentinel = document.createElement("button");
  sentinel.textContent = "More";
  let cursor = "0";
  async function load() {
    const data = await (await fetch(`/api/v2/workshops?cursor=${cursor}`)).json();
    for (const w of data.results) {
      const item = document.createElement("li");
      const line = (label, value) => { const p = document.createElement("p"); p.textContent = `${label}: ${value}`; item.append(p); };
      const link = document.createElement("a");
      link.href = w.permalink;
      link.textContent = w.title;
      item.append(link);
      line("Starts", new Date(w.start).toLocaleString("en-GB", { timeZone: "Europe/Dublin", dateStyle: "medium", timeStyle: "short" }));
      line("Place", `${w.town} – ${w.room}`);
      line("Cost", new Intl.NumberFormat("en-IE", { style: "currency", currency: w.price.currency }).format(w.price.cents / 100));
      if (w.status !== "scheduled") line("Please note", w.status.replace("_", " "));
      list.append(item);
    }
    cursor = data.cursor;
    sentinel.hidden = cursor === null;
  }
  const dialog = document.createElement("dialog");
  dialog.setAttribute("data-consent-root", "");
  dialog.innerHTML = '<p>Cookies?</p><form method="dialog"><button>Agree</button></form>';
  const top = document.createElement("header");
  top.innerHTML = '<strong>Makers’ Loft</strong><nav><a href="/info/studio">Studio</a><a href="/info/gift-vouchers">Gift vouchers</a></nav>';
  root.append(top, list, sentinel, dialog);
  if (dialog.showModal) dialog.showModal();
  sentinel.addEventListener("click", load);
  await load();
})();
