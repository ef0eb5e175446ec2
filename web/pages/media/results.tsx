// Results of a task: a player for a video, and pictures that open in large.
import { useLayoutEffect, useState } from "preact/hooks";
import type { OwnTaskDetail, ResultView } from "../../../src/admin/contract.ts";
import { bytes } from "../../core/format.ts";
import { Button, CopyButton, LinkButton } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { useKept } from "./parts.tsx";
import { t } from "./words.ts";

export function Results({ task: { results, model } }: { task: OwnTaskDetail }) {
  const [at, setAt] = useState<number | null>(null);
  const pictures = results.filter(({ type }) => !type.startsWith("video/"));
  const videos = results.filter(({ type }) => type.startsWith("video/"));
  return (
    <section class="stack" aria-label={t().results}>
      {videos.map((result, order) => (
        <Player key={order} result={result} label={model} />
      ))}
      {pictures.length > 0 && (
        <ul class="pictures">
          {pictures.map((result, order) => (
            <li key={order}>
              <Thumbnail result={result} order={order} onOpen={() => setAt(order)} />
            </li>
          ))}
        </ul>
      )}
      {results.map((result, order) => (
        <ResultLine key={order} result={result} />
      ))}
      {at !== null && <Lightbox {...{ pictures, at, setAt }} />}
    </section>
  );
}

function Player({ result, label }: { result: ResultView; label: string }) {
  const src = useKept(result.url);
  return (
    <video class="player" src={src} controls preload="metadata" playsInline aria-label={label} />
  );
}

interface ThumbnailOptions {
  result: ResultView;
  order: number;
  onOpen(): void;
}

function Thumbnail({ result, order, onOpen }: ThumbnailOptions) {
  const src = useKept(result.thumbnail_url ?? result.url);
  return (
    <button type="button" class="shot card" onClick={onOpen} aria-label={t().enlarge(order + 1)}>
      <img class="poster" src={src} alt="" />
    </button>
  );
}

function ResultLine({ result }: { result: ResultView }) {
  const url = useKept(result.url);
  const { width, height } = result;
  const size = width !== null && height !== null ? `${width} × ${height}` : null;
  const name = url.split("?")[0]?.split("/").at(-1) ?? "";
  return (
    <div class="row wraps">
      <span class="faint">
        {[result.type, size, bytes(result.bytes)].filter(Boolean).join(" · ")}
      </span>
      <span class="push row">
        <CopyButton text={location.origin + url} label={t().copyLink} hasWords />
        <LinkButton isSmall icon="download" href={url} download={name}>
          {t().download}
        </LinkButton>
      </span>
    </div>
  );
}

interface LightboxOptions {
  pictures: readonly ResultView[];
  at: number;
  setAt(at: number | null): void;
}

/** One picture in large; the arrows lead to the others. */
function Lightbox({ pictures, at, setAt }: LightboxOptions) {
  const all = pictures.length;
  const step = (by: number) => setAt((at + by + all) % all);
  // Before the next key can come: effects wait for a picture to be drawn.
  useLayoutEffect(() => {
    const walk = (event: KeyboardEvent) => {
      if (event.key === "ArrowRight") step(1);
      else if (event.key === "ArrowLeft") step(-1);
    };
    addEventListener("keydown", walk);
    return () => removeEventListener("keydown", walk);
  }, [at, all]);
  const shown = pictures[at];
  if (!shown) return null;
  const title = t().pictureOf(at + 1, all);
  const footer = all > 1 && (
    <>
      <Button icon="left" onClick={() => step(-1)}>
        {t().previous}
      </Button>
      <Button icon="right" onClick={() => step(1)}>
        {t().next}
      </Button>
    </>
  );
  return (
    <Dialog title={title} isWide footer={footer} onClose={() => setAt(null)}>
      <img key={at} class="large" src={shown.url} alt={title} />
    </Dialog>
  );
}
