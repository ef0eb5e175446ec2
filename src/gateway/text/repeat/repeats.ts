// Requests for text that are sent again under their Idempotency-Key: the same key and body get the
// same answer, charged once, whether it is there already, is being made here, or by another node.
import { sleep, type Timers } from "../../../core/clock.ts";
import { digestOf } from "../../../core/digest.ts";
import { GatewayError } from "../../../core/errors.ts";
import type { Answer } from "../../answer.ts";
import type { ReadOn } from "../../stream/read-on.ts";
import { assertKey, assertSame, conflict, earlierNameOf, nameOf } from "../../task/idempotency.ts";
import type { TextInput } from "../text-job.ts";
import { AnswerRun } from "./answer-run.ts";
import type { KeptAnswers, RequestIdentity } from "./kept-answers.ts";
import { Making } from "./making.ts";
import type { KeptAnswerRow } from "./queries.ts";
import { answerFirst, answerReplay, type Head } from "./replay.ts";
import { RunReader } from "./run-reader.ts";
import { RunRoom } from "./run-room.ts";

interface RepeatsNeeds {
  kept: KeptAnswers;
  /** Room for answers that are read to their end although nobody is there. */
  readOn: ReadOn;
  timers: Timers;
  /** Length of the largest answer that is kept. */
  bytesMax: number;
  /** Longest that an answer of another node is waited for. */
  totalMs: number;
  faulted(error: unknown): void;
}

interface Running {
  run: AnswerRun;
  digest: string;
  head: Promise<Head>;
}

interface Order {
  identity: RequestIdentity;
  input: TextInput;
  serve(input: TextInput): Promise<Answer>;
}

/** Largest answers that have room at the same time. */
const atOnce = 32;
/** Period of the looks for another node's answer. */
const lookMs = 250;

export class Repeats {
  readonly #needs: RepeatsNeeds;
  readonly #running = new Map<string, Running>();
  readonly #room: RunRoom;

  constructor(needs: RepeatsNeeds) {
    this.#needs = needs;
    this.#room = new RunRoom(needs.bytesMax * atOnce);
  }

  /** `raw` is the body as it came. */
  async serve(
    sent: { key: string; raw: Uint8Array; input: TextInput },
    serve: Order["serve"],
  ): Promise<Answer> {
    const { input } = sent;
    const { call } = input;
    const { signal } = call.scope;
    const identity = readIdentity(sent);
    let running = this.#running.get(identity.id);
    // One that was given up comes to nothing, and is waited for until it has.
    for (; running?.run.signal.aborted; running = this.#running.get(identity.id)) {
      await running.run.over;
    }
    const { run, digest, head } = running ?? this.#begin({ identity, input, serve });
    assertSame(digest, identity);
    if (run.isTooLarge) throw gone();
    const reader = new RunReader(run, signal);
    reader.whenDone((isLeft) => isLeft && call.left());
    try {
      const shown = await head;
      return shown.call === call ? answerFirst(shown, reader) : answerReplay(shown, reader, input);
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  async expire(): Promise<void> {
    await this.#needs.kept.expire();
  }

  /** Nobody waits for those that are made on; resolves when they are settled. */
  async close(): Promise<void> {
    await this.#needs.readOn.close();
  }

  #begin(order: Order): Running {
    const { readOn, bytesMax } = this.#needs;
    const { accountId, id, digest } = order.identity;
    const run = new AnswerRun({ accountId, readOn, bytesMax, room: this.#room });
    const running = { run, digest, head: this.#open(run, order) };
    this.#running.set(id, running);
    void run.over.then(() => this.#running.delete(id));
    return running;
  }

  async #open(run: AnswerRun, order: Order): Promise<Head> {
    try {
      const row = await this.#find(run, order.identity);
      const head = row ? this.#recall(row) : await this.#make(run, order);
      run.begin(head.answer);
      return head;
    } catch (error) {
      run.end();
      throw error;
    }
  }

  /** Null where it is to be made here, which nobody else does meanwhile. */
  async #find(run: AnswerRun, identity: RequestIdentity): Promise<KeptAnswerRow | null> {
    const { kept, timers, totalMs } = this.#needs;
    for (let waitedMs = 0; ; waitedMs += lookMs) {
      const row = await kept.claim(identity);
      if (row) assertSame(row.body_digest, identity);
      if (row === null) return null;
      if (row.claimed_by === null) {
        if (!(await kept.isOwn(row, identity))) throw conflict("Somebody else used this key.");
        return row;
      }
      if (!run.isAttended) throw new GatewayError("client_closed_request");
      if (waitedMs > totalMs) throw conflict("The answer under this key is still being made.");
      await sleep(timers, lookMs);
    }
  }

  #recall(row: KeptAnswerRow): Head {
    const answer = this.#needs.kept.read(row);
    if (!answer) throw gone();
    const { contentType, headers, bytes: body, model, stream } = answer;
    const whole = { status: 200, contentType, headers, body };
    return { answer: whole, call: null, requestId: row.request_id, model, stream };
  }

  async #make(run: AnswerRun, { identity, input, serve }: Order): Promise<Head> {
    const { kept, faulted } = this.#needs;
    const { call } = input;
    const making = new Making(kept, identity, run, call);
    void run.over.then(() => making.close()).catch(faulted);
    if (!run.isAttended) throw new GatewayError("client_closed_request");
    // From here on it is not of one client alone.
    call.scope.signal = run.signal;
    const answer = await serve({ ...input, keeper: making });
    const { model, stream } = call;
    return { answer, call, requestId: identity.requestId, model, stream };
  }
}

/** Addresses of some formats say what bodies of others do. */
function readIdentity({ key, raw, input }: { key: string; raw: Uint8Array; input: TextInput }) {
  assertKey(key);
  const { call, format, action, address } = input;
  const { caller, scope } = call;
  const earlierName = earlierNameOf(caller, key);
  return {
    id: digestOf(nameOf(caller, key)),
    earlierId: earlierName === null ? null : digestOf(earlierName),
    accountId: caller.accountId,
    makerId: caller.makerId,
    digest: digestOf(JSON.stringify([format.name, action, address, digestOf(raw)])),
    requestId: scope.requestId,
  };
}

function gone(): GatewayError {
  return conflict(
    "This was answered and charged, and its answer was too large to be kept, or is kept no more. " +
      "Under another key it is made and charged anew.",
  );
}
