// Ledgers that are broken on purpose.
import { micros, zeroMicros, type Micros } from "../../src/core/money.ts";
import type { Held } from "../../src/quota/held.ts";
import type { Ask, Grant, LedgerLimits, Posted, Reservation } from "../../src/quota/ledger.ts";
import { SoleLedger, type SoleLedgerNeeds } from "../../src/quota/sole-ledger.ts";
import type { EntryTable } from "../../src/store/schema.ts";
import type { Build } from "./build.ts";

class IgnoresHeld extends SoleLedger {
  override tryAdmit(ask: Ask): Reservation {
    const { account } = ask;
    const held = account.heldMicros;
    account.availableMicros += held;
    try {
      return super.tryAdmit(ask);
    } finally {
      account.availableMicros -= held;
    }
  }
}

class IgnoresKeyLimit extends SoleLedger {
  override tryAdmit(ask: Ask): Reservation {
    const { key } = ask;
    const limit = key.limitMicros;
    key.limitMicros = null;
    try {
      return super.tryAdmit(ask);
    } finally {
      key.limitMicros = limit;
    }
  }
}

/** Takes a hold under all caps but the last. */
class ForgetsCap extends SoleLedger {
  override tryAdmit(ask: Ask): Reservation {
    return super.tryAdmit({ ...ask, caps: ask.caps.slice(0, -1) });
  }
}

class IgnoresCapLimits extends SoleLedger {
  override tryAdmit(ask: Ask): Reservation {
    const modes = ask.caps.map(({ mode }) => mode);
    for (const cap of ask.caps) cap.mode = "watch";
    try {
      return super.tryAdmit(ask);
    } finally {
      for (const [at, mode] of modes.entries()) if (ask.caps[at]) ask.caps[at].mode = mode;
    }
  }
}

/** Counts a charge in the window that is asked for last, not in the one of its hold. */
class MovesWindows extends SoleLedger {
  #caps: Ask["caps"] = [];

  override tryAdmit(ask: Ask): Reservation {
    this.#caps = ask.caps;
    return super.tryAdmit(ask);
  }

  protected override free(held: Held, row: EntryTable): void {
    super.free(held, row);
    const [from, to] = [held.caps[0], this.#caps[0]];
    if (!from || !to || from === to) return;
    from.spentMicros -= row.micros;
    to.spentMicros += row.micros;
  }
}

class FreesNothing extends SoleLedger {
  override post(reservation: Reservation, actual: Micros, usage: string): Posted {
    const { account, key, micros: held, state } = reservation;
    const posted = super.post(reservation, actual, usage);
    if (state !== "open") return posted;
    account.availableMicros -= held;
    account.heldMicros += held;
    key.heldMicros += held;
    return posted;
  }
}

class FreesTwice extends SoleLedger {
  protected override free(held: Held, row: EntryTable): void {
    super.free(held, row);
    const { account, key, micros: heldMicros } = held;
    account.availableMicros += heldMicros;
    account.heldMicros -= heldMicros;
    key.heldMicros -= heldMicros;
  }
}

/** A balance that something else than the ledger moves. */
class Conjures extends SoleLedger {
  protected override free(held: Held, row: EntryTable): void {
    super.free(held, row);
    held.account.availableMicros++;
  }
}

/** Lets a hold be closed as often as anybody likes. */
class Reopens extends SoleLedger {
  protected override free(held: Held, row: EntryTable): void {
    super.free(held, row);
    queueMicrotask(() => {
      held.state = "open";
    });
  }
}

class PostsVoids extends SoleLedger {
  override void(reservation: Reservation): Promise<boolean> {
    return super.post(reservation, reservation.micros, "{}").written;
  }
}

class Overdraws extends SoleLedger {
  override post(reservation: Reservation, actual: Micros, usage: string): Posted {
    const { account } = reservation;
    const { unlimited } = account;
    account.unlimited = true;
    try {
      return super.post(reservation, actual, usage);
    } finally {
      account.unlimited = unlimited;
    }
  }
}

class ClosesTwice extends SoleLedger {
  override post(reservation: Reservation, actual: Micros, usage: string): Posted {
    if (reservation.state === "open") return super.post(reservation, actual, usage);
    const again = { ...reservation, id: `${reservation.id}_again`, micros: actual };
    try {
      super.post(super.tryAdmit(again), actual, usage);
    } catch {
      // There is nothing left to take.
    }
    return super.post(reservation, actual, usage);
  }
}

class SpendsUnsafeGrants extends SoleLedger {
  override async grant(grant: Grant): Promise<Micros> {
    const { account } = grant;
    const early = grant.micros > 0 ? grant.micros : zeroMicros;
    const granting = super.grant(grant);
    account.availableMicros += early;
    account.grantedMicros += early;
    const amount = await granting;
    account.availableMicros -= early;
    account.grantedMicros -= early;
    return amount;
  }
}

/** Takes a grant that comes a second time while it is on its way for another one. */
class GrantsTwice extends SoleLedger {
  readonly #known = new Set<string>();

  override grant(grant: Grant): Promise<Micros> {
    const isAgain = this.#known.has(grant.id);
    this.#known.add(grant.id);
    return super.grant(isAgain ? { ...grant, id: `${grant.id}_again` } : grant);
  }
}

class ForgetsLoss extends SoleLedger {
  override post(reservation: Reservation, actual: Micros, usage: string): Posted {
    return super.post(reservation, micros(Math.min(actual, reservation.micros)), usage);
  }
}

function ledger(
  Mutant: new (ports: SoleLedgerNeeds, limits: LedgerLimits) => SoleLedger,
): Pick<Build, "createLedger"> {
  return { createLedger: (ports, limits) => new Mutant(ports, limits) };
}

export const ledgerMutations: Readonly<Record<string, Partial<Build>>> = {
  "admission ignores what is held": ledger(IgnoresHeld),
  "admission ignores the key's limit": ledger(IgnoresKeyLimit),
  "a hold forgets one of its caps": ledger(ForgetsCap),
  "admission ignores the limits of caps": ledger(IgnoresCapLimits),
  "a charge counts in another window than its hold": ledger(MovesWindows),
  "a post frees nothing of the hold": ledger(FreesNothing),
  "an end frees the hold twice": ledger(FreesTwice),
  "a balance has a micro more than was granted": ledger(Conjures),
  "a hold can be closed again": ledger(Reopens),
  "a void is counted as a post": ledger(PostsVoids),
  "a post overdraws the account": ledger(Overdraws),
  "a post drops what goes past the hold": ledger(ForgetsLoss),
  "a second close writes a second entry": ledger(ClosesTwice),
  "a grant can be spent before it is safe": ledger(SpendsUnsafeGrants),
  "a grant sent twice is booked twice": ledger(GrantsTwice),
};
