// Views of a task's state, its cost and its picture, in the gallery, the list and the detail.
import { useEffect, useRef, useState } from "preact/hooks";
import type { OwnTaskView, ResultView, TaskView } from "../../../src/admin/contract.ts";
import { count, exactMoney, money } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { Dot, Meter, type Tone } from "../../kit/badge.tsx";
import { Icon } from "../../kit/icon.tsx";
import { t } from "./words.ts";

/** Fields of everyone's tasks that one's own leave out are optional. */
export type Shown = OwnTaskView & Partial<TaskView>;
export type TaskState = OwnTaskView["state"];

export const states = [
  "submitting",
  "unknown",
  "queued",
  "in_progress",
  "completed",
  "failed",
] as const;

const tones: Readonly<Record<TaskState, Tone>> = {
  submitting: "accent",
  unknown: "warn",
  queued: "accent",
  in_progress: "accent",
  completed: "good",
  failed: "bad",
};

export function isRunning({ state }: Pick<OwnTaskView, "state">): boolean {
  return state !== "completed" && state !== "failed";
}

export function stateName(state: TaskState | "deleted"): string {
  return t().states[state];
}

export function TaskState({ task }: { task: Shown }) {
  if (task.deleted_at !== null) return <Dot tone="none">{t().states.deleted}</Dot>;
  return <Dot tone={tones[task.state]}>{stateName(task.state)}</Dot>;
}

export function Progress({ task: { progress } }: { task: Shown }) {
  const text = t().done(count(Math.round(progress)));
  return <Meter part={progress / 100} label={text} isProgress />;
}

/** Price of the task, or the hold while it runs. */
export function Cost({ task: { micros, held_micros } }: { task: Shown }) {
  if (micros !== null) return <Amount micros={micros} />;
  return (
    <span class="number faint" title={`${exactMoney(held_micros)}. ${t().heldText}`}>
      {t().heldOf(money(held_micros))}
    </span>
  );
}

/** Links are signed anew each time; the first one is kept so that nothing is fetched twice. */
export function useKept(url: string): string {
  return useState(url)[0];
}

/** A small picture of it, or the first frame. */
export function Poster({ result, kind }: { result: ResultView | null; kind: string }) {
  if (result === null) {
    return (
      <span class="poster bare">
        <Icon name={kind === "video" ? "media" : "assets"} />
      </span>
    );
  }
  return <Picture result={result} />;
}

function Picture({ result }: { result: ResultView }) {
  const src = useKept(result.thumbnail_url ?? `${result.url}#t=0.1`);
  if (result.type.startsWith("video/")) return <FirstFrame src={src} />;
  return <img class="poster" src={src} alt="" loading="lazy" decoding="async" />;
}

/** The gateway decodes no video: the browser does, and fetches its beginning once it is near. */
function FirstFrame({ src }: { src: string }) {
  const frame = useRef<HTMLVideoElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!frame.current) return;
    const watch = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: "200px" },
    );
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, []);
  return (
    <video
      ref={frame}
      class="poster"
      preload={isNear ? "metadata" : "none"}
      src={isNear ? src : undefined}
      muted
      playsInline
      tabIndex={-1}
    />
  );
}
