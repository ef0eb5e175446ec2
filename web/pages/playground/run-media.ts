// Pictures, which come with the answer, and videos, which are asked about until they have ended.
import { signal } from "@preact/signals";
import { askJson, rowOf, type Answered } from "../../core/ask.ts";
import { mediaCallOf, shorten } from "./calls.ts";
import { asRefusal } from "./run-text.ts";
import { newFacts, pieces, settings, type MediaFacts, type Piece } from "./state.ts";

interface Pictures {
  data?: { url?: string; b64_json?: string }[];
}

interface VideoTask {
  id: string;
  status: "queued" | "in_progress" | "completed" | "failed";
  progress?: number;
  video_url?: string;
  error?: { message?: string } | null;
}

const pauseMs = 1000;

export async function make(kind: Piece["kind"], model: string, prompt: string): Promise<void> {
  const facts = { ...newFacts, progress: null, task: null, taskId: null, urls: [] };
  const piece: Piece = {
    kind,
    model,
    prompt,
    call: mediaCallOf(kind, settings.value, { model, prompt }),
    raw: signal(""),
    facts: signal<MediaFacts>(facts),
    abort: new AbortController(),
  };
  pieces.value = [piece, ...pieces.value];
  const began = performance.now();
  try {
    await (kind === "image" ? makePictures(piece) : makeVideo(piece));
  } catch (error) {
    if (!piece.abort.signal.aborted) note(piece, { error: asRefusal(error) });
  }
  const state = piece.abort.signal.aborted ? "stopped" : "over";
  note(piece, { state, totalMs: performance.now() - began });
  const { requestId, taskId } = piece.facts.peek();
  const id = taskId ?? requestId;
  if (id !== null) note(piece, { row: await rowOf(id).catch(() => null) });
}

function note({ facts }: Piece, more: Partial<MediaFacts>): void {
  facts.value = { ...facts.peek(), ...more };
}

function heard(piece: Piece): (answered: Answered) => void {
  return ({ status, requestId }) => note(piece, { status, requestId });
}

async function makePictures(piece: Piece): Promise<void> {
  const { call, raw, abort } = piece;
  const options = { signal: abort.signal, onAnswer: heard(piece) };
  const answer = await askJson<Pictures>(call.path, call.body, options);
  raw.value = JSON.stringify(answer, shorten, 2);
  const urls = (answer.data ?? []).flatMap(({ url, b64_json: bytes }) =>
    url === undefined
      ? bytes === undefined
        ? []
        : [`data:image/png;base64,${bytes}`]
      : [own(url)],
  );
  note(piece, { urls });
}

/** The gateway may be called by another name than it calls itself; its files are here too. */
function own(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname.startsWith("/media/") ? pathname + search : url;
}

async function makeVideo(piece: Piece): Promise<void> {
  const { call, raw, abort } = piece;
  const { signal: stop } = abort;
  const options = { signal: stop, onAnswer: heard(piece) };
  let task = await askJson<VideoTask>(call.path, call.body, options);
  const path = `/v1/videos/${encodeURIComponent(task.id)}`;
  note(piece, { taskId: task.id });
  // Stopped means stopped where the vendor can: otherwise it goes on, and is charged.
  stop.addEventListener("abort", () => {
    void askJson(path, undefined, { method: "DELETE" }).catch(() => {});
  });
  for (;;) {
    raw.value = JSON.stringify(task, null, 2);
    note(piece, { task: task.status, progress: task.progress ?? null });
    if (task.status === "failed") throw new Error(task.error?.message ?? "");
    if (task.status === "completed") break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    task = await askJson<VideoTask>(path, undefined, { signal: stop });
  }
  note(piece, { urls: task.video_url ? [own(task.video_url)] : [] });
}
