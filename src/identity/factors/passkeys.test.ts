import { describe, expect, test } from "bun:test";
import { Authenticator, type Deviation } from "../../../test/harness/factors/authenticator.ts";
import type { AccountId, PasskeyId } from "../../core/ids.ts";
import {
  assertionOptions,
  ownerOf,
  readAssertion,
  readCounter,
  readRegistration,
  registrationOptions,
  toPasskeyRow,
} from "./passkeys.ts";

const party = { id: "gate.example", origin: "https://gate.example" };
const owner = { id: "acc_1" as AccountId, username: "alice" };
const challenge = Buffer.from("a challenge of a test").toString("base64url");

async function enrol(deviation: Deviation = {}) {
  const device = new Authenticator(party.origin);
  const options = await registrationOptions(party, { owner, challenge, known: [] });
  const answer = device.create({ ...options, rp: { id: party.id } }, deviation);
  return { device, answer, made: await readRegistration(party, challenge, answer) };
}

async function enrolled() {
  const { device, made } = await enrol();
  if (!made) throw new Error("the passkey was not taken");
  const facts = { id: "pky_1" as PasskeyId, accountId: owner.id, name: "laptop", nowMs: 5 };
  return { device, row: toPasskeyRow(made, facts) };
}

describe("a passkey", () => {
  test("is asked for with the host and the account it will belong to", async () => {
    const { row } = await enrolled();
    const options = await registrationOptions(party, { owner, challenge, known: [row] });
    expect(options).toMatchObject({
      rp: { id: "gate.example" },
      user: { name: "alice", id: Buffer.from("acc_1").toString("base64url") },
      challenge,
      attestation: "none",
      excludeCredentials: [{ id: row.credential_id }],
    });
  });

  const strays: [string, Deviation][] = [
    ["another page", { origin: "https://evil.example" }],
    ["another host", { rpId: "evil.example" }],
    ["another question", { challenge: "AAAA" }],
    ["a signing-in", { type: "webauthn.get" }],
  ];
  test.each(strays)("that was made for %s is not taken", async (_, deviation) => {
    expect((await enrol()).made).not.toBeNull();
    expect((await enrol(deviation)).made).toBeNull();
  });

  test("opens with its own signature and says how often it was used", async () => {
    const { device, row } = await enrolled();
    const options = await assertionOptions(party, { challenge, known: [row] });
    expect(options).toMatchObject({ rpId: "gate.example", userVerification: "preferred" });
    const assertion = readAssertion(device.get(options));
    expect(await readCounter(assertion, { party, challenge, row, isAlone: false })).toBe(1);
    expect(ownerOf(assertion)).toBe(owner.id);
  });

  const forgeries: [string, Deviation][] = [
    ["another page", { origin: "https://evil.example" }],
    ["another host", { rpId: "evil.example" }],
    ["another question", { challenge: "AAAA" }],
    ["another key", { forges: true }],
    ["a counter that went back", { counter: 3 }],
  ];
  test.each(forgeries)("does not open for %s", async (_, deviation) => {
    const { device, row } = await enrolled();
    const used = { ...row, counter: 7 };
    const ask = { party, challenge, row: used, isAlone: false };
    const get = (more: Deviation) =>
      readCounter(readAssertion(device.get({ rpId: party.id, challenge }, more)), ask);
    expect(await get({ counter: 8 })).toBe(8);
    expect(await get({ counter: 9, ...deviation })).toBeNull();
  });

  test("opens alone only when the device has made sure who uses it", async () => {
    const { device, row } = await enrolled();
    const options = await assertionOptions(party, { challenge, known: [] });
    expect(options).toMatchObject({ userVerification: "required" });
    const get = (deviation: Deviation, isAlone: boolean) =>
      readCounter(readAssertion(device.get(options, deviation)), {
        party,
        challenge,
        row,
        isAlone,
      });
    expect(await get({ isUnverified: true }, false)).not.toBeNull();
    expect(await get({ isUnverified: true }, true)).toBeNull();
    expect(await get({}, true)).not.toBeNull();
  });

  test("of the wrong form is refused before it is looked at", () => {
    for (const value of [{}, { id: "a", rawId: "a", type: "password", response: {} }, null]) {
      expect(() => readAssertion(value)).toThrow();
    }
  });
});
