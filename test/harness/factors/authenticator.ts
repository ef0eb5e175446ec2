// A passkey in software: what a browser and the device behind it would make of the options that the
// gateway sends, signed by a key of its own (ES256, attestation "none").
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

export interface CreationOptions {
  rp: { id?: string };
  user: { id: string };
  challenge: string;
  excludeCredentials?: { id: string }[];
}

export interface RequestOptions {
  rpId?: string;
  challenge: string;
  allowCredentials?: { id: string }[];
}

/** Deviations of an attacker, or of a broken device. */
export interface Deviation {
  origin?: string;
  challenge?: string;
  rpId?: string;
  type?: string;
  /** The device did not make sure who uses it. */
  isUnverified?: boolean;
  /** Does not go up by itself then. */
  counter?: number;
  /** Another key signs. */
  forges?: boolean;
  userHandle?: string;
}

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

export class Authenticator {
  readonly #origin: string;
  readonly #keys = newKeys();
  readonly credentialId: string = randomBytes(16).toString("base64url");
  #userHandle = "";
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Answer of `navigator.credentials.create`, in JSON. */
  create(options: CreationOptions, deviation: Deviation = {}) {
    this.#userHandle = options.user.id;
    const clientData = this.#clientData("webauthn.create", options.challenge, deviation);
    const id = Buffer.from(this.credentialId, "base64url");
    const attestation: Cbor = new Map<string, Cbor>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      [
        "authData",
        Buffer.concat([
          this.#head(deviation.rpId ?? options.rp.id ?? "", attested, deviation),
          Buffer.alloc(16),
          twoBytes(id.length),
          id,
          cbor(coseKey(this.#keys.publicKey)),
        ]),
      ],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        attestationObject: cbor(attestation).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** Answer of `navigator.credentials.get`, in JSON. */
  get(options: RequestOptions, deviation: Deviation = {}) {
    this.#counter = deviation.counter ?? this.#counter + 1;
    const clientData = this.#clientData("webauthn.get", options.challenge, deviation);
    const data = this.#head(deviation.rpId ?? options.rpId ?? "", 0, deviation);
    const signed = Buffer.concat([data, createHash("sha256").update(clientData).digest()]);
    const { privateKey } = deviation.forges ? newKeys() : this.#keys;
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
        userHandle: deviation.userHandle ?? this.#userHandle,
      },
    };
  }

  #named() {
    const { credentialId: id } = this;
    const type = "public-key";
    return { id, rawId: id, type, clientExtensionResults: {}, authenticatorAttachment: "platform" };
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const facts = { type, challenge, origin: this.#origin, crossOrigin: false };
    const { origin = facts.origin } = deviation;
    const said = { type: deviation.type ?? type, challenge: deviation.challenge ?? challenge };
    return Buffer.from(JSON.stringify({ ...facts, ...said, origin }));
  }

  #head(rpId: string, flags: number, { isUnverified = false }: Deviation): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([
      createHash("sha256").update(rpId).digest(),
      Buffer.from([flags | present | (isUnverified ? 0 : verified)]),
      counter,
    ]);
  }
}

function newKeys() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** ES256 on P-256, as COSE writes a key. */
function coseKey(key: KeyObject): Cbor {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
}

/** The little of RFC 8949 that is needed here. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([cborHead(3, text.length), text]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  const pairs = [...value].flatMap(([name, held]) => [cbor(name), cbor(held)]);
  return Buffer.concat([cborHead(5, value.size), ...pairs]);
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.concat([Buffer.from([(major << 5) | 25]), twoBytes(length)]);
}

function twoBytes(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
