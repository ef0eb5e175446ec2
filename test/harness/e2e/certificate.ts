// A certificate that vouches for itself, so that a test can serve https. Browsers are told to take
// it; other clients trust it as an authority, and look for the host among its names.
import { generateKeyPairSync, sign } from "node:crypto";

export interface Certificate {
  key: string;
  cert: string;
}

const sequence = 0x30;
const set = 0x31;
const number = 0x02;
const bits = 0x03;
const octets = 0x04;
const identifier = 0x06;
const text = 0x0c;
const time = 0x17;
/** Fields that are told by their number. */
const version = 0xa0;
const extensions = 0xa3;
const hostName = 0x82;

const ecdsaWithSha256 = der(sequence, der(identifier, Buffer.from("2a8648ce3d040302", "hex")));
const commonName = der(identifier, Buffer.from("550403", "hex"));
const otherNames = der(identifier, Buffer.from("551d11", "hex"));

export function newCertificate(host: string): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = der(
    sequence,
    der(set, der(sequence, Buffer.concat([commonName, der(text, Buffer.from(host))]))),
  );
  const validity = der(sequence, Buffer.concat([momentOf(-1), momentOf(1)]));
  const names = der(octets, der(sequence, der(hostName, Buffer.from(host))));
  const extension = der(sequence, Buffer.concat([otherNames, names]));
  const body = der(
    sequence,
    Buffer.concat([
      der(version, der(number, Buffer.from([2]))),
      der(number, Buffer.from([1])),
      ecdsaWithSha256,
      name,
      validity,
      name,
      publicKey.export({ type: "spki", format: "der" }),
      der(extensions, der(sequence, extension)),
    ]),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]);
  const whole = der(sequence, Buffer.concat([body, ecdsaWithSha256, der(bits, signature)]));
  const lines = whole.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function momentOf(daysFromNow: number): Buffer {
  const at = new Date(Date.now() + daysFromNow * 86_400_000);
  const [, digits = ""] = /^\d\d(.*)\.\d+Z$/.exec(at.toISOString()) ?? [];
  return der(time, Buffer.from(`${digits.replaceAll(/\D/g, "")}Z`));
}

/** A value with its kind and its length in front. */
function der(kind: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([kind, ...lengthOf(value.length)]), value]);
}

/** In the shortest form that there is, as readers demand. */
function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
