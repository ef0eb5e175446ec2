// Sessions and links: each call with its function. Those that set cookies are served by hand.
import { bind } from "../bind.ts";
import { linkCalls, sessionCalls } from "./contract.ts";
import { createLink } from "./link.ts";
import { listSessionViews } from "./list.ts";

export const sessionVerbs = bind(sessionCalls, { list: listSessionViews });
export const linkVerbs = bind(linkCalls, { create: createLink });
