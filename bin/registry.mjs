// Finds out whether there is anybody where npm gets packages from, or the proxy on the way there.
import { get } from "node:http";
import { get as getSecurely } from "node:https";

const answerMs = 15_000;
const settings = ["https-proxy", "proxy", "registry"];

/** The address that nobody answers at, or null. `runNpm` starts npm with its output in a pipe. */
export async function findUnreachable(runNpm) {
  // Under npm the proxy comes first: then nothing else is asked.
  for (const name of settings) {
    const address = toUrl(await readSetting(runNpm, name));
    if (address) return (await answers(address)) ? null : address.origin;
  }
  return null;
}

function readSetting(runNpm, name) {
  return new Promise((resolve) => {
    const child = runNpm(["config", "get", name]);
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.on("error", () => resolve(""));
    child.on("close", () => resolve(text.trim()));
  });
}

function toUrl(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Any answer will do: what it says is for npm to read. */
function answers(url) {
  return new Promise((resolve) => {
    const ask = url.protocol === "https:" ? getSecurely : get;
    const request = ask(url, (response) => {
      response.destroy();
      resolve(true);
    });
    request.setTimeout(answerMs, () => request.destroy());
    // A certificate that is refused is an answer as well, and npm says more about it.
    request.on("error", (error) => resolve(/CERT|SSL|TLS/.test(String(error.code))));
    request.on("close", () => resolve(false));
  });
}
