// Anthropic, and vendors that offer its wire: the messages format with the key in a header of its
// own.
import { lowered } from "../kit/headers.ts";
import { namesIn } from "../kit/model-names.ts";
import { takenBody } from "../kit/video-reply.ts";
import type { Address, Target, TextAsk, Upstream, VendorCall } from "../upstream.ts";
import { readFault } from "./errors.ts";
import { mendText as mend } from "../kit/mend-text.ts";

const paths: Readonly<Record<TextAsk["action"], string | null>> = {
  generate: "/v1/messages",
  count: "/v1/messages/count_tokens",
  compact: null,
};

/** The older version: it takes everything that the newer one takes, and the sampling parameters. */
const defaultVersion = "2023-06-01";
const wireNames = new Set(["anthropic-version", "anthropic-beta"]);

export const anthropic: Upstream = {
  type: "anthropic",
  text: { formats: () => ["messages"], address, mend },
  check,
  models,
  readFault,
};

/** Operators paste a base URL with and without the version. */
function address(ask: TextAsk, { baseUrl, key, headers }: Target): Address | null {
  const path = ask.format === "messages" ? paths[ask.action] : null;
  if (path === null) return null;
  const wire = Object.entries(lowered(ask.wireHeaders)).filter(([name]) => wireNames.has(name));
  return addressOf(path, { baseUrl, key, headers }, Object.fromEntries(wire));
}

function addressOf(
  path: string,
  { baseUrl, key, headers }: Target,
  wire: Record<string, string>,
): Address {
  return {
    url: baseUrl.replace(/(?<!\/)\/(?:v1\/?)?$/, "") + path,
    headers: {
      "anthropic-version": defaultVersion,
      ...wire,
      ...lowered(headers),
      "x-api-key": key,
    },
  };
}

/** The list of models costs nothing and is for keys alone. */
async function check({ target, send }: VendorCall): Promise<void> {
  const address = addressOf("/v1/models?limit=1", target, {});
  takenBody(await send({ method: "GET", address }), readFault);
}

async function models({ target, send }: VendorCall): Promise<string[]> {
  const address = addressOf("/v1/models?limit=1000", target, {});
  return namesIn(
    takenBody(await send({ method: "GET", address }), readFault)["data"] ?? null,
    "id",
  );
}
