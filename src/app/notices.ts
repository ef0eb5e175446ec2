// Notices of what needs a person: what is watched, and the ways out that are configured.
import { statfsSync } from "node:fs";
import { hostname } from "node:os";
import type { Config } from "../config/config.ts";
import type { DestinationSettings } from "../config/notices.ts";
import type { AccountId } from "../core/ids.ts";
import { findAccountByName } from "../identity/queries.ts";
import type { GuardedFetch } from "../media/fetch.ts";
import { NoticeKeeper } from "../notices/keeper.ts";
import { LocalWatch } from "../notices/local-watch.ts";
import { NoticeSender, type Way } from "../notices/sender.ts";
import { feishuWay, slackWay } from "../notices/ways/chat.ts";
import { emailWay } from "../notices/ways/email.ts";
import { postHook } from "../notices/ways/post.ts";
import { webhookWay } from "../notices/ways/webhook.ts";
import type { Control } from "./control.ts";

export interface NoticeDesk {
  sender: NoticeSender;
  close(): Promise<void>;
}

const ownCallMs = 15_000;

export function createNotices(config: Config, control: Control, fetch: GuardedFetch): NoticeDesk {
  const { notices: rules, dataFolder, retention } = config;
  const { store, database, channels, ids, log, clock, machine, mail } = control;
  const { timers } = machine;
  const ways = waysOf(config, control);
  const ownWay = (accountId: AccountId, url: string) => wayToOwner(control, fetch, accountId, url);
  const sender = new NoticeSender({ database, clock, timers, log, rules, ways, ownWay });
  const local = new LocalWatch({
    clock,
    channels,
    diskBytes: () => readDisk(dataFolder),
    rules,
    nodeName: store.sharing ? hostname() : null,
  });
  const keeper = new NoticeKeeper({
    store,
    database,
    clock,
    timers,
    ids,
    log,
    marks: {
      rules,
      isWanted: (kind) => rules.destinations.some(({ kinds }) => !kinds || kinds.includes(kind)),
    },
    local,
    sender,
    rules,
    telling: mail && ((written, id, letter, alsoTo) => mail.telling(written, id, letter, alsoTo)),
    checkMs: rules.checkSeconds * 1000,
    retention,
  });
  return { sender, close: () => keeper.close() };
}

/** Made for each message: destinations may change while the gateway runs. */
function waysOf(config: Config, control: Control) {
  const find = (wanted: string) => config.notices.destinations.find(({ name }) => name === wanted);
  return {
    has: (name: string) => find(name) !== undefined,
    get(name: string): Way | undefined {
      const destination = find(name);
      return destination && wayTo(destination, config, control);
    },
  };
}

function readDisk(folder: string): { free: number; size: number } {
  const { blocks, bavail, bsize } = statfsSync(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** An operator may have hooks on networks of their own. */
function wayTo(destination: DestinationSettings, config: Config, control: Control): Way {
  const { type, hook_url: url = "", secret, to = [] } = destination;
  const { send, deadlines, clock } = control;
  const site = config.site.name;
  const hook = { url, secret: secret ?? null, site };
  const { smtp } = config;
  if (type === "slack") return slackWay({ send, deadlines }, hook);
  if (type === "feishu") return feishuWay({ send, deadlines, clock }, hook);
  if (type === "email") {
    if (!smtp) throw new Error("mail.smtp waits for a restart");
    return emailWay({ deadlines, smtp, to, site });
  }
  return webhookWay({
    clock,
    secrets: async () => (secret === undefined ? await rootSecrets(control) : [secret]),
    async post(headers, body) {
      await postHook({ send, deadlines }, url, { headers, body });
    },
  });
}

async function rootSecrets({ database, webhookSecrets }: Control): Promise<readonly string[]> {
  const root = await findAccountByName(database, "root");
  return root ? await webhookSecrets.of(root.id) : [];
}

/** Addresses of users lead to public places alone. */
function wayToOwner(
  { webhookSecrets, clock }: Control,
  fetch: GuardedFetch,
  accountId: AccountId,
  url: string,
): Way {
  return webhookWay({
    clock,
    secrets: () => webhookSecrets.of(accountId),
    async post(headers, body) {
      const status = await fetch.post(url, { headers, body, timeoutMs: ownCallMs });
      if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
    },
  });
}
