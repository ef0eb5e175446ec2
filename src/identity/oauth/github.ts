// GitHub, and GitHub Enterprise by other endpoints. A refused code comes with status 200; who one
// is needs no scope; the id is a number, and the login may be given to another one day.
import { CodeGrant, type Wire } from "./code-grant.ts";
import { readNumericId, type CreateProvider } from "./provider.ts";

const wire: Wire = {
  endpoints: {
    authorize: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    user: "https://api.github.com/user",
  },
  scopes: [],
  clientIn: "body",
  userHeaders: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  readUser: ({ id, login, name }) => ({
    subject: readNumericId(id),
    username: login,
    displayName: name,
  }),
};

export const createGithub: CreateProvider = (settings, call) => new CodeGrant(settings, call, wire);
