// The opening of the page: what this is, how to authenticate, and a first call.
import type { JsonObject } from "../../../core/json.ts";
import { firstCalls } from "./first-call.ts";
import { listing, markup, prose, type Markup } from "./markup.ts";
import { objectAt, textAt } from "./operation.ts";

export function opening(document: JsonObject): Markup {
  const info = objectAt(document, "info");
  return markup`<h1>${textAt(info, "title")} API</h1>
<p>${prose(textAt(info, "description"))}</p>
<p class="quiet">Version ${textAt(info, "version")}. For programs:
<a href="/openapi.json">openapi.json</a>. Fields with a * are required.</p>
<h2 id="authenticate">Authenticate</h2>
<table>${ways.map(([who, how]) => markup`<tr><td>${who}</td><td>${prose(how)}</td></tr>`)}</table>
<h2 id="first-call">A first call</h2>
<p>${prose(beforeTheCall)}</p>
${firstCalls(modelOf(document)).map(
  ({ language, how, code }) => markup`<article class="first-call">
<h3>${language}</h3>
<p>${prose(how)}</p>
${listing(code)}
</article>
`,
)}
<p>${prose(behindTheCall)}</p>
`;
}

const ways: readonly [who: string, how: string][] = [
  [
    "Models, images, videos",
    "An API key, `sk-...`, in the header `authorization: Bearer`, and on the routes of other " +
      "wires also in `x-api-key` or `x-goog-api-key`. It spends its account's money.",
  ],
  [
    "Accounts, prices, channels (/api)",
    "An access token, `sat-...`, in the header `authorization: Bearer`: " +
      "`POST /api/access-token` or `sluice user token` makes one. " +
      "It has the role of its account: `user`, `admin` or `root`.",
  ],
  [
    "Browsers",
    "`POST /api/user/login` sets a session's cookie. " +
      "What changes something has to come from a page of the gateway itself.",
  ],
];

const beforeTheCall =
  "Put an API key into the environment variable `SLUICE_KEY`. " +
  "`GET /v1/models` lists the models that it may call.";

const behindTheCall =
  "A refusal says what was found, what was expected and what to do. Its header `x-request-id` " +
  "finds it in the log: `GET /api/log/self/{id}`. The routes of `/api` refuse with a 200 and " +
  '`{"success": false, "message", "code", "param"}`, or with `Accept: application/problem+json` ' +
  "with the status itself.";

/** That of the example of the operation, which the tests send. */
function modelOf(document: JsonObject): string {
  const operation = objectAt(objectAt(document, "paths"), "/v1/chat/completions");
  const content = objectAt(objectAt(objectAt(operation, "post"), "requestBody"), "content");
  return textAt(objectAt(objectAt(content, "application/json"), "example"), "model");
}
