// Text to be copied: code, ids, and the call behind what is shown.
import type { Method } from "../core/api.ts";
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
export function curlOf(path: string, method: Method = "GET", body?: unknown): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const data =
    body === undefined
      ? ""
      : ` \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(body))}`;
  const bearer = '-H "authorization: Bearer $SLUICE_TOKEN"';
  return `curl${verb} ${quoted(location.origin + path)} \\\n  ${bearer}${data}`;
}

export function CurlButton({
  path,
  method,
  body,
}: {
  path: string;
  method?: Method;
  body?: unknown;
}) {
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(curlOf(path, method, body));
    showToast(t().copied);
  }
  return (
    <Button kind="plain" isSmall icon="api" label={t().copyCurl} onClick={() => void copy()} />
  );
}
