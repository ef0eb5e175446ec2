// Looks now and then whether something needs a person: each cause is one notice from when it is
// found until it has ended, in the database, so that a restart tells nothing twice.
import type { DestinationSettings } from "../config/notices.ts";
import type { Clock, Stop, Timers } from "../core/clock.ts";
import { dayMs } from "../core/day.ts";
import type { AccountId, Ids } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import type { Letter } from "../mail/letter.ts";
import { takeChore } from "../store/chores.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { findCauses, type Marks } from "./find-causes.ts";
import { localKinds, type LocalWatch } from "./local-watch.ts";
import { ownDestination, type Cause } from "./notice.ts";
import {
  endNotice,
  forgetNotices,
  openNotice,
  readOpenNotices,
  type OpenNotice,
} from "./queries.ts";
import type { NoticeSender } from "./sender.ts";

interface NoticeKeeperNeeds {
  store: Store;
  database: Database;
  clock: Clock;
  timers: Timers;
  ids: Ids;
  log: Log;
  marks: Marks;
  local: LocalWatch;
  sender: NoticeSender;
  rules: { readonly destinations: readonly DestinationSettings[] };
  /** The commit that carries a letter to an account as well; null where people get none. */
  telling: Telling | null;
  checkMs: number;
  retention: { readonly logDays: number };
}

type Written = Pick<NoticeKeeperNeeds, "store" | "database">;
type Telling = (
  written: Written,
  accountId: AccountId,
  letter: Letter,
  alsoTo: AccountId | null,
) => Promise<Written>;

export class NoticeKeeper {
  readonly #needs: NoticeKeeperNeeds;
  readonly #stop: Stop;
  #checking: Promise<void> | null = null;
  #hasInherited = false;

  constructor(needs: NoticeKeeperNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(needs.checkMs, () => this.#tick());
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#checking;
    await this.#needs.sender.close();
  }

  #tick(): void {
    this.#checking ??= this.#check()
      .catch((error: unknown) =>
        this.#needs.log.error("what needs a person could not be looked for", {
          error: describe(error),
        }),
      )
      .finally(() => {
        this.#checking = null;
      });
  }

  async #check(): Promise<void> {
    const { store, database, clock, marks, local, sender, checkMs, retention } = this.#needs;
    const nowMs = clock.nowMs();
    const open = await readOpenNotices(database);
    if (!this.#hasInherited) local.inherit(open);
    this.#hasInherited = true;
    await this.#follow(
      open.filter((one) => local.isOwn(one)),
      local.find(),
    );
    // One node looks at what all share; alone there is nobody to ask.
    const chore = { name: "notices", nowMs, periodMs: checkMs };
    if (!store.sharing || (await takeChore(database, chore))) {
      const shared = open.filter(({ kind }) => !localKinds.includes(kind));
      await this.#follow(shared, await findCauses(database, marks, nowMs));
      await forgetNotices(store, database, nowMs - retention.logDays * dayMs);
    }
    await sender.sendDue();
  }

  /** Opens what is new and ends what is over. */
  async #follow(open: readonly OpenNotice[], causes: readonly Cause[]): Promise<void> {
    const { store, database, clock } = this.#needs;
    const known = new Set(open.map(({ cause }) => cause));
    const lasting = new Set(causes.map(({ cause }) => cause));
    for (const { id, cause } of open) {
      if (!lasting.has(cause)) await endNotice(store, database, { id, nowMs: clock.nowMs() });
    }
    for (const cause of causes) if (!known.has(cause.cause)) await this.#open(cause);
  }

  async #open(one: Cause): Promise<void> {
    const { cause, kind, accountId, isOwn, text, details } = one;
    const { clock, ids, log, rules } = this.#needs;
    const row = {
      id: ids.of("ntc_"),
      cause,
      kind,
      account_id: accountId,
      text,
      details: JSON.stringify(details),
      at_ms: clock.nowMs(),
      ended_at_ms: null,
    };
    const wanting = rules.destinations.filter(({ kinds }) => !kinds || kinds.includes(kind));
    const own = one.isUncalled ? [] : [ownDestination];
    const names = isOwn ? own : wanting.map(({ name }) => name);
    const { store, database } = await this.#withLetter(one);
    await openNotice(store, database, { row, destinations: names });
    if (!isOwn) log.warn("something needs a person", { notice: row.id, kind });
  }

  async #withLetter({ accountId, letter, alsoTo = null }: Cause): Promise<Written> {
    const { store, database, telling } = this.#needs;
    if (!telling || !letter || accountId === null) return { store, database };
    return await telling({ store, database }, accountId, letter, alsoTo);
  }
}
