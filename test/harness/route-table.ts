// Every row of the program's route table, for tests that go through all of them. Only the rows are
// read here, nothing is served, so what they would serve with may be missing.
import { announcementRoutes } from "../../src/http/records/announcements.ts";
import { assetRoutes } from "../../src/http/assets.ts";
import { captureRoutes } from "../../src/http/records/capture.ts";
import { budgetRoutes } from "../../src/http/billing/budget.ts";
import { billingRoutes } from "../../src/http/billing/routes.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { controlRoutes } from "../../src/http/control.ts";
import { healthRoutes } from "../../src/http/health.ts";
import { imageTaskRoutes } from "../../src/http/image/task.ts";
import { imageRoutes } from "../../src/http/images.ts";
import { imgFRoutes } from "../../src/http/img-f/routes.ts";
import { ledgerRoutes } from "../../src/http/records/ledger.ts";
import { mediaRoutes } from "../../src/http/media.ts";
import { modelRoutes } from "../../src/http/models.ts";
import { modelsHealthRoutes } from "../../src/http/records/models-health.ts";
import { referenceRoutes } from "../../src/http/reference/routes.ts";
import type { Route } from "../../src/http/route.ts";
import { backupRoutes } from "../../src/http/session/backups.ts";
import { eraseRoutes } from "../../src/http/session/erase.ts";
import { mailRoutes } from "../../src/http/session/mail.ts";
import { oauthRoutes } from "../../src/http/session/oauth.ts";
import { linkRoutes, sessionRoutes } from "../../src/http/session/routes.ts";
import { secondFactorRoutes } from "../../src/http/session/second-factor.ts";
import { pageKeyRoutes } from "../../src/http/session/page-key.ts";
import { siteRoutes } from "../../src/http/session/site.ts";
import { settingRoutes } from "../../src/http/records/settings.ts";
import { textAuxiliaryRoutes } from "../../src/http/text/auxiliary.ts";
import { textRoutes } from "../../src/http/text/routes.ts";
import { videoRoutes } from "../../src/http/videos.ts";
import { importRunRoutes } from "../../src/http/records/import-runs.ts";
import { secretRoutes } from "../../src/http/records/secrets.ts";
import { nodeRoutes } from "../../src/http/records/nodes.ts";
import { mailTestRoutes, noticeRoutes } from "../../src/http/records/notices.ts";
import { workRoutes } from "../../src/http/records/work.ts";

const nothing = {} as never;

/** Routes by the names of the functions that make them. */
export const builders: Readonly<Record<string, readonly Route[]>> = {
  textRoutes: textRoutes(nothing, {
    bodyBytesMax: 1,
    takesSockets: true,
    repeats: null,
    predictImages: nothing,
  }),
  textAuxiliaryRoutes: textAuxiliaryRoutes(nothing),
  modelRoutes: modelRoutes(nothing),
  mediaRoutes: mediaRoutes(nothing),
  assetRoutes: assetRoutes(nothing),
  billingRoutes: billingRoutes(nothing),
  budgetRoutes: budgetRoutes(nothing),
  videoRoutes: videoRoutes(nothing),
  imageRoutes: imageRoutes(nothing),
  imageTaskRoutes: imageTaskRoutes(nothing),
  imgFRoutes: imgFRoutes(nothing),
  healthRoutes: healthRoutes(nothing),
  controlRoutes: controlRoutes({
    dryRuns: {},
    money: {},
    models: {},
    organisations: {},
    present: {},
    selves: {},
  } as never),
  modelsHealthRoutes: modelsHealthRoutes({ records: { clock: nothing } } as never),
  announcementRoutes: announcementRoutes(nothing),
  captureRoutes: captureRoutes(nothing),
  linkRoutes: linkRoutes(nothing, nothing),
  ledgerRoutes: ledgerRoutes(nothing),
  settingRoutes: settingRoutes(nothing),
  nodeRoutes: nodeRoutes(nothing),
  secretRoutes: secretRoutes({ noting: nothing, secrets: nothing }),
  importRunRoutes: importRunRoutes({ noting: nothing, runs: nothing }),
  mailTestRoutes: mailTestRoutes(nothing),
  noticeRoutes: noticeRoutes({ noting: nothing, sender: nothing }),
  workRoutes: workRoutes({ tasks: nothing, callbacks: nothing, assets: nothing }),
  sessionRoutes: sessionRoutes(nothing, nothing),
  mailRoutes: mailRoutes(nothing, nothing),
  secondFactorRoutes: secondFactorRoutes(nothing, nothing),
  backupRoutes: backupRoutes(nothing, nothing),
  eraseRoutes: eraseRoutes(nothing, nothing),
  oauthRoutes: oauthRoutes(nothing, nothing),
  pageKeyRoutes: pageKeyRoutes(nothing),
  siteRoutes: siteRoutes({ site: {}, models: {} } as never, nothing),
  referenceRoutes: referenceRoutes(() => []),
  consoleRoutes: consoleRoutes({ enabled: true }),
};

export const routes: readonly Route[] = Object.values(builders).flat();

export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** The route's address with something in it that is not there. */
export function addressOf({ path }: Pick<Route, "path">, organisation?: string): string {
  const unknown = "chn_00000000000000000000000000";
  return path.replace("{organisation}", organisation ?? unknown).replace(/\{\w+\}/g, unknown);
}

/** A body that is an object and says nothing, where a route takes one. */
export function bodyOf({ method }: Route): { body: string } | undefined {
  return method === "POST" || method === "PATCH" ? { body: "{}" } : undefined;
}
