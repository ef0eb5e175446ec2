// Backups that are there, and what can be done with one.
import { useState } from "preact/hooks";
import type { BackupView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { bytes, moment } from "../../core/format.ts";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Prove, type Proof } from "../../kit/prove/prove.tsx";
import { Table } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

const path = "/api/backup";

interface Opened {
  act: "download" | "restore" | "remove";
  name: string;
}

export function BackupList({ items, isBusy }: { items: readonly BackupView[]; isBusy: boolean }) {
  const words = t();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  if (items.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  return (
    <>
      <Table<BackupView>
        label={words.backups}
        rows={items}
        idOf={({ name }) => name}
        columns={[
          { name: "name", head: words.name, cell: ({ name }) => name, card: "title" },
          { name: "at", head: words.at, cell: ({ created_at: at }) => moment(at, "full") },
          {
            name: "size",
            head: words.size,
            cell: ({ bytes: size }) => bytes(size),
            isRight: true,
          },
          {
            name: "acts",
            head: "",
            cell: ({ name }) => (
              <Menu
                label={words.actions(name)}
                items={[
                  {
                    label: words.download,
                    icon: "download",
                    run: () => setOpened({ act: "download", name }),
                  },
                  !isBusy && {
                    label: words.restore,
                    icon: "refresh",
                    run: () => setOpened({ act: "restore", name }),
                  },
                  {
                    label: words.remove,
                    icon: "trash",
                    isDanger: true,
                    run: () => setOpened({ act: "remove", name }),
                  },
                ]}
              />
            ),
            isRight: true,
            card: "aside",
          },
        ]}
      />
      {opened?.act === "download" && <Download name={opened.name} onClose={close} />}
      {opened?.act === "restore" && <Restore name={opened.name} onClose={close} />}
      {opened?.act === "remove" && <Remove name={opened.name} onClose={close} />}
    </>
  );
}

interface ActOptions {
  name: string;
  onClose(): void;
}

/** The browser itself takes the file, so that none of it is in the page's memory. */
function Download({ name, onClose }: ActOptions) {
  const words = t();
  async function begin(body: Proof): Promise<void> {
    const link = await send("POST /api/backup/{name}/link", { name, body });
    const anchor = document.createElement("a");
    anchor.href = link.path;
    anchor.download = name;
    anchor.click();
  }
  return (
    <Prove title={words.downloadTitle(name)} effect={words.text} run={begin} onClose={onClose} />
  );
}

function Restore({ name, onClose }: ActOptions) {
  const words = t();
  const [folder, setFolder] = useState(name.replace(/\.tar\.gz$/, "-restored"));
  const restore = useAction(async () => {
    await send("POST /api/backup/{name}/restore", { name, body: { folder } });
    refresh(path);
    onClose();
  });
  return (
    <FormDialog title={words.restore} submit={words.goOn} action={restore} onClose={onClose}>
      <p class="quiet wrap">{words.restoreText}</p>
      <TextField
        label={words.folder}
        value={folder}
        onInput={setFolder}
        fault={faultOf(restore.error, "folder")}
        maxLength={100}
        isRequired
        hasFocus
      />
    </FormDialog>
  );
}

function Remove({ name, onClose }: ActOptions) {
  const words = t();
  const remove = useAction(async () => {
    await send("DELETE /api/backup/{name}", { name });
    refresh(path);
    showToast(words.wasRemoved(name));
  });
  return (
    <Confirm
      title={words.removeTitle(name)}
      effect={words.removeText}
      submit={words.remove}
      action={remove}
      onClose={onClose}
    />
  );
}
