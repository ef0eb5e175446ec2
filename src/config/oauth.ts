// The providers that people may sign in through: what the file says of them, what must hold across
// its fields, and their secrets, which the environment may hold instead.
import { Type, type Static } from "../core/schema.ts";
import { judgeUrl } from "../core/url-guard.ts";
import type { Environment } from "./environment.ts";
import { baseUrl, isRoleName } from "./fields.ts";
import { nextStart } from "./setting.ts";
import type { PathFault } from "./shape.ts";

const providerTypes = ["github", "discord", "oidc", "discourse"] as const;
const clientPlaces = ["body", "header"] as const;
const endpointNames = ["authorize", "token", "user"] as const;

const closed = { additionalProperties: false } as const;
const ownVariable = /^SLUICE_OAUTH_[A-Z0-9_]+_SECRET(?:_FILE)?$/;

/** It stands in addresses; `state` is one of ours. */
const providerName = Type.Refine(
  Type.String({ description: "Unique name, which stands in the provider's callback address." }),
  (text) => /^(?!state$)[a-z][a-z0-9-]{0,31}$/.test(text),
  () => "must be 1 to 32 small letters, digits or - that begin with a letter, and not state",
);

const scope = Type.Refine(
  Type.String({ maxLength: 256 }),
  (text) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text),
  () => "must be visible ASCII characters without spaces",
);

const Membership = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 256, description: "As the provider says it." }),
    role: Type.Optional(
      Type.Refine(
        Type.String({ description: "The role on the gateway that it gives; never root." }),
        (text) => isRoleName(text) && text !== "root" && text !== "user",
        () => "must be the name of a role, and neither user nor root",
      ),
    ),
    organisation: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "The organisation, by its name." }),
    ),
    as: Type.Optional(
      Type.Enum(["admin", "member", "viewer"], {
        description: "What one is of the organisation. Default: member.",
      }),
    ),
    project: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "The project that keys made there are in unless another is said.",
      }),
    ),
  },
  closed,
);

/** Seats and roles by groups of an identity provider; for type oidc. */
const groupFields = {
  groups_claim: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "The claim with a person's groups, a path with dots, for type oidc.",
    }),
  ),
  memberships: Type.Optional(
    Type.Array(Membership, { maxItems: 500, description: "What each group gives." }),
  ),
  registers: Type.Optional(
    Type.Boolean({
      description:
        "Whether someone in such a group gets an account, whatever registration says. " +
        "Default: false.",
    }),
  ),
  prune: Type.Optional(
    Type.Boolean({ description: "Whether what came by a group goes with it. Default: true." }),
  ),
  keys_need_sign_in_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: "Keys of members by groups are refused so long after the last sign-in.",
    }),
  ),
};

const OAuthProvider = Type.Object(
  {
    name: providerName,
    type: Type.Enum(providerTypes, { description: "The provider's wire." }),
    client_id: Type.String({
      minLength: 1,
      maxLength: 256,
      description: "What the provider calls this gateway.",
    }),
    client_secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "The secret that goes with it; SLUICE_OAUTH_<NAME>_SECRET wins over it.",
      }),
    ),
    client_auth: Type.Optional(
      Type.Enum(clientPlaces, {
        description: "Where both stand when a code is exchanged. Default: by type.",
      }),
    ),
    issuer: Type.Optional(baseUrl("The issuer's address, for type oidc and only there.")),
    endpoints: Type.Optional(
      Type.Object(
        {
          authorize: Type.Optional(baseUrl("Where browsers are sent. Default: by type.")),
          token: Type.Optional(baseUrl("Where a code becomes a token. Default: by type.")),
          user: Type.Optional(baseUrl("Where a token says who it is. Default: by type.")),
        },
        { ...closed, description: "Other addresses than the type's own; not for type oidc." },
      ),
    ),
    scopes: Type.Optional(
      Type.Array(scope, {
        maxItems: 50,
        uniqueItems: true,
        description: "What is asked for. Default: by type.",
      }),
    ),
    allow_private: Type.Optional(
      Type.Boolean({
        description: "Allow plain http and loopback or private addresses. Default: false.",
      }),
    ),
    ...groupFields,
  },
  closed,
);
type OAuthProvider = Static<typeof OAuthProvider>;

export const OAuthSection = Type.Object(
  {
    landing: nextStart(
      Type.Refine(
        Type.String({
          default: "/",
          description: "Path of the gateway that browsers end up at after signing in.",
        }),
        (text) => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,200}$/.test(text) && !/[?#]/.test(text),
        () => "must be a path that begins with one /, without query or fragment",
      ),
    ),
    providers: nextStart(
      Type.Array(OAuthProvider, {
        maxItems: 50,
        default: [],
        description: "Providers that people may sign in through.",
      }),
    ),
  },
  { ...closed, default: {}, description: "Signing in through other sites." },
);
type OAuth = Static<typeof OAuthSection>;

/** A provider as the rest of the program reads it. */
export type OAuthSettings = Readonly<ReturnType<typeof toSettings>>;

export function oauthFaults({ providers }: OAuth): PathFault[] {
  const names = providers.map(({ name }) => name);
  return providers.flatMap((provider, at) => {
    const faults = providerFaults(provider);
    const first = names.indexOf(provider.name);
    const message = `is the same as oauth.providers.${first}.name`;
    if (first !== at) faults.push({ path: ["name"], message });
    return faults.map((fault) => ({
      ...fault,
      path: ["oauth", "providers", String(at), ...fault.path],
    }));
  });
}

