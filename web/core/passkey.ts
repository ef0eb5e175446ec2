// The platform's work with passkeys, between the gateway's question and its answer.
import { ApiError } from "./api.ts";

export function hasPasskeys(): boolean {
  return "PublicKeyCredential" in globalThis;
}

export async function usePasskey(question: object): Promise<object> {
  const options = question as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return await answered(navigator.credentials.get({ publicKey }));
}

export async function makePasskey(question: object): Promise<object> {
  const options = question as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return await answered(navigator.credentials.create({ publicKey }));
}

/** A person who closes the device's dialog, or has no such passkey, is told so in our words. */
async function answered(credential: Promise<Credential | null>): Promise<object> {
  try {
    const shown = await credential;
    if (shown instanceof PublicKeyCredential) return shown.toJSON() as object;
  } catch {
    // The platform says why only to those who could learn from it which passkeys there are.
  }
  throw new ApiError({ message: "", code: "passkey_cancelled", param: null }, null);
}
