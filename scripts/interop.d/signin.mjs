// Signs in to Curlew by the provider, as a browser would. The argument is Curlew's address.
const jars = new Map();
async function visit(url, body) {
  for (let hops = 0; hops < 20; hops++) {
    const { host } = new URL(url), jar = jars.get(host) ?? jars.set(host, new Map()).get(host);
    const answer = await fetch(url, { method: body ? "POST" : "GET", body, redirect: "manual", headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join("; ") } });
    for (const line of answer.headers.getSetCookie()) { const [, k, v] = /^([^=]+)=([^;]*)/.exec(line); if (v) jar.set(k, v); else jar.delete(k); }
    if (answer.status < 300 || answer.status > 399) return { url, status: answer.status, text: await answer.text() };
    url = new URL(answer.headers.get("location"), url).href;
    body = undefined;
  }
  throw new Error("redirects without end");
}
let page = await visit(`${process.argv[2]}/oidc/start`);
for (const prompt of [{ prompt: "login", login: "ada@example.org", password: "x" }, { prompt: "consent" }]) {
  const form = /action="([^"]+)"/.exec(page.text);
  if (!form) throw new Error(`no form for ${prompt.prompt}: ${page.status} ${page.url} ${page.text.slice(0, 300)}`);
  page = await visit(new URL(form[1], page.url).href, new URLSearchParams(prompt));
}
if (new URL(page.url).origin !== process.argv[2] || !page.text.includes("ada@example.org")) throw new Error(`not signed in: ${page.status} ${page.url} ${page.text.replace(/<[^>]+>/g, " ").slice(0, 400)}`);
console.log(`ada@example.org is signed in at ${page.url}`);
