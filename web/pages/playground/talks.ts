// Conversations that go on: each is kept in this browser, for whoever is signed in, and its id
// stands in the address, so that a page that is loaded again goes on with it.
import { signal } from "@preact/signals";
import { ApiError } from "../../core/api.ts";
import { query, setQuery } from "../../core/place.ts";
import { self } from "../../core/session.ts";
import { shelve, shelved, unshelve, type Shelved } from "../../core/shelf.ts";
import type { Picture, ToolCall } from "../../core/text/formats.ts";
import {
  chooseModels,
  chosenModels,
  draft,
  newFacts,
  running,
  settings,
  turns,
  usual,
  type Reply,
  type ReplyFacts,
  type Settings,
  type Turn,
} from "./state.ts";

const talksMax = 50;
/** Letters of one conversation; pictures are left out of a longer one. */
const lettersMax = 10_000_000;
const titleMax = 60;

interface KeptReply {
  text: string;
  calls: readonly ToolCall[];
  pictures: readonly Picture[];
  results: Readonly<Record<string, string>>;
  facts: Omit<ReplyFacts, "error"> & { error: { message: string; code: string | null } | null };
}

interface KeptTurn {
  question: string;
  pictures: readonly Picture[];
  strands: readonly { model: string; replies: readonly KeptReply[] }[];
}

export interface Talk extends Shelved {
  title: string;
  models: readonly string[];
  settings: Settings;
  turns: readonly KeptTurn[];
}

/** All of this person, the newest first. */
export const talks = signal<readonly Talk[]>([]);
const owner = () => self.value?.username ?? "";
export const talkId = () => query.value.get("talk");
/** Conversation that the page shows. */
let shownId: string | null = null;

export async function loadTalks(): Promise<void> {
  talks.value = await shelved<Talk>("talk", owner());
  const id = talkId();
  if (id !== null && id !== shownId) openTalk(talks.value.find((one) => one.id === id));
}

/** Shows one that was kept; one that is not here is the beginning of a new one. */
export function openTalk(talk: Talk | undefined): void {
  running.value?.abort();
  shownId = talk?.id ?? null;
  turns.value = talk?.turns.map(shownTurn) ?? [];
  if (!talk) return setQuery({ talk: null });
  settings.value = { ...usual, ...talk.settings };
  setQuery({ talk: talk.id, kind: null, view: null });
  chooseModels(talk.models);
}

export function newTalk(): void {
  draft.value = "";
  openTalk(undefined);
}

/** Conversation of the page as it stands, kept under the id that it has or gets now. */
export async function keepTalk(): Promise<boolean> {
  const all = turns.value;
  const [first] = all;
  if (!first) return true;
  shownId ??= crypto.randomUUID();
  const id = shownId;
  if (talkId() !== id) setQuery({ talk: id });
  const known = talks.value.find((one) => one.id === id);
  const talk: Talk = {
    owner: owner(),
    id,
    changedMs: Date.now(),
    title: known?.title ?? first.question.slice(0, titleMax),
    models: chosenModels(),
    settings: { ...settings.value, rehearsal: "" },
    turns: all.map(keptTurn),
  };
  return await put(lettersIn(talk) > lettersMax ? withoutPictures(talk) : talk);
}

async function put(talk: Talk): Promise<boolean> {
  talks.value = [talk, ...talks.value.filter(({ id }) => id !== talk.id)].slice(0, talksMax);
  return await shelve("talk", talk, talksMax);
}

export async function renameTalk(talk: Talk, title: string): Promise<void> {
  await put({ ...talk, title: title.slice(0, titleMax) });
}

export async function removeTalk({ id }: Talk): Promise<void> {
  talks.value = talks.value.filter((one) => one.id !== id);
  await unshelve("talk", owner(), id);
  if (id === shownId) newTalk();
}

function lettersIn(talk: Talk): number {
  return JSON.stringify(talk).length;
}

function withoutPictures(talk: Talk): Talk {
  const bare = (turn: KeptTurn): KeptTurn => ({
    ...turn,
    pictures: [],
    strands: turn.strands.map((one) => ({
      ...one,
      replies: one.replies.map((reply) => ({ ...reply, pictures: [] })),
    })),
  });
  return { ...talk, turns: talk.turns.map(bare) };
}

function keptTurn({ question, pictures, strands }: Turn): KeptTurn {
  return {
    question,
    pictures,
    strands: strands.map(({ model, replies }) => ({
      model,
      replies: replies.value.map(keptReply),
    })),
  };
}

function keptReply({ text, calls, pictures, results, facts }: Reply): KeptReply {
  const { error, ...rest } = facts.value;
  return {
    text: text.value,
    calls: calls.value,
    pictures: pictures.value,
    results: results.value,
    facts: { ...rest, error: error && { message: error.message, code: error.code } },
  };
}

function shownTurn({ question, pictures, strands }: KeptTurn): Turn {
  return {
    question,
    pictures,
    strands: strands.map(({ model, replies }) => ({
      model,
      replies: signal(replies.map(shownReply)),
    })),
  };
}

function shownReply({ text, calls, pictures, results, facts }: KeptReply): Reply {
  const { error, state } = facts;
  return {
    text: signal(text),
    raw: signal(""),
    calls: signal(calls),
    pictures: signal(pictures),
    results: signal(results),
    facts: signal({
      ...newFacts,
      ...facts,
      // The page that it came to is gone.
      state: state === "running" ? "stopped" : state,
      error: error && new ApiError({ ...error, param: null }, facts.requestId),
    }),
  };
}
