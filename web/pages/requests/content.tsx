// Content of a request and its answer, where that was captured: shown when it is asked for.
import { useState } from "preact/hooks";
import type { LogView } from "../../../src/admin/contract.ts";
import { useAnswer } from "../../core/control.ts";
import { lately } from "../../core/format.ts";
import { may, mayCapture, scopedAt } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Code } from "../../kit/code.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { Capture } from "./capture.tsx";
import { t } from "./content-words.ts";

export function Content({ row }: { row: LogView }) {
  const [isShown, setShown] = useState(false);
  const [isCapturing, setCapturing] = useState(false);
  const words = t();
  const isThere = row.trace?.captured === true;
  return (
    <section class="stack part">
      <h3>{words.content}</h3>
      {isShown && <Shown id={row.request_id} />}
      {!isShown && <p class="quiet wrap">{isThere ? words.showNote : words.none}</p>}
      {!isShown && (
        <div class="row wraps">
          {isThere && (
            <Button isSmall icon="eye" onClick={() => setShown(true)}>
              {words.show}
            </Button>
          )}
          {mayCapture() && (
            <Button isSmall icon="live" onClick={() => setCapturing(true)}>
              {words.captureTitle}
            </Button>
          )}
        </div>
      )}
      {isCapturing && <Capture keyId={row.key_id} onClose={() => setCapturing(false)} />}
    </section>
  );
}

function Shown({ id }: { id: string }) {
  const [side, setSide] = useState<"client" | "upstream">("client");
  const words = t();
  const at = scopedAt(
    "GET /api/log/{id}/content",
    "GET /api/log/self/{id}/content",
    "contents.read",
  );
  const { data, error, reload } = useAnswer(at, { id });
  if (error) return <Failure error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={4} />;
  const { upstream } = data;
  const texts = side === "upstream" && upstream ? upstream : data;
  const missing = side === "upstream" ? words.sameAnswer : words.noAnswer;
  return (
    <>
      {may("contents.read") && upstream && (
        <div>
          <Segments
            label={words.content}
            value={side}
            options={[
              ["client", words.client],
              ["upstream", upstream.channel],
            ]}
            onChange={setSide}
          />
        </div>
      )}
      <h4 class="quiet">{words.request}</h4>
      <Code text={pretty(texts.request)} wraps />
      <h4 class="quiet">{words.answer}</h4>
      {texts.answer === null ? (
        <p class="quiet">{missing}</p>
      ) : (
        <Code text={pretty(texts.answer)} wraps />
      )}
      <p class="faint wrap">
        {data.cut && `${words.cut} `}
        {words.until(lately(data.expires_at))}
      </p>
    </>
  );
}

/** JSON in lines; a stream is plain text already, and what was cut is no JSON any more. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
