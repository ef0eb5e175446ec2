// Acts on an account that is there.
import { useState } from "preact/hooks";
import type { SignInLink, UserView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { moment } from "../../core/format.ts";
import { Confirm, FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

/** Can be undone, so it is not asked about; disabling signs the person out. */
export async function setEnabled(view: UserView, isOn: boolean): Promise<void> {
  await send("PATCH /api/user/{id}", {
    id: view.id,
    body: { status: isOn ? "enabled" : "disabled" },
  });
  refresh("/api/user");
  const text = isOn ? t().wasEnabled(view.username) : t().wasDisabled(view.username);
  showToast(text, () => void setEnabled(view, !isOn));
}

interface ActionOptions {
  view: UserView;
  onClose(): void;
}

export function SignOutEverywhere({ view, onClose }: ActionOptions) {
  const words = t();
  const end = useAction(async () => {
    await send("DELETE /api/user/{id}/sessions", { id: view.id });
    refresh("/api/user");
    showToast(words.wasSignedOut(view.username));
  });
  return (
    <Confirm
      title={words.signOutTitle(view.username)}
      effect={words.signOutEffect}
      submit={words.signOut}
      action={end}
      onClose={onClose}
    />
  );
}

export function ResetFactors({ view, onClose }: ActionOptions) {
  const words = t();
  const reset = useAction(async () => {
    await send("DELETE /api/user/{id}/second-factor", { id: view.id });
    refresh("/api/user");
    showToast(words.factorsReset(view.username));
  });
  return (
    <Confirm
      title={words.resetTitle(view.username)}
      effect={words.resetEffect}
      submit={words.resetFactors}
      action={reset}
      onClose={onClose}
    />
  );
}

export function Erase({ view, onClose, onErased }: ActionOptions & { onErased(): void }) {
  const words = t();
  const { username } = view;
  const erase = useAction(async () => {
    await send("POST /api/user/{id}/erase", { id: view.id, body: { username } });
    onErased();
    refresh("/api/user");
    showToast(words.wasErased(username));
  });
  return (
    <Confirm
      title={words.eraseTitle(username)}
      effect={words.eraseEffect}
      submit={words.erase}
      typed={username}
      action={erase}
      onClose={onClose}
    />
  );
}

/** A link that signs the person in once, for who has lost the password; root alone makes one. */
export function MakeLink({ view, onClose }: ActionOptions) {
  const words = t();
  const [link, setLink] = useState<SignInLink | null>(null);
  const make = useAction(async () => {
    setLink(await send("POST /api/user/{id}/link", { id: view.id }));
  });
  if (link) {
    return (
      <SecretDialog title={words.linkTitle(view.username)} secret={link.url} onClose={onClose}>
        <p class="quiet">{words.linkUse(moment(link.expires_at, "full"))}</p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={words.linkTitle(view.username)}
      submit={words.makeLink}
      action={make}
      onClose={onClose}
    >
      <p class="quiet wrap">{words.linkEffect}</p>
    </FormDialog>
  );
}
