// Makes forms quicker: parts are replaced without loading the page, tests that fit a field
// come alone, and times are those of the reader. Every form works without it.
"use strict";
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

  // Of the tests only those that fit the field are offered, and a value only where one is taken.
  const fit = (row) => {
    const field = row.querySelector("[data-field]"), test = row.querySelector("[data-test]"), value = row.querySelector("[data-value]");
    if (!field || !test || !value) return;
    const type = field.selectedOptions[0]?.dataset.type || "";
    for (const option of test.options) option.hidden = option.disabled = type !== "" && !option.dataset.for.split(" ").includes(type);
    if (test.selectedOptions[0]?.disabled) test.value = [...test.options].find((o) => !o.disabled)?.value || "";
    value.classList.toggle("idle", test.selectedOptions[0]?.dataset.takes === "nothing");
    value.setAttribute("list", "choices-" + field.value);
    value.placeholder = { money: "100 EUR", time: "2026-04-18", number: "4.5", integer: "12", bool: "true" }[type] || "";
    if (test.value === "within" || test.value === "within_last") value.placeholder = "7d";
    if (test.value === "decreased" || test.value === "increased") value.placeholder = type === "time" ? "1h" : "5%";
  };

  const local = (root) => {
    const format = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
    for (const at of root.querySelectorAll("time[data-local]")) at.textContent = format.format(new Date(at.dateTime));
    for (const at of root.querySelectorAll("[data-local-zone]")) at.textContent = " in your zone, " + zone;
  };

  const copies = (root) => {
    if (!navigator.clipboard) return;
    for (const at of root.querySelectorAll("[data-copy]")) {
      const button = document.createElement("button");
      button.type = "button"; button.className = "copy"; button.textContent = "Copy";
      button.addEventListener("click", async () => {
        try { await navigator.clipboard.writeText(at.textContent); button.textContent = "Copied"; } catch { button.textContent = "Select it"; }
      });
      at.after(button);
    }
  };

  // The text of a chosen file goes into a field, where people see it before they send it.
  const takesFiles = (root) => {
    for (const file of root.querySelectorAll("input[type=file][data-into]")) {
      file.closest("label").hidden = false;
      file.addEventListener("change", async () => {
        if (file.files[0]) document.getElementById(file.dataset.into).value = await file.files[0].text();
      });
    }
  };

  const dress = (root) => {
    for (const row of root.querySelectorAll(".row")) fit(row);
    for (const at of root.querySelectorAll("[data-zone]")) if (!at.value) at.placeholder = zone + "?";
    local(root);
    copies(root);
    takesFiles(root);
  };
  dress(document);
  document.addEventListener("change", (event) => { const row = event.target.closest?.(".row"); if (row) fit(row); });

  // A button that names parts of the page sends the form and replaces those parts only.
  document.addEventListener("submit", async (event) => {
    const button = event.submitter, form = event.target;
    if (!button?.dataset.swap || !form.matches("[data-editform]")) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, button));
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body, redirect: "manual", headers: { Accept: "text/html" } });
      if (answer.type === "opaqueredirect" || answer.status !== 200 && answer.status !== 422) throw new Error("not a page");
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of button.dataset.swap.split(" ")) {
        const now = document.getElementById(id), next = page.getElementById(id);
        if (!now || !next) throw new Error("no such part");
        now.replaceWith(document.adoptNode(next));
        dress(document.getElementById(id));
      }
      const at = document.getElementById(button.dataset.swap.split(" ")[0]);
      const rows = at.querySelectorAll(".row [data-field]");
      if (button.value.startsWith("row:") && rows.length) [...rows].reverse().find((x) => !x.value)?.focus();
    } catch {
      form.removeAttribute("data-editform"); // the plain way
      form.requestSubmit(button);
    } finally {
      form.removeAttribute("aria-busy");
    }
  });
})();
