// Receives webhooks and checks their signatures with a library that others wrote. The argument names it.
import { createServer } from "node:http";
import { execFileSync } from "node:child_process";
const { Webhook } = await import(process.argv[2]);
const curlew = (...words) => execFileSync("curlew", words, { encoding: "utf8" });
const bodies = [];
const server = createServer((request, answer) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => { bodies.push({ headers: request.headers, text: Buffer.concat(parts).toString() }); answer.end(); });
}).listen(Number(process.env.hook), "127.0.0.1");
try {
  const made = JSON.parse(curlew("--json", "subscriptions", "add", "--channel", "webhook", "--to", `http://127.0.0.1:${process.env.hook}/${process.argv[2]}`));
  const secret = made.secret ?? made.target?.secret, id = made.id ?? made.subscription?.id;
  const { spawn } = await import("node:child_process");
  await new Promise((resolve, reject) => spawn("curlew", ["subscriptions", "test", id], { stdio: "inherit" }).on("exit", (code) => code ? reject(new Error(`the test ended with ${code}`)) : resolve()));
  const got = bodies.find((b) => b.headers["webhook-id"] ?? b.headers["svix-id"]);
  if (!got) throw new Error(`nothing signed arrived: ${JSON.stringify(bodies.map((b) => b.headers))}`);
  const told = new Webhook(secret).verify(got.text, got.headers);
  let forged = false;
  try { new Webhook(secret).verify(got.text + " ", got.headers); forged = true; } catch { /* as it should be */ }
  if (forged) throw new Error("a forged body was taken");
  console.log(`${got.headers["webhook-id"]} of the type ${told.type} is signed, and a forged one is not`);
  curlew("subscriptions", "remove", id);
} finally { server.close(); server.closeAllConnections(); }
