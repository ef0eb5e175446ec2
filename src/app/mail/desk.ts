// E-mail to people: the outbox, what sends it, and the rules of the operator.
import { createHmac } from "node:crypto";
import { MailAsks } from "../../admin/email/mail-asks.ts";
import { PeopleMail } from "../../admin/email/people-mail.ts";
import type { Config } from "../../config/config.ts";
import type { Ids } from "../../core/ids.ts";
import { systemRandom } from "../../core/random.ts";
import type { Seal } from "../../core/seal.ts";
import { deleteOldTokens } from "../../identity/email/queries.ts";
import { Outbox } from "../../mail/outbox.ts";
import { MailSender } from "../../mail/sender.ts";
import type { Database } from "../../store/database.ts";
import type { Base } from "../base.ts";

export interface MailDesk {
  sender: MailSender;
  outbox: Outbox;
  /** Null where people have no e-mail here. */
  people: PeopleMail | null;
  expire(): Promise<void>;
  close(): Promise<void>;
}

interface DeskNeeds {
  base: Pick<Base, "clock" | "machine" | "deadlines" | "log" | "shared">;
  database: Database;
  ids: Ids;
  seal: Seal;
  secret: string;
  baseUrl(): string;
}

/** Null where there is no server to send by. */
export function createMailDesk(config: Config, needs: DeskNeeds): MailDesk | null {
  const { smtp, site, mail: settings } = config;
  if (!smtp) return null;
  const { base, database, ids, seal } = needs;
  const { clock, deadlines, log, machine } = base;
  const sender = new MailSender({
    database,
    clock,
    timers: machine.timers,
    deadlines,
    log,
    seal,
    smtp,
    site,
    rules: settings,
  });
  const wake = () => sender.wake();
  const outbox = new Outbox({ database, clock, ids, seal, from: smtp.from, wake });
  const people = config.accounts.email === "off" ? null : createPeople(config, needs, outbox);
  return {
    sender,
    outbox,
    people,
    async expire() {
      await sender.expire();
      await deleteOldTokens(database, clock.nowMs());
    },
    async close() {
      await people?.close();
      await sender.close();
    },
  };
}

function createPeople(config: Config, needs: DeskNeeds, outbox: Outbox): PeopleMail {
  const { base, database, secret, baseUrl } = needs;
  const { accounts, signIn, site } = config;
  return new PeopleMail({
    database,
    log: base.log,
    random: systemRandom,
    outbox,
    asks: new MailAsks(base.clock, base.shared.liveNodes),
    rules: {
      isRequired: accounts.email === "required",
      get domains() {
        return accounts.emailDomains;
      },
      get signsInByLink() {
        return signIn.link === "on";
      },
      get creditsProof() {
        return accounts.startingCreditAfter === "email";
      },
    },
    site,
    baseUrl,
    markOf: (text) =>
      createHmac("sha256", `sluice addresses\n${secret}`).update(text).digest("hex"),
  });
}
