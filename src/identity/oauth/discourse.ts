// Community forums that run Discourse behind an OAuth 2.0 front, as linux.do has it; others by
// their own endpoints. Whoever is suspended there is nobody here.
import { CodeGrant, type Wire } from "./code-grant.ts";
import { ProviderFault, readNumericId, type CreateProvider } from "./provider.ts";

const wire: Wire = {
  endpoints: {
    authorize: "https://connect.linux.do/oauth2/authorize",
    token: "https://connect.linux.do/oauth2/token",
    user: "https://connect.linux.do/api/user",
  },
  scopes: [],
  clientIn: "header",
  readUser({ id, username, name, active }) {
    if (active === false) throw new ProviderFault("the forum's account is not active");
    return { subject: readNumericId(id), username, displayName: name };
  },
};

export const createDiscourse: CreateProvider = (settings, call) =>
  new CodeGrant(settings, call, wire);
