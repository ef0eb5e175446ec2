// A passkey's device that Chromium pretends to have, and what a page's script does with it.
import type { Page } from "../chromium.ts";

/** The part of a page that the functions need that run inside it. */
interface Credential {
  toJSON(): object;
}
declare const navigator: {
  credentials: {
    create(options: { publicKey: object }): Promise<Credential>;
    get(options: { publicKey: object }): Promise<Credential>;
  };
};
declare const PublicKeyCredential: {
  parseCreationOptionsFromJSON(options: object): object;
  parseRequestOptionsFromJSON(options: object): object;
};

export interface Device {
  /** It is touched still, but no finger or code says by whom. */
  forgetsItsUser(): Promise<void>;
}

/** Its keys are with this page alone. */
export async function attachDevice(page: Page): Promise<Device> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async forgetsItsUser() {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    },
  };
}

export async function createPasskey(page: Page, options: object): Promise<object> {
  return await page.evaluate(async (given) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given);
    return (await navigator.credentials.create({ publicKey })).toJSON();
  }, options);
}

export async function usePasskey(page: Page, options: object): Promise<object> {
  return await page.evaluate(async (given) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  }, options);
}