function groupFaults(provider: OAuthProvider): PathFault[] {
  const { type, groups_claim: claim, memberships = [] } = provider;
  if (type !== "oidc" || claim === undefined) {
    const message = type === "oidc" ? "needs groups_claim" : `is not known to type ${type}`;
    return (Object.keys(groupFields) as (keyof typeof groupFields)[])
      .filter((name) => provider[name] !== undefined)
      .map((name) => ({ path: [name], message }));
  }
  return memberships.flatMap(({ role, organisation, as, project }, at): PathFault[] => {
    const path = ["memberships", String(at)];
    if ((role === undefined) === (organisation === undefined)) {
      return [{ path, message: "must have either role or organisation" }];
    }
    const isLoose = organisation === undefined && (as ?? project) !== undefined;
    return isLoose ? [{ path, message: "has as or project without organisation" }] : [];
  });
}

function providerFaults(provider: OAuthProvider): PathFault[] {
  const { type, issuer, endpoints, allow_private } = provider;
  const faults: PathFault[] = groupFaults(provider);
  if (type === "oidc" && issuer === undefined) {
    faults.push({ path: ["issuer"], message: "is required for type oidc" });
  }
  if (issuer?.includes("/.well-known/")) {
    faults.push({ path: ["issuer"], message: "must be the issuer, not its discovery document" });
  }
  if (type === "oidc" && endpoints !== undefined) {
    faults.push({ path: ["endpoints"], message: "are told by the issuer for type oidc" });
  }
  if (type !== "oidc" && issuer !== undefined) {
    faults.push({ path: ["issuer"], message: `is not known to type ${type}` });
  }
  if (allow_private === true) return faults;
  const urls: [string[], string | undefined][] = [
    [["issuer"], issuer],
    ...endpointNames.map((name): [string[], string | undefined] => [
      ["endpoints", name],
      endpoints?.[name],
    ]),
  ];
  for (const [path, url] of urls) {
    const isFine = url === undefined || (judgeUrl(url) === "public" && /^https:/i.test(url));
    const message = "must be a public https address; allow_private: true permits others";
    if (!isFine) faults.push({ path, message });
  }
  return faults;
}

export function isOAuthVariable(name: string): boolean {
  return ownVariable.test(name);
}

/** Puts the secrets of the environment in their places; every one of them must have a place. */
export function readProviders(
  { providers }: OAuth,
  environment: Environment,
  readFile: (path: string) => string | null,
): { providers: OAuthSettings[]; problems: string[] } {
  const problems: string[] = [];
  const owned = new Set<string>();
  const read = providers.map((provider, at): OAuthSettings => {
    const variable = `SLUICE_OAUTH_${provider.name.toUpperCase().replaceAll("-", "_")}_SECRET`;
    owned.add(variable).add(`${variable}_FILE`);
    const secret = secretOf(variable, environment, readFile);
    if (secret.problem !== undefined) problems.push(secret.problem);
    const clientSecret = secret.value ?? provider.client_secret ?? "";
    if (clientSecret === "" && secret.problem === undefined) {
      problems.push(`oauth.providers.${at}.client_secret is required, or ${variable}`);
    }
    return toSettings(provider, clientSecret);
  });
  const strangers = Object.keys(environment).filter(
    (name) => isOAuthVariable(name) && environment[name] !== "" && !owned.has(name),
  );
  problems.push(...strangers.map((name) => `environment ${name} belongs to no provider`));
  return { providers: read, problems };
}

function secretOf(
  variable: string,
  environment: Environment,
  readFile: (path: string) => string | null,
): { value?: string; problem?: string } {
  const value = environment[variable];
  const path = environment[`${variable}_FILE`];
  if (!path) return value ? { value } : {};
  if (value)
    return { problem: `environment ${variable} and ${variable}_FILE must not both be set` };
  // Editors and `echo` end a file with a line break that is no part of the secret.
  const content = readFile(path)?.replace(/\r?\n$/, "");
  if (content) return { value: content };
  return { problem: `environment ${variable}_FILE names a file that is empty or cannot be read` };
}

function toSettings(provider: OAuthProvider, clientSecret: string) {
  return {
    name: provider.name,
    type: provider.type,
    clientId: provider.client_id,
    clientSecret,
    /** Null: as its type has it. */
    clientIn: provider.client_auth ?? null,
    /** Type oidc only. */
    issuer: provider.issuer ?? null,
    endpoints: provider.endpoints ?? {},
    /** Null: those of its type. */
    scopes: provider.scopes ?? null,
    allowPrivate: provider.allow_private ?? false,
    groups: toGroupRules(provider),
  };
}

export type GroupRules = NonNullable<ReturnType<typeof toGroupRules>>;

/** Null where groups give nothing. */
function toGroupRules({ groups_claim: claim, ...provider }: OAuthProvider) {
  if (claim === undefined) return null;
  const { memberships = [], registers = false, prune = true } = provider;
  const { keys_need_sign_in_days: keysNeedSignInDays = null } = provider;
  return { claim, memberships, registers, prune, keysNeedSignInDays };
}
