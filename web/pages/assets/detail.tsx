// One asset: where it came from, whether it can be used, and how requests name it.
import { useState } from "preact/hooks";
import { seesContents } from "../../core/session.ts";
import { refresh, useAction } from "../../core/api.ts";
import { pathOf, send, usePolled } from "../../core/control.ts";
import { moment } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Button } from "../../kit/button.tsx";
import { Code, CurlButton, Id } from "../../kit/code.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Facts } from "../../kit/figures.tsx";
import { showToast } from "../../kit/toast.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { AssetStatus, nameInRequests, type Shown } from "./columns.tsx";
import { t } from "./words.ts";

interface DrawerOptions extends Steps {
  id: string;
  /** The list of one's own or of everyone's. */
  at: AssetList;
}

const everyMs = 2000;

export type AssetList = "GET /api/assets" | "GET /api/asset";

export function AssetDrawer({ id, at, onPrevious, onNext }: DrawerOptions) {
  const path = pathOf(at, { query: { id } });
  const { data, error, reload } = usePolled(everyMs, at, { query: { id } });
  const [isRemoving, setRemoving] = useState(false);
  const asset: Shown | undefined = data?.items[0];
  const isOwn = at === "GET /api/asset";
  const footer = asset && isOwn && (
    <Button icon="trash" onClick={() => setRemoving(true)}>
      {t().remove}
    </Button>
  );
  const title = asset?.name || id;
  return (
    <Drawer {...{ title, footer, onPrevious, onNext }} onClose={() => openId(null)}>
      <Waiting {...{ data, error, reload }} lines={6} />
      {data && !asset && <Empty title={t().gone} />}
      {asset && <AssetFacts asset={asset} />}
      <div class="row">
        <CurlButton path={path} />
      </div>
      {asset && isRemoving && <DeleteAsset asset={asset} onClose={() => setRemoving(false)} />}
    </Drawer>
  );
}

function AssetFacts({ asset }: { asset: Shown }) {
  const words = t();
  const { error, url } = asset;
  const isWeb = /^https?:\/\//.test(url);
  return (
    <>
      {error && (
        <p class="notice bad">
          <span class="mono">{error.code}</span>
          <span class="wrap">{error.message}</span>
        </p>
      )}
      {seesContents() && <Preview asset={asset} />}
      <h3>{words.inRequests}</h3>
      <Code text={nameInRequests(asset)} wraps />
      <Facts
        pairs={[
          [words.status, <AssetStatus asset={asset} />],
          [words.kind, words.kinds[asset.kind]],
          seesContents() && [
            words.url,
            isWeb ? (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {url}
              </a>
            ) : (
              url
            ),
          ],
          [words.account, asset.account],
          [words.group, asset.group],
          [words.channel, asset.channel ?? asset.channel_id],
          [words.created, moment(asset.created_at, "full")],
          [words.updated, moment(asset.updated_at, "full")],
          [words.id, <Id text={asset.id} />],
        ]}
      />
    </>
  );
}

/** Preview of an uploaded file: pages show nothing that lies elsewhere. */
function Preview({ asset: { kind, url, name } }: { asset: Shown }) {
  const at = url.indexOf("/media/");
  const [src] = useState(at === -1 ? null : url.slice(at));
  if (src === null || !url.includes("signature=")) return null;
  if (kind === "image") return <img class="preview" src={src} alt={name} />;
  if (kind === "audio") return <audio src={src} controls preload="metadata" />;
  return <video class="preview" src={src} controls preload="metadata" playsInline />;
}

export function DeleteAsset({ asset, onClose }: { asset: Shown; onClose(): void }) {
  const name = asset.name || asset.id;
  const remove = useAction(async () => {
    await send("DELETE /api/asset/{id}", { id: asset.id });
    openId(null);
    refresh("/api/asset");
    showToast(t().wasRemoved(name));
  });
  return (
    <Confirm
      title={t().removeTitle(name)}
      effect={t().removeEffect}
      submit={t().remove}
      action={remove}
      onClose={onClose}
    />
  );
}
