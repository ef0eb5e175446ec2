// Passkeys: what browsers are asked, and whether what they answer is signed by the key that was
// registered. The library is loaded when the first passkey is used.
import type { AccountId, PasskeyId } from "../../core/ids.ts";
import { compile, parseWith, Type, type Static } from "../../core/schema.ts";
import type { PasskeyRow } from "./queries.ts";

/** The gateway's identity towards browsers. */
export interface RelyingParty {
  /** A host name. */
  id: string;
  origin: string;
}

const serviceName = "Sluice";
const timeoutMs = 120_000;
/** EdDSA, ES256 and RS256: what devices have. */
const algorithms = [-8, -7, -257];
const encoded = Type.String({ minLength: 1, maxLength: 65_536, pattern: "^[A-Za-z0-9_=-]+$" });
const transports = Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 });

const credential = {
  id: encoded,
  rawId: encoded,
  type: Type.Literal("public-key"),
  clientExtensionResults: Type.Optional(Type.Object({})),
};

/** The answer of a browser that has made a passkey. */
const Registration = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: Type.Optional(transports),
  }),
});
const registrationChecker = compile(Registration);

/** The answer of a browser that has used one. */
const Assertion = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"] })),
  }),
});
const assertionChecker = compile(Assertion);
export type Assertion = Static<typeof Assertion>;

export function readAssertion(value: unknown): Assertion {
  return parseWith(assertionChecker, value);
}

function load() {
  return import("@simplewebauthn/server");
}

interface Owner {
  id: AccountId;
  username: string;
}

/**
 * Options for a browser to make a passkey; those it has already are told, so that it makes none.
 */
export async function registrationOptions(
  party: RelyingParty,
  { owner, challenge, known }: { owner: Owner; challenge: string; known: readonly PasskeyRow[] },
) {
  const { generateRegistrationOptions } = await load();
  return await generateRegistrationOptions({
    rpName: serviceName,
    rpID: party.id,
    userName: owner.username,
    userID: new TextEncoder().encode(owner.id),
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
}

/** Options for a browser to use one of these, or with none named any that it has for this host. */
export async function assertionOptions(
  party: RelyingParty,
  { challenge, known }: { challenge: string; known: readonly PasskeyRow[] },
) {
  const { generateAuthenticationOptions } = await load();
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    allowCredentials: known.map(describe),
    // Without a password the device itself has to know its owner.
    userVerification: known.length === 0 ? "required" : "preferred",
  });
}

export type NewPasskey = Pick<
  PasskeyRow,
  "credential_id" | "public_key" | "counter" | "transports"
>;

/** A passkey's record, or null when the answer is not one to our question. */
export async function readRegistration(
  party: RelyingParty,
  challenge: string,
  value: unknown,
): Promise<NewPasskey | null> {
  const answer = parseWith(registrationChecker, value);
  const { verifyRegistrationResponse } = await load();
  const verified = await orNull(
    verifyRegistrationResponse({
      response: {
        id: answer.id,
        rawId: answer.rawId,
        type: answer.type,
        clientExtensionResults: {},
        response: {
          clientDataJSON: answer.response.clientDataJSON,
          attestationObject: answer.response.attestationObject,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: false,
    }),
  );
  if (!verified?.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString("base64url"),
    counter,
    transports: JSON.stringify(answer.response.transports ?? []),
  };
}

export interface AssertionAsk {
  party: RelyingParty;
  challenge: string;
  row: PasskeyRow;
  /** The device must have made sure who uses it. */
  isAlone: boolean;
}

/** The new counter, or null when the answer is not one to our question or of another key. */
export async function readCounter(
  assertion: Assertion,
  { party, challenge, row, isAlone }: AssertionAsk,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  const { clientDataJSON, authenticatorData, signature } = assertion.response;
  const verified = await orNull(
    verifyAuthenticationResponse({
      response: {
        id: assertion.id,
        rawId: assertion.rawId,
        type: assertion.type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: row.credential_id,
        publicKey: bytesOf(row.public_key),
        counter: row.counter,
      },
      requireUserVerification: isAlone,
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** Owner of the key by the device's word, where it gives one. */
export function ownerOf({ response: { userHandle } }: Assertion): string | null {
  return userHandle ? Buffer.from(userHandle, "base64url").toString() : null;
}

interface PasskeyFacts {
  id: PasskeyId;
  accountId: AccountId;
  name: string;
  nowMs: number;
}

export function toPasskeyRow(passkey: NewPasskey, facts: PasskeyFacts): PasskeyRow {
  const { id, accountId, name, nowMs } = facts;
  return { id, account_id: accountId, ...passkey, name, created_at_ms: nowMs, used_at_ms: null };
}

function describe({ credential_id: id, transports: known }: PasskeyRow) {
  const listed: string[] = JSON.parse(known);
  return { id, transports: listed };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64url"));
}

/** The library throws at whatever does not fit, and each of its reasons means the same here. */
async function orNull<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch {
    return null;
  }
}
