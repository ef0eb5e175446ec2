// Discord. Its ids are numbers past what a number can hold, so they come as text.
import { CodeGrant, type Wire } from "./code-grant.ts";
import type { CreateProvider } from "./provider.ts";

const wire: Wire = {
  endpoints: {
    authorize: "https://discord.com/oauth2/authorize",
    token: "https://discord.com/api/oauth2/token",
    user: "https://discord.com/api/users/@me",
  },
  scopes: ["identify"],
  clientIn: "body",
  readUser: ({ id, username, global_name }) => ({
    subject: typeof id === "string" && /^\d{1,20}$/.test(id) ? id : null,
    username,
    displayName: global_name,
  }),
};

export const createDiscord: CreateProvider = (settings, call) =>
  new CodeGrant(settings, call, wire);
