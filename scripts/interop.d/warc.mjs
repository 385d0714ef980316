// Reads every archived file with warcio.js, and checks each digest.
import { createReadStream, readdirSync } from "node:fs";
import { createHash } from "node:crypto";
import { WARCParser } from "warcio";
const folder = `${process.env.work}/data/archive`, kinds = {};
let checked = 0;
const base32 = (bytes) => { let bits = "", out = ""; for (const b of bytes) bits += b.toString(2).padStart(8, "0"); for (let i = 0; i < bits.length; i += 5) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(bits.slice(i, i + 5).padEnd(5, "0"), 2)]; return out; };
for (const name of readdirSync(folder, { recursive: true }).filter((n) => n.endsWith(".warc.gz"))) {
  for await (const record of new WARCParser(createReadStream(`${folder}/${name}`), { keepHeadersCase: false })) {
    kinds[record.warcType] = (kinds[record.warcType] ?? 0) + 1;
    const body = await record.readFully(false), said = record.warcHeaders.headers.get("WARC-Payload-Digest");
    if (record.warcType !== "response" || !said) continue;
    const [algorithm, value] = said.split(":"), sum = createHash(algorithm.toLowerCase().replace("-", "")).update(body ?? "").digest();
    if (![base32(sum).toLowerCase(), sum.toString("hex")].includes(value.toLowerCase())) throw new Error(`${name}: the digest of ${record.warcTargetURI} is not ${said}`);
    checked++;
  }
}
if (!checked) throw new Error(`nothing was checked: ${JSON.stringify(kinds)}`);
console.log(`${JSON.stringify(kinds)}, ${checked} digests right`);
