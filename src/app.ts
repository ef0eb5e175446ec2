// The composition root: the only place where the parts are made and wired. Here the whole is
// started and ended; its parts are put together in the folder beside it.
import { applyDeclared, reloadDeclared, type DeclaredKeyMade } from "./admin/declared.ts";
import { reconcileWindows } from "./admin/budget/reconcile-windows.ts";
import { checkSecret } from "./admin/canary.ts";
import { checkRoot, ensureRoot, type Generated } from "./admin/first-run.ts";
import { makeLink } from "./admin/session/link.ts";
import { createBase, sealOf, secretOf, type Base } from "./app/base.ts";
import { closeApp } from "./app/close.ts";
import { startConfiguration } from "./app/settings/configuration.ts";
import { createControl, type Control } from "./app/control.ts";
import { assertUnowned, noteOwner } from "./app/folder/owner.ts";
import { createHttp, type Http } from "./app/http.ts";
import { listen, warnOfAddress } from "./app/listen.ts";
import { createOAuth } from "./app/oauth.ts";
import type { Machine } from "./app/machine.ts";
import { toRunning } from "./app/settings/running.ts";
import { takeDoors, urlOf, type Doors } from "./app/port.ts";
import { assertRestored } from "./app/folder/unfinished-restore.ts";
import { assertFolderSecretLong, warnOfSecret, withdrawSecret } from "./app/folder/secret.ts";
import { assertMediaShared } from "./app/shared-media.ts";
import { beginInTurn, createUnshown, endMark, type UnshownMark } from "./app/unshown.ts";
import type { Config } from "./config/config.ts";
import type { SettingsSource } from "./config/page/settings-source.ts";
import type { Log } from "./core/log.ts";

import type { Seal } from "./core/seal.ts";
import { sealPlainHeaders } from "./distribution/queries.ts";
import { createAccessToken } from "./identity/secrets.ts";
import { findAccountByName } from "./identity/queries.ts";
import { rightsOf } from "./identity/roles/rights.ts";
import { openMedia } from "./media/open-media.ts";
import { createRecovery } from "./app/recovery.ts";
import { recover, verify, type RecoverNeeds } from "./quota/recover.ts";
import { assertFolderUsable, toFolderError } from "./store/data-folder.ts";
import { createDatabase } from "./store/database.ts";
import { settleRelocation } from "./store/move/relocation.ts";

export interface App {
  url: string;
  /** Address of this node alone, be there others at that of all. */
  ownUrl: string;
  generated: Generated;
  /** Opens the console as root, once; null where the operator knows the password. */
  signInLink: string | null;
  /** A token of the root account for programs on this machine, new at every start. */
  localToken: string;
  /** To be called when the operator has seen what was generated. */
  shown(): Promise<void>;
  /** Reads the file anew. */
  reload(): Promise<void>;
  /** Lets what runs end, at most for the drain time, then closes everything. */
  close(): Promise<void>;
}

interface AppNeeds {
  log: Log;
  machine: Machine;
  /** Told of each declared key that had no text of its own, once. */
  keyMade(key: DeclaredKeyMade): void;
  settings: SettingsSource;
  /** Told once the database that nodes share has answered. */
  reached?(): void;
}

export async function startApp(config: Config, needs: AppNeeds): Promise<App> {
  // Before the folder is made: a start that cannot listen leaves nothing behind.
  const doors = await takeDoors(config);
  try {
    assertFolderUsable(config.dataFolder);
    assertFolderSecretLong(config);
    checkRoot(config.root);
    assertMediaShared(config);
    assertRestored(config.dataFolder);
    await assertUnowned(config.dataFolder);
    return await startOn(doors, config, needs);
  } catch (error) {
    for (const port of Object.values(doors)) await port.stop(true);
    throw toFolderError(error, config.dataFolder);
  }
}

