// Text to be copied: code, ids, and the call behind what is shown.
import type { Method } from "../core/api.ts";
import { curl } from "../core/curl.ts";
import { Button, CopyButton } from "./button.tsx";
import { showToast } from "./toast.tsx";
import { t } from "./words.ts";

export function Code({ text, wraps = false }: { text: string; wraps?: boolean }) {
  return (
    <div class="code">
      <pre class={wraps ? "wraps" : ""} tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

/** An id, cut where it is too long, with a button that copies all of it. */
export function Id({ text }: { text: string }) {
  return (
    <span class="row">
      <span class="mono cut" title={text}>
        {text}
      </span>
      <CopyButton text={text} />
    </span>
  );
}

/** The call of a list, a chart or a detail, for a script with an access token. */
function callOf(path: string, method: Method, body: object | undefined): string {
  const verb = method === "GET" ? {} : { method };
  const bearer = { variable: "SLUICE_TOKEN" };
  return curl({ ...verb, url: location.origin + path, bearer, body });
}

export function CurlButton({
  path,
  method = "GET",
  body,
}: {
  path: string;
  method?: Method;
  body?: object;
}) {
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(callOf(path, method, body));
    showToast(t().copied);
  }
  return (
    <Button kind="plain" isSmall icon="api" label={t().copyCurl} onClick={() => void copy()} />
  );
}