async function startOn(doors: Doors, stated: Config, needs: AppNeeds): Promise<App> {
  const { log, keyMade, settings } = needs;
  const base = await createBase(stated, needs);
  const unmade = withdrawSecret(stated);
  const seal = sealOf(stated);
  const config = toRunning(stated);
  const configuration = await configure(config, base, { settings, seal });
  const [url, ownUrl] = [urlOf(doors.front), urlOf(doors.own)];
  const baseUrl = () => config.server.publicUrl ?? url;
  const control = await createControl(config, { base, seal, baseUrl });
  const unshown = createUnshown(control, config.dataFolder);
  const first = await beginInTurn(
    control,
    () => begin(control, config, { unshown, needs }).catch(unmade),
    ({ password, key }) => password !== null || key !== null,
  );
  const generated = first.texts;
  await control.captures.reload();
  followOthers(control);
  control.store.sharing?.watch("settings", () => configuration.follow());
  const localToken = await trustLocal(control);
  const { clock, deadlines, ids, send } = control;
  const secret = secretOf(config);
  const media = openMedia({ config, secret, baseUrl: () => url, clock, deadlines, ids, send });
  const oauth = createOAuth(config, control, { fetch: media.fetch, baseUrl });
  let known = config.declared;
  configuration.applied(async ({ declared }, by) => {
    await reloadDeclared(control, { declared, known, by }, keyMade);
    known = declared;
  });
  const http = createHttp(config, base, control, { media, oauth, configuration, baseUrl });
  http.secrets.begin();
  await resume(http, log);
  listen(doors, http, log);
  warnOfAddress(config, log);
  warnOfSecret(config, log);
  noteOwner(config.dataFolder, { url: ownUrl, token: localToken, pid: process.pid });
  checkBook(base, log).catch((error: unknown) => {
    // Closed in the midst of it, the store answers no more.
    if (!base.isLeaving) throw error;
  });
  return {
    url,
    ownUrl,
    generated,
    signInLink: generated.password === null ? null : await linkForRoot(control, baseUrl()),
    localToken,
    shown: () => endMark(unshown, base.machine.timers).finally(first.end),
    reload: () => configuration.reloadFile(),
    close: () => closeApp(config, { base, control, http, doors }),
  };
}

/** Takes in what people stated on pages. */
function configure(
  running: Config,
  { store, clock, log }: Base,
  { settings, seal }: { settings: SettingsSource; seal: Seal },
) {
  const database = createDatabase(store);
  return startConfiguration({ settings, running, database, seal, clock, log });
}

/** Make all that is made once, before anything is served. */
async function begin(
  control: Control,
  { root, declared, secretLost }: Config,
  { unshown, needs: { log, keyMade } }: { unshown: UnshownMark; needs: AppNeeds },
): Promise<Generated> {
  if (await settleRelocation(control.database)) {
    log.warn("a move of this gateway's rows had begun, and is given up by this start");
  }
  const isShared = control.store.sharing !== undefined;
  const unread = await checkSecret(control, { isShared, isLost: secretLost });
  if (unread > 0) log.error("keys of channels were sealed with another secret", { keys: unread });
  await sealPlainHeaders(control.database, control.seal);
  const recovery = createRecovery(control);
  if (control.store.turns === undefined) await giveBack(recovery, control, log);
  await control.bookkeeping.begin(recovery);
  if (!(await findAccountByName(control.database, "root"))) await unshown.begin();
  const texts = await ensureRoot(control, root, await unshown.isThere());
  await applyDeclared(control, declared, keyMade);
  await reconcileWindows(control);
  return texts;
}

/** Release the holds of requests that died with the last process. */
async function giveBack(needs: RecoverNeeds, control: Control, log: Log): Promise<void> {
  const recovered = await recover(needs, control.machine.clock.nowMs());
  if (recovered === 0) return;
  await control.store.logApplied();
  log.warn("gave back what requests of the last process held", { recovered });
}

/** Changes by other nodes hold here as well, within a second. */
function followOthers({ store: { sharing }, reload, captures }: Control): void {
  sharing?.watch("identity", () => reload.groups());
  sharing?.watch("channels", () => reload.channels());
  sharing?.watch("prices", () => reload.prices());
  sharing?.watch("virtual models", () => reload.virtualModels());
  sharing?.watch("budgets", () => reload.budgets());
  sharing?.watch("captures", () => captures.reload());
}

/** Takes up what the last process left. */
async function resume({ flows }: Http, log: Log): Promise<void> {
  const resumed = await flows.tasks.resume();
  await flows.assets.resume();
  if (resumed > 0) log.info("took up tasks of the last process", { resumed });
}

async function linkForRoot(control: Control, baseUrl: string): Promise<string | null> {
  const root = await findAccountByName(control.database, "root");
  return root && (await makeLink(control, baseUrl, root)).url;
}

async function trustLocal({ authenticator, database, random }: Control): Promise<string> {
  const token = createAccessToken(random);
  const root = await findAccountByName(database, "root");
  if (root) {
    const { id: accountId, username } = root;
    const { role, may } = await rightsOf(database, root);
    authenticator.trustLocal(token, {
      accountId,
      username,
      role,
      may,
      isCommandLine: true,
    });
  }
  return token;
}

/** A book that does not agree with its entries takes no money until a person has looked. */
async function checkBook(base: Base, log: Log): Promise<void> {
  const { store, obstacles, machine } = base;
  const violations = await verify((statement) => store.read(statement));
  base.verified = { atMs: machine.clock.nowMs(), isGood: violations.length === 0 };
  if (violations.length === 0) return;
  obstacles.add("the ledger does not agree with its entries");
  for (const { invariant, row } of violations) log.error("ledger violation", { invariant, row });
}
